import { type Failure, fail, listFailures } from '../../failure/failures.js';
import { isJsonObject, type JsonObject, getMember, unknownMembers } from '../../form/form-checks.js';
import { parseAmount } from '../../money/money.js';
import type { Profile } from '../../profile/profile.js';
import type { Submission } from './field-check.js';
import { creditorIdentification } from './payment-conditions.js';
import type { PaymentOrder } from '../payment-events.js';
import { type PaymentField, paymentPaths } from './payment-fields.js';
import type { PaymentProduct, PaymentType } from '../payment-products.js';
import type { PaymentStandard, ReachTables } from '../standards/payment-standard.js';
import { standardOf } from '../standards/standards.js';

/**
 * The input to the rules, in addition to the body. `today` is an ISO date in the bank's zone, `ownBankCode` the
 * four letters that identify the bank in IBANs.
 */
export interface PaymentRules {
  readonly profile: Profile;
  readonly today: string;
  readonly ownBankCode: string;
}

/** The fields of a body that are needed by the rules that run after the format checks. */
export interface PaymentDetails {
  readonly order: PaymentOrder;
  readonly paymentType: PaymentType;
  /** The debtor account currency that the TPP named. */
  readonly debtorCurrency?: string;
}

/** The details, and what the stage "type against product" needs as well. */
export interface RoutedPayment extends PaymentDetails {
  /** The BIC of the creditor's bank, if sent. */
  readonly creditorAgent?: string;
}

export interface ValidPayment extends PaymentDetails {
  readonly requestedExecutionDate?: string;
}

function fieldFailures(
  field: PaymentField,
  submission: Submission,
  { fieldChecks, conditions }: PaymentStandard,
): Failure[] {
  const conditionFailures = (): Failure[] => conditions[field.path]?.(submission) ?? [];
  const value = getMember(submission.body, field.path);
  const rule = field.rules[submission.product];
  if (value === undefined) {
    return rule === 'mandatory' ? [fail('fieldMissing', field.path)] : conditionFailures();
  }
  if (rule === 'n.a.') return [fail('fieldNotApplicable', field.path, field.insteadOf)];
  const wrong = fieldChecks[field.type](value, field.path, submission);
  return wrong.length > 0 ? wrong : conditionFailures();
}

/** The format errors in a payment's fields, in table order. Other members of the body are ignored. */
export const formFailures = (
  fields: readonly PaymentField[],
  submission: Submission,
  standard: PaymentStandard,
): Failure[] => fields.flatMap((field) => fieldFailures(field, submission, standard));

/** The order in a well-formed body. Undefined if a part is missing, which the format checks rule out. */
function parseOrder(body: JsonObject, { transferText }: PaymentStandard): PaymentOrder | undefined {
  const amount = getMember(body, 'instructedAmount');
  const debtor = getMember(body, 'debtorAccount');
  const { iban, other } = creditorIdentification(body);
  const creditorAccount = iban ?? other;
  const creditorName = getMember(body, 'creditorName');
  const remittance = transferText(body);
  const endToEndId = getMember(body, 'endToEndIdentification');
  if (!isJsonObject(amount) || !isJsonObject(debtor)) return undefined;
  const parsed = parseAmount(getMember(amount, 'amount'), getMember(amount, 'currency'));
  const debtorIban = getMember(debtor, 'iban');
  if ('reason' in parsed || typeof debtorIban !== 'string' || creditorAccount === undefined) return undefined;
  if (typeof creditorName !== 'string' || remittance === undefined) return undefined;
  return {
    amount: parsed,
    debtorIban,
    creditorAccount,
    creditorName,
    remittance,
    endToEndId: typeof endToEndId === 'string' ? endToEndId : undefined,
  };
}

/** The details in a well-formed body. Undefined if a part is missing, which the format checks rule out. */
export function paymentDetails(
  body: JsonObject,
  profile: ReachTables & Pick<Profile, 'standard'>,
): RoutedPayment | undefined {
  const standard = standardOf(profile);
  const order = parseOrder(body, standard);
  if (order === undefined) return undefined;
  const agent = getMember(body, 'creditorAgent');
  const creditorAgent = typeof agent === 'string' ? agent : undefined;
  const debtor = getMember(body, 'debtorAccount');
  const debtorCurrency = isJsonObject(debtor) ? getMember(debtor, 'currency') : undefined;
  return {
    order,
    paymentType: standard.deriveType({ order, creditorAgent }, profile),
    debtorCurrency: typeof debtorCurrency === 'string' ? debtorCurrency : undefined,
    creditorAgent,
  };
}

/** Stage "currency" of contract 3: refuses an unsupported currency. */
export function currencyFailure(
  { order: { amount } }: PaymentDetails,
  profile: Pick<Profile, 'currencies' | 'standard' | 'levEnd'>,
): Failure | undefined {
  if (profile.currencies.includes(amount.currency)) return undefined;
  const text = standardOf(profile).unsupportedCurrencyText(amount.currency, profile);
  return fail('currencyNotSupported', 'instructedAmount.currency', text);
}

/** Stage "type against product" of contract 3: refuses a payment whose type does not match the product. */
export function typeFailure(
  details: RoutedPayment,
  product: PaymentProduct,
  profile: ReachTables & Pick<Profile, 'standard'>,
): Failure | undefined {
  const fitting = standardOf(profile).fittingProduct(product, details, profile);
  if (fitting === product) return undefined;
  const text = `These details do not match this type of payment. Send them to /payments/${fitting}, with the fields of that product.`;
  return fail('productWrong', undefined, text);
}

/** Stage "execution date" of contract 3: refuses a day that is already over at the bank. */
export const pastDateFailure = (
  requestedExecutionDate: string | undefined,
  today: string,
): Failure | undefined =>
  requestedExecutionDate !== undefined && requestedExecutionDate < today
    ? fail('executionDateInvalid', 'requestedExecutionDate')
    : undefined;

/** Stage "accounts" of contract 3: refuses a payment whose debtor and creditor accounts are the same. */
export const sameAccountFailure = ({ order }: PaymentDetails): Failure | undefined =>
  order.debtorIban === order.creditorAccount ? fail('sameAccount', 'creditorAccount') : undefined;

/**
 * Validates the body of a single payment for a product (spec 2.4, contract 3 and 8). Reports all format violations
 * together, in the order of the field table. Later stages run only if the format is valid, and the first stage
 * that fails is reported.
 */
export function validatePayment(
  product: PaymentProduct,
  body: unknown,
  rules: PaymentRules,
): { readonly valid: ValidPayment } | { readonly failures: readonly Failure[] } {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const submission = { product, body, ownBankCode: rules.ownBankCode, eea: rules.profile.eea };
  const standard = standardOf(rules.profile);
  const failures = listFailures([
    ...formFailures(standard.fields, submission, standard),
    ...unknownMembers(body, paymentPaths, ''),
  ]);
  if (failures.length > 0) return { failures };
  const details = paymentDetails(body, rules.profile);
  if (details === undefined) return { failures: [fail('bodyNotJson')] };
  const date = getMember(body, 'requestedExecutionDate');
  const { creditorAgent: _agent, ...stored } = details;
  const valid: ValidPayment = {
    ...stored,
    requestedExecutionDate: typeof date === 'string' ? date : undefined,
  };
  const failure =
    currencyFailure(valid, rules.profile) ??
    typeFailure(details, product, rules.profile) ??
    pastDateFailure(valid.requestedExecutionDate, rules.today) ??
    sameAccountFailure(valid);
  return failure === undefined ? { valid } : { failures: [failure] };
}
