import { type Failure, fail } from '../failure/failures.js';
import type { PaymentOrder } from '../payment/payment-events.js';
import { canExchange, getDebit } from '../payment/pricing/price-order.js';
import type { Profile } from '../profile/profile.js';

/** Facts of an account that a rule may ask the bank for. */
export interface AccountFacts {
  readonly iban: string;
  readonly currency: string;
  /** ISO 20022 cash account type: CACC current, SVGS savings … */
  readonly type: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  /** Its owner has internet banking. */
  readonly internetBanking: boolean;
  /** The number of persons who must sign a payment from it. */
  readonly signaturesRequired: number;
  /** Present when it belongs to a corporate, whose signers dispose of it. */
  readonly corporateId?: string;
  /** The person who owns it; absent for a corporate's, or when the bank does not tell. */
  readonly ownerPsuId?: string;
}

/** The debtor account as seen from the PSU who wants to pay; no account: not one of this bank. */
export interface DebtorFacts {
  readonly account?: AccountFacts;
  readonly ownedByPsu: boolean;
}

/** In the account's own currency, or in one that the bank can change; once the price is set, in the currency of the price. */
const canBeDebited = (
  currency: string,
  order: Pick<PaymentOrder, 'amount' | 'debit'>,
  profile: Pick<Profile, 'exchangeRates'>,
): boolean =>
  currency === getDebit(order).currency ||
  (order.debit === undefined && canExchange(order, currency, profile));

/** True if as many persons as the account needs can sign for it: more than one only with multilevel SCA (spec 1.7). */
const canBeSigned = (
  { signaturesRequired }: Pick<AccountFacts, 'signaturesRequired'>,
  { offers }: Pick<Profile, 'offers'>,
): boolean => signaturesRequired === 1 || offers.includes('multilevel-sca');

/**
 * Can this order be paid from the account (spec 1.1, 1.5; contract 3)? One answer for every cause, so that a TPP cannot
 * probe which accounts exist. `namedCurrency`: what the TPP says the account's currency is, where it does.
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
