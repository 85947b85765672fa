import { type Failure, fail } from '@xs2a/domain/failure/failures';
import {
  ibanReferenceFailures,
  isJsonObject,
  type JsonObject,
  getMember,
  unknownMembers,
} from '@xs2a/domain/form/form-checks';
import { parseAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { isMaxText } from '@xs2a/domain/text/text';
import type { Checked } from '../accounts/account-query.js';

/**
 * A funds confirmation request (contract 7). Without an IBAN, it applies to the PSU's main account in that
 * currency.
 */
export interface FundsRequest {
  readonly iban?: string;
  /** The currency in the account reference. */
  readonly accountCurrency?: string;
  readonly amount: MinorAmount;
}

const fields = ['cardNumber', 'account', 'payee', 'instructedAmount'] as const;

const textFailures = (value: unknown, path: string, max: number): Failure[] =>
  value === undefined || isMaxText(value, max)
    ? []
    : [
        fail(
          'fieldMalformed',
          path,
          `Send 1 to ${max} characters, at least one of them visible, without control or format characters.`,
        ),
      ];

const parseFundsAmount = (
  value: unknown,
): { readonly amount?: MinorAmount; readonly failures: readonly Failure[] } => {
  const path = 'instructedAmount';
  if (value === undefined) return { failures: [fail('fieldMissing', path)] };
  if (!isJsonObject(value))
    return { failures: [fail('fieldMalformed', path, 'Send an object with currency and amount.')] };
  const missing = (['currency', 'amount'] as const).filter((name) => getMember(value, name) === undefined);
  const parsed = parseAmount(getMember(value, 'amount'), getMember(value, 'currency'));
  const wrong =
    'reason' in parsed && !missing.includes(parsed.field)
      ? [fail('fieldMalformed', `${path}.${parsed.field}`, parsed.reason)]
      : [];
  const failures = [
    ...missing.map((name) => fail('fieldMissing', `${path}.${name}`)),
    ...wrong,
    ...unknownMembers(value, ['currency', 'amount'], path),
  ];
  return 'reason' in parsed ? { failures } : { amount: parsed, failures };
};

/**
 * Parses the body of POST /funds-confirmations. Reports all violations together, in the field order of the Berlin
 * Group.
 */
export const readFundsRequest = (body: JsonObject): Checked<FundsRequest> => {
  const account = getMember(body, 'account');
  const { amount, failures: ofAmount } = parseFundsAmount(getMember(body, 'instructedAmount'));
  const failures = [
    ...textFailures(getMember(body, 'cardNumber'), 'cardNumber', 35),
    ...(account === undefined ? [] : ibanReferenceFailures(account, 'account')),
    ...textFailures(getMember(body, 'payee'), 'payee', 70),
    ...ofAmount,
    ...unknownMembers(body, fields, ''),
  ];
  if (failures.length > 0 || amount === undefined) return { failures };
  const ofAccount = (name: string): unknown => (isJsonObject(account) ? getMember(account, name) : undefined);
  const [iban, accountCurrency] = [ofAccount('iban'), ofAccount('currency')];
  return {
    value: {
      amount,
      iban: typeof iban === 'string' ? iban : undefined,
      accountCurrency: typeof accountCurrency === 'string' ? accountCurrency : undefined,
    },
  };
};
