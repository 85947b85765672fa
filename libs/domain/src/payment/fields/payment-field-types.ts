import { type Failure, fail } from '../../failure/failures.js';
import {
  accountReferenceExtras,
  ibanHint,
  ibanReferenceFailures,
  isJsonObject,
  getMember,
  unknownMembers,
} from '../../form/form-checks.js';
import { isBic } from '../../iban/bic.js';
import { isIban } from '../../iban/iban.js';
import { parseAmount } from '../../money/money.js';
import { isMaxText } from '../../text/text.js';
import { isIsoDate } from '../../time/bank-calendar.js';
import { budgetDetailsCheck, levBudgetLayout } from './budget-details.js';
import { budgetPurposes, chargeBearersByProduct, isCodeIn, serviceLevelsByProduct } from './code-tables.js';
import { type AddressForm, addressCheck } from './address.js';
import type { FieldCheck } from './field-check.js';
import { maxTextHint } from './max-text.js';
import type { FieldType } from './payment-fields.js';

const unless = (ok: boolean, path: string, text: string): Failure[] =>
  ok ? [] : [fail('fieldMalformed', path, text)];

const maxText =
  (max: number) =>
  (value: unknown, path: string): Failure[] =>
    unless(isMaxText(value, max), path, maxTextHint(max));

const oneOf = (codes: readonly string[], value: unknown, path: string): Failure[] =>
  unless(typeof value === 'string' && codes.includes(value), path, `Send one of ${codes.join(', ')}.`);

const amount: FieldCheck = (value, path) => {
  if (!isJsonObject(value)) return [fail('fieldMalformed', path, 'Send an object with currency and amount.')];
  const given = { amount: getMember(value, 'amount'), currency: getMember(value, 'currency') };
  const missing = (['currency', 'amount'] as const).filter((name) => given[name] === undefined);
  // A member that is present is validated even if the other one is missing or invalid; a valid placeholder is
  // then used for the other one.
  const ownCurrency = parseAmount('1', given.currency);
  const ownAmount = parseAmount(given.amount, 'reason' in ownCurrency ? 'EUR' : given.currency);
  const wrong = [ownCurrency, ownAmount].flatMap((parsed) =>
    'reason' in parsed && !missing.includes(parsed.field)
      ? [fail('fieldMalformed', `${path}.${parsed.field}`, parsed.reason)]
      : [],
  );
  return [
    ...missing.map((name) => fail('fieldMissing', `${path}.${name}`)),
    ...wrong,
    ...unknownMembers(value, ['currency', 'amount'], path),
  ];
};

const accountForms = ['iban', 'bban', 'other'] as const;
const otherMembers = ['identification', 'schemeNameCode', 'schemeNameProprietary', 'issuer'] as const;
const bbanPattern = /^[A-Za-z0-9]{1,30}$/;

function otherIdentificationFailures(other: unknown, path: string): Failure[] {
  if (!isJsonObject(other)) return [fail('fieldMalformed', path, 'Send an object with identification.')];
  const identification = getMember(other, 'identification');
  return [
    ...(identification === undefined ? [fail('fieldMissing', `${path}.identification`)] : []),
    ...otherMembers.flatMap((name) => {
      const value = getMember(other, name);
      return value === undefined ? [] : maxText(35)(value, `${path}.${name}`);
    }),
    ...unknownMembers(other, otherMembers, path),
  ];
}

const creditorAccount: FieldCheck = (value, path) => {
  if (!isJsonObject(value)) return [fail('fieldMalformed', path, 'Send an object with iban, bban or other.')];
  const present = accountForms.filter((form) => getMember(value, form) !== undefined);
  const [form] = present;
  if (form === undefined) {
    return [
      fail('fieldMissing', `${path}.iban`),
      ...unknownMembers(value, [...accountForms, 'currency', 'cashAccountType'], path),
    ];
  }
  const found: Failure[] = [];
  if (present.length > 1)
    found.push(fail('fieldMalformed', path, 'Identify the account in one way: iban, bban or other.'));
  const identification = getMember(value, form);
  if (form === 'iban') found.push(...unless(isIban(identification), `${path}.iban`, ibanHint));
  if (form === 'bban') {
    const ok = typeof identification === 'string' && bbanPattern.test(identification);
    found.push(...unless(ok, `${path}.bban`, 'Send 1 to 30 letters and digits.'));
  }
  if (form === 'other') found.push(...otherIdentificationFailures(identification, `${path}.other`));
  return [
    ...found,
    ...accountReferenceExtras(value, path),
    ...unknownMembers(value, [...accountForms, 'currency', 'cashAccountType'], path),
  ];
};

/** An address in the lev standard (contract 8). */
export const levAddress: AddressForm = {
  parts: (['streetName', 'buildingNumber', 'townName', 'postCode'] as const).map((name) => ({
    name,
    max: 70,
    mandatory: false,
  })),
};

/** The check for a field type that no product accepts yet: every value is refused. */
const notTaken: FieldCheck = (_value, path) => [fail('fieldNotApplicable', path)];

/** The check for each type in spec 2.4, in the lev standard. It returns the violations in a value that is present, with their paths. */
export const fieldTypeChecks: Readonly<Record<FieldType, FieldCheck>> = {
  Max35Text: maxText(35),
  Max70Text: maxText(70),
  Max140Text: maxText(140),
  DebtorAccount: ibanReferenceFailures,
  CreditorAccount: creditorAccount,
  Amount: amount,
  BICFI: (value, path) => unless(isBic(value), path, 'Send a BIC of 8 or 11 characters in capital letters.'),
  Address: addressCheck(levAddress),
  PurposeCode: (value, path) => unless(isCodeIn(budgetPurposes, value), path, 'Send GOVT.'),
  ChargeBearerCode: (value, path, { product }) => oneOf(chargeBearersByProduct[product], value, path),
  ServiceLevelCode: (value, path, { product }) => oneOf(serviceLevelsByProduct[product], value, path),
  BudgetPaymentDetails: budgetDetailsCheck(levBudgetLayout),
  ISODate: (value, path) => unless(isIsoDate(value), path, 'Send a valid date as YYYY-MM-DD.'),
  ISODateTime: notTaken,
  CurrencyCode: notTaken,
  Max140TextArray: notTaken,
  Remittance: notTaken,
};
