import { type Failure, fail } from '../failure/failures.js';
import type { PaymentOrder } from '../payment/payment-events.js';
import { canExchange, getDebit } from '../payment/pricing/price-order.js';
import type { Profile } from '../profile/profile.js';

/** The account facts that the rules need from the bank. */
export interface AccountFacts {
  readonly iban: string;
  readonly currency: string;
  /** ISO 20022 cash account type, for example CACC (current) or SVGS (savings). */
  readonly type: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  /** True if the owner has internet banking. */
  readonly internetBanking: boolean;
  /** The number of signers required for a payment from the account. */
  readonly signaturesRequired: number;
  /** Present only for a corporate account, which is controlled by the corporate's signers. */
  readonly corporateId?: string;
  /** The PSU who owns the account. Absent for a corporate account, or when the bank does not provide the owner. */
  readonly ownerPsuId?: string;
}

/** The debtor account, as seen by the PSU who wants to pay. `account` is absent if the account is not at this bank. */
export interface DebtorFacts {
  readonly account?: AccountFacts;
  readonly ownedByPsu: boolean;
}

/**
 * True if the order is in the account's currency or in one that the bank can convert. Once the order has been
 * priced, true only if the price is in the account's currency.
 */
const canBeDebited = (
  currency: string,
  order: Pick<PaymentOrder, 'amount' | 'debit'>,
  profile: Pick<Profile, 'exchangeRates'>,
): boolean =>
  currency === getDebit(order).currency ||
  (order.debit === undefined && canExchange(order, currency, profile));

/**
 * True if the account has enough signers; more than one required signature is allowed only with multilevel SCA
 * (spec 1.7).
 */
const canBeSigned = (
  { signaturesRequired }: Pick<AccountFacts, 'signaturesRequired'>,
  { offers }: Pick<Profile, 'offers'>,
): boolean => signaturesRequired === 1 || offers.includes('multilevel-sca');

/** The failure of every debtor account that cannot be used. */
export const unusableDebtorAccount = (namedCurrency: string | undefined): Failure =>
  fail('debtorAccountUnusable', 'debtorAccount', namedCurrency === undefined ? undefined : textWithCurrency);

const textWithCurrency =
  'No payment can be made from a debtor account with this IBAN and currency. Leave out the currency, or use another open current account with internet banking.';

/**
 * Returns why the order cannot be paid from the account (spec 1.1, 1.5; contract 3), or undefined if it can. Every
 * cause returns the same failure, so that a TPP cannot probe which accounts exist. `namedCurrency`: the account
 * currency that the TPP named, if any; its text then names this cause too, whatever the cause is.
 */
export function debtorAccountFailure(
  facts: AccountFacts | undefined,
  order: Pick<PaymentOrder, 'debtorIban' | 'amount' | 'debit'>,
  profile: Pick<Profile, 'currencies' | 'exchangeRates' | 'offers'>,
  namedCurrency?: string,
): Failure | undefined {
  const isUsable =
    facts !== undefined &&
    facts.iban === order.debtorIban &&
    (namedCurrency === undefined || facts.currency === namedCurrency) &&
    facts.status === 'enabled' &&
    facts.type === 'CACC' &&
    facts.internetBanking &&
    canBeSigned(facts, profile) &&
    canBeDebited(facts.currency, order, profile) &&
    profile.currencies.includes(facts.currency);
  return isUsable ? undefined : unusableDebtorAccount(namedCurrency);
}
