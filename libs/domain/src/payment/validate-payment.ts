import { type Failure, fail } from '../failure/failures.js';
import { isJsonObject, type JsonObject, memberOf, unknownMembers } from '../form/form-checks.js';
import { parseAmount } from '../money/money.js';
import type { Profile } from '../profile/profile.js';
import { creditorIdentification, paymentConditions, type Submission } from './payment-conditions.js';
import type { PaymentOrder } from './payment-events.js';
import { type PaymentField, paymentFields } from './payment-fields.js';
import { fieldTypeChecks } from './payment-field-types.js';
import type { PaymentProduct, PaymentType } from './payment-products.js';
import { paymentTypeOf, productFor, typeOfProduct } from './payment-type.js';

/**
 * The input of the rules besides the body. `today` is the bank's ISO date, `ownBankCode` its four letters in IBANs.
 */
export interface PaymentRules {
  readonly profile: Profile;
  readonly today: string;
  readonly ownBankCode: string;
}

export interface ValidPayment {
  readonly order: PaymentOrder;
  readonly paymentType: PaymentType;
  readonly requestedExecutionDate?: string;
  /** The currency that the TPP says the debtor account has. */
  readonly debtorCurrency?: string;
}

function fieldFailures(field: PaymentField, submission: Submission): Failure[] {
  const value = memberOf(submission.body, field.path);
  const rule = field.rules[submission.product];
  if (value === undefined) {
    return rule === 'mandatory' ? [fail('fieldMissing', field.path)] : conditionFailures(field, submission);
  }
  if (rule === 'n.a.') return [fail('fieldNotApplicable', field.path)];
  const wrong = fieldTypeChecks[field.type](value, field.path, submission.product);
  return wrong.length > 0 ? wrong : conditionFailures(field, submission);
}

const conditionFailures = (field: PaymentField, submission: Submission): Failure[] =>
  paymentConditions[field.path]?.(submission) ?? [];

const paths = paymentFields.map(({ path }) => path);

/** The order that a body of right form makes; undefined when a part is missing, which the form checks rule out. */
function orderOf(body: JsonObject): PaymentOrder | undefined {
  const amount = memberOf(body, 'instructedAmount');
  const debtor = memberOf(body, 'debtorAccount');
  const { iban, other } = creditorIdentification(body);
  const creditorAccount = iban ?? other;
  const creditorName = memberOf(body, 'creditorName');
  const remittance = memberOf(body, 'remittanceInformationUnstructured');
  const endToEndId = memberOf(body, 'endToEndIdentification');
  if (!isJsonObject(amount) || !isJsonObject(debtor)) return undefined;
  const parsed = parseAmount(memberOf(amount, 'amount'), memberOf(amount, 'currency'));
  const debtorIban = memberOf(debtor, 'iban');
  if ('reason' in parsed || typeof debtorIban !== 'string' || creditorAccount === undefined) return undefined;
  if (typeof creditorName !== 'string' || typeof remittance !== 'string') return undefined;
  return {
    amount: parsed,
    debtorIban,
    creditorAccount,
    creditorName,
    remittance,
    ...(typeof endToEndId === 'string' ? { endToEndId } : {}),
  };
}

/** The first of the stages after the form that fails (contract 3: currency, type, execution date, accounts). */
function ruleFailure(
  product: PaymentProduct,
  { order, paymentType, requestedExecutionDate }: ValidPayment,
  { profile, today }: PaymentRules,
): Failure | undefined {
  if (!profile.currencies.includes(order.amount.currency)) {
    const text = `Payments in this currency are not supported. Supported: ${profile.currencies.join(', ')}.`;
    return fail('currencyNotSupported', 'instructedAmount.currency', text);
  }
  if (paymentType !== typeOfProduct[product]) {
    const fitting = productFor[paymentType];
    return fail(
      'productWrong',
      undefined,
      `These details do not make this type of payment. Use the product ${fitting}.`,
    );
  }
  if (requestedExecutionDate !== undefined && requestedExecutionDate < today) {
    return fail('executionDateInvalid', 'requestedExecutionDate');
  }
  if (order.debtorIban === order.creditorAccount) return fail('sameAccount', 'creditorAccount');
  return undefined;
}

/**
 * Judges the body of a single payment for a product (spec 2.4, contract 3 and 8). All violations of form are told
 * together, in the order of the field table; the later stages only when the form is right, and then the first that fails.
 */
export function validatePayment(
  product: PaymentProduct,
  body: unknown,
  rules: PaymentRules,
): { readonly valid: ValidPayment } | { readonly failures: Failure[] } {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const submission = { product, body, ownBankCode: rules.ownBankCode, eea: rules.profile.eea };
  const failures = [
    ...paymentFields.flatMap((field) => fieldFailures(field, submission)),
    ...unknownMembers(body, paths, ''),
  ];
  if (failures.length > 0) return { failures };
  const order = orderOf(body);
  if (order === undefined) return { failures: [fail('bodyNotJson')] };
  const date = memberOf(body, 'requestedExecutionDate');
  const agent = memberOf(body, 'creditorAgent');
  const debtor = memberOf(body, 'debtorAccount');
  const debtorCurrency = isJsonObject(debtor) ? memberOf(debtor, 'currency') : undefined;
  const valid: ValidPayment = {
    order,
    paymentType: paymentTypeOf(order, typeof agent === 'string' ? agent : undefined, rules.profile.sepa),
    ...(typeof date === 'string' ? { requestedExecutionDate: date } : {}),
    ...(typeof debtorCurrency === 'string' ? { debtorCurrency } : {}),
  };
  const failure = ruleFailure(product, valid, rules);
  return failure === undefined ? { valid } : { failures: [failure] };
}
