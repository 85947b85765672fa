import { type Failure, fail } from '../../failure/failures.js';
import { isJsonObject, type JsonObject, getMember } from '../../form/form-checks.js';
import { countryOfBic, isBic } from '../../iban/bic.js';
import { getCountry, isIban, position13 } from '../../iban/iban.js';
import type { PaymentProduct } from '../payment-products.js';
import type { Submission } from './field-check.js';
import { hasPurposeCode } from './purpose-codes.js';

const inside = (body: JsonObject, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (isJsonObject(value) ? getMember(value, name) : undefined), body);
const has = (body: JsonObject, name: string): boolean => getMember(body, name) !== undefined;

/** The creditor's account: its IBAN if any member contains a valid one, otherwise the other identification. */
export function creditorIdentification(body: JsonObject): {
  readonly iban?: string;
  readonly other?: string;
} {
  const iban = inside(body, 'creditorAccount', 'iban');
  if (isIban(iban)) return { iban };
  const other =
    inside(body, 'creditorAccount', 'bban') ?? inside(body, 'creditorAccount', 'other', 'identification');
  return typeof other === 'string' ? { other } : {};
}

/** A Bulgarian BBAN, alone or within an IBAN; the capture group is the bank code. */
const bulgarianAccount = /^(?:BG[0-9]{2})?([A-Z]{4})[0-9]{6}[A-Z0-9]{8}$/;

/**
 * True for an account of this bank that is not identified by an IBAN in the correct member, but by our BIC, our
 * BBAN, or an IBAN in another member.
 */
function isOwnAccountWithoutIban({ body, ownBankCode }: Submission, other: string): boolean {
  const agent = getMember(body, 'creditorAgent');
  const bank = bulgarianAccount.exec(other.replaceAll(' ', '').toUpperCase())?.[1];
  return bank === ownBankCode || (isBic(agent) && agent.startsWith(`${ownBankCode}BG`));
}

function creditorCountry(body: JsonObject): string | undefined {
  const { iban } = creditorIdentification(body);
  if (iban !== undefined) return getCountry(iban);
  const agent = getMember(body, 'creditorAgent');
  if (isBic(agent)) return countryOfBic(agent);
  const country = inside(body, 'creditorAgentAddress', 'country');
  return typeof country === 'string' ? country : undefined;
}

function staysInEea({ body, eea }: Submission): boolean {
  const currency = inside(body, 'instructedAmount', 'currency');
  const country = creditorCountry(body);
  const isEeaCurrency = typeof currency === 'string' && eea.currencies.has(currency);
  return isEeaCurrency && country !== undefined && eea.countries.has(country);
}

/**
 * A condition on the name and address of the creditor's bank: they are allowed only for an account without an IBAN
 * at a bank without a BIC, and are then both required (contract 8).
 */
function agentDescription(field: string): Condition {
  return ({ body, product }) => {
    if (product !== 'cross-border-credit-transfer') return [];
    const { other } = creditorIdentification(body);
    const isFor = other !== undefined && !has(body, 'creditorAgent');
    const begun = has(body, 'creditorAgentName') || has(body, 'creditorAgentAddress');
    if (has(body, field) && (has(body, 'creditorAgent') || creditorIdentification(body).iban !== undefined)) {
      return [
        fail(
          'fieldNotApplicable',
          field,
          'Remove this field: the creditor’s bank is identified by the IBAN or the BIC.',
        ),
      ];
    }
    return isFor && begun && !has(body, field) ? [fail('fieldMissing', field)] : [];
  };
}

export type Condition = (submission: Submission) => Failure[];

/**
 * The condition on the creditor's account. `budgetText`: the text for an account that takes no budget payments (spec
 * 2.4).
 */
export function creditorAccountCondition(budgetProduct: PaymentProduct, budgetText: string): Condition {
  return (submission) => {
    const { iban, other } = creditorIdentification(submission.body);
    if (other !== undefined && isOwnAccountWithoutIban(submission, other)) {
      return [fail('fieldMalformed', 'creditorAccount', 'Identify accounts of this bank by their IBAN.')];
    }
    const isBudget = submission.product === budgetProduct;
    return isBudget && iban !== undefined && !['8', '3'].includes(position13(iban))
      ? [fail('fieldMalformed', 'creditorAccount.iban', budgetText)]
      : [];
  };
}

/**
 * Conditions between fields in the lev standard. Each key is the path of the field that has to be corrected (spec 1.3, 2.4; contract
 * 8).
 */
export const paymentConditions: Readonly<Record<string, Condition>> = {
  creditorAccount: creditorAccountCondition(
    'domestic-budget-transfer-BGN',
    'A budget account has 8 or 3 at position 13 of its IBAN.',
  ),
  creditorAgent: ({ body, product }) => {
    const { other } = creditorIdentification(body);
    if (other === undefined || has(body, 'creditorAgent')) return [];
    const isDescribed = has(body, 'creditorAgentName') || has(body, 'creditorAgentAddress');
    if (isDescribed && product === 'cross-border-credit-transfer') return [];
    return [
      fail(
        'fieldMissing',
        'creditorAgent',
        'Add the BIC of the creditor’s bank, or identify the account by its IBAN.',
      ),
    ];
  },
  creditorAgentName: agentDescription('creditorAgentName'),
  creditorAgentAddress: agentDescription('creditorAgentAddress'),
  chargeBearer: (submission) => {
    const { body, product } = submission;
    if (product !== 'cross-border-credit-transfer') return [];
    const bearer = getMember(body, 'chargeBearer');
    if (!staysInEea(submission)) return bearer === undefined ? [fail('fieldMissing', 'chargeBearer')] : [];
    if (bearer === undefined || bearer === 'SHAR') return [];
    return [
      fail(
        'fieldMalformed',
        'chargeBearer',
        'Within the EEA charges are shared. Send SHAR or leave the field out.',
      ),
    ];
  },
  remittanceInformationUnstructured: ({ body, product }) => {
    const text = getMember(body, 'remittanceInformationUnstructured');
    if (product !== 'SEPA-Credit-Transfer' && product !== 'cross-border-credit-transfer') return [];
    if (typeof text !== 'string' || hasPurposeCode(text)) return [];
    const hint =
      'Begin with a purpose code in the layout of that code, such as "101%%goods". The developer portal lists the codes at /reference/codes.';
    return [fail('fieldMalformed', 'remittanceInformationUnstructured', hint)];
  },
};
