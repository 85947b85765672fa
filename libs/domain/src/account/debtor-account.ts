import { type Failure, fail } from '../failure/failures.js';
import type { PaymentOrder } from '../payment/payment-events.js';
import { canExchange, getDebit } from '../payment/pricing/price-order.js';
import type { Profile } from '../profile/profile.js';

/** Facts about an account that a rule may need from the bank. */
export interface AccountFacts {
  readonly iban: string;
  readonly currency: string;
  /** ISO 20022 cash account type: CACC current, SVGS savings … */
  readonly type: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  /** True if the owner has internet banking. */
  readonly internetBanking: boolean;
  /** The number of persons who must sign a payment from the account. */
  readonly signaturesRequired: number;
  /** Present when the account belongs to a corporate; its signers control the account. */
  readonly corporateId?: string;
  /** The person who owns the account; absent for a corporate account, or when the bank does not provide it. */
  readonly ownerPsuId?: string;
}

/** The debtor account, as seen by the PSU who wants to pay. `account` is absent if this bank does not hold it. */
export interface DebtorFacts {
  readonly account?: AccountFacts;
  readonly ownedByPsu: boolean;
}

/**
 * True if the order is in the account's currency or one that the bank can convert; once priced, only if the price
 * is in the account's currency.
 */
const canBeDebited = (
  currency: string,
  order: Pick<PaymentOrder, 'amount' | 'debit'>,
  profile: Pick<Profile, 'exchangeRates'>,
): boolean =>
  currency === getDebit(order).currency ||
  (order.debit === undefined && canExchange(order, currency, profile));

/** True if enough persons can sign for the account; more than one only with multilevel SCA (spec 1.7). */
const canBeSigned = (
  { signaturesRequired }: Pick<AccountFacts, 'signaturesRequired'>,
  { offers }: Pick<Profile, 'offers'>,
): boolean => signaturesRequired === 1 || offers.includes('multilevel-sca');

/**
 * Why the order cannot be paid from the account (spec 1.1, 1.5; contract 3); undefined if it can. Every cause
 * returns the same failure, so that a TPP cannot probe which accounts exist. `namedCurrency`: the account currency
 * that the TPP named, if any.
 */
export function debtorAccountFailure(
  facts: AccountFacts | undefined,
  order: Pick<PaymentOrder, 'debtorIban' | 'amount' | 'debit'>,
  profile: Pick<Profile, 'currencies' | 'exchangeRates' | 'offers'>,
  namedCurrency = facts?.currency,
): Failure | undefined {
  const isUsable =
    facts !== undefined &&
    facts.iban === order.debtorIban &&
    facts.currency === namedCurrency &&
    facts.status === 'enabled' &&
    facts.type === 'CACC' &&
    facts.internetBanking &&
    canBeSigned(facts, profile) &&
    canBeDebited(facts.currency, order, profile) &&
    profile.currencies.includes(facts.currency);
  return isUsable ? undefined : fail('debtorAccountUnusable', 'debtorAccount');
}
