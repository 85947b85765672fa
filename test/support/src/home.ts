import { formatAmount, parseAmount } from '@xs2a/domain/money/money';
import { levToEuro } from '@xs2a/domain/money/lev-conversion';
import type { ProfileName } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';

/** The profile of the sandboxes that a run of the suite tests: `sandbox`, unless `npm test -- e2e-euro` names one. */
export const testedProfile = (process.env.XS2A_TESTED_PROFILE ?? 'sandbox') as ProfileName;
/** Its rules. */
export const testedRules = makeProfile(testedProfile);
const isEuro = testedRules.standard === 'euro';
/** The production profile of the same standard. */
export const productionProfile: ProfileName = isEuro ? 'bg-euro-production' : 'production';

/** The currency of the fixtures and of new accounts. */
export const homeCurrency = isEuro ? 'EUR' : 'BGN';
/** The product of {@link domesticPayment}, as it is spelt in links. */
export const domesticProduct = isEuro ? 'SEPA-Credit-Transfer' : 'domestic-credit-transfer-BGN';
export const budgetProduct = `domestic-budget-transfer-${homeCurrency}` as const;
/** The service level of {@link domesticPayment}. */
export const domesticService = isEuro ? 'SEPA' : 'NURG';
/** Another product than that of {@link domesticPayment}. */
export const otherProduct = isEuro ? 'cross-border-credit-transfer' : 'SEPA-Credit-Transfer';
/** A currency that {@link domesticPayment} does not take. */
export const otherCurrency = isEuro ? 'BGN' : 'EUR';
/** Accounts of the fixtures that are not in the home currency. */
export const accountsInOtherCurrencies: readonly string[] = isEuro ? [] : ['BG50XSBK92001400000003'];

/** The largest amount that {@link domesticPayment} takes. */
export const largestAmount = isEuro ? '999999999.99' : '9999999999.99';
/** The greatest lengths of the texts that are longer in one of the two standards. */
export const longestTexts = isEuro
  ? { buildingNumber: 16, townName: 35, postCode: 16, budgetText: 127 }
  : { buildingNumber: 70, townName: 70, postCode: 70, budgetText: 140 };

/** Returns an amount of the fixtures, which are in leva, as this bank has it. */
export const fixtureAmount = (leva: string): string => {
  const parsed = parseAmount(leva, 'BGN');
  if (!('minor' in parsed)) throw new Error(`${leva} is no amount`);
  return isEuro ? formatAmount({ minor: levToEuro(parsed.minor), currency: 'EUR' }) : leva;
};
/** Returns an amount with two decimal places that is one minor unit higher. */
export const plusOne = (amount: string): string => (Math.round(Number(amount) * 100 + 1) / 100).toFixed(2);
