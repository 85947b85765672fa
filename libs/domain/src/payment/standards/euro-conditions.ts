import { type Failure, fail } from '../../failure/failures.js';
import { isJsonObject, getMember } from '../../form/form-checks.js';
import { countDecimals } from '../../money/currencies.js';
import { parseAmount } from '../../money/money.js';
import { codePointLength } from '../../text/text.js';
import type { FieldCheck } from '../fields/field-check.js';
import { type Condition, creditorAccountCondition, paymentConditions } from '../fields/payment-conditions.js';
import { fieldTypeChecks } from '../fields/payment-field-types.js';
import { carriedIdentifier, identifierLength, needsTaxpayer } from './euro-budget.js';

const budgetProduct = 'domestic-budget-transfer-EUR';
const isBudget = (product: string): boolean => product === budgetProduct;

/** The largest amount of a SEPA credit transfer, in minor units of a currency with two decimals (contract E2.4). */
const largestTransfer = 99_999_999_999;

function amountFailures({ body, product }: Parameters<Condition>[0]): Failure[] {
  const amount = getMember(body, 'instructedAmount');
  if (product === 'cross-border-credit-transfer' || !isJsonObject(amount)) return [];
  const parsed = parseAmount(getMember(amount, 'amount'), getMember(amount, 'currency'));
  if ('reason' in parsed) return [];
  const largest = Math.floor(largestTransfer / 10 ** (2 - countDecimals(parsed.currency)));
  return parsed.minor <= largest
    ? []
    : [fail('fieldMalformed', 'instructedAmount.amount', 'Send at most 999999999.99 in one transfer.')];
}

/** The identifier and the text share the 140 characters of a transfer (contract E2.6). */
function textFailures({ body, product }: Parameters<Condition>[0]): Failure[] {
  const path = 'remittanceInformationUnstructured';
  if (!isBudget(product)) return [];
  const text = getMember(body, path);
  const identifier = carriedIdentifier(body);
  if (text === undefined) return identifier === undefined ? [fail('fieldMissing', path)] : [];
  const most = 140 - identifierLength;
  return identifier === undefined || typeof text !== 'string' || codePointLength(text) <= most
    ? []
    : [fail('fieldMalformed', path, `Send at most ${most} characters: taxpayerId takes the first 13.`)];
}

/** Conditions between fields in the euro standard (contract E2). */
export const euroConditions: Readonly<Record<string, Condition>> = {
  ...paymentConditions,
  creditorAccount: creditorAccountCondition(
    budgetProduct,
    'A budget account has an IBAN of Bulgaria with 8 or 3 at position 13. Pay another account by SEPA-Credit-Transfer or, outside SEPA, by cross-border-credit-transfer.',
  ),
  instructedAmount: amountFailures,
  remittanceInformationUnstructured: textFailures,
  budgetPaymentDetails: ({ body, product }) =>
    isBudget(product) && getMember(body, 'budgetPaymentDetails') === undefined && needsTaxpayer(body)
      ? [fail('fieldMissing', 'budgetPaymentDetails')]
      : [],
};

/** NURG and URGP name systems that carry no euro (contract E2.3). */
export const euroServiceLevel: FieldCheck = (value, path, submission) => {
  const isClosed = value === 'NURG' || value === 'URGP';
  return isClosed && submission.product !== 'cross-border-credit-transfer'
    ? [
        fail(
          'fieldMalformed',
          path,
          'Leave this field out: BISERA (NURG) and RINGS (URGP) carry no payments in euro.',
        ),
      ]
    : fieldTypeChecks.ServiceLevelCode(value, path, submission);
};
