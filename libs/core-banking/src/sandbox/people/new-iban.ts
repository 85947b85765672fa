/**
 * Branch 9200 and account type 10. Position 13 of the IBAN is then 1, so that no new account looks like a budget
 * account (spec 2.4).
 */
const branchAndType = '920010';

/** Calculates the ISO 13616 check digits: 98 − (BBAN, country and 00 as a number) mod 97. */
const checkDigits = (country: string, bban: string): string => {
  let rest = 0;
  for (const character of `${bban}${country}00`) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return String(98 - rest).padStart(2, '0');
};

/** Builds a Bulgarian IBAN: bank code (four letters), branch and account type (six digits), account (eight digits). */
export const bulgarianIban = (bankCode: string, account: number, branch: string = branchAndType): string => {
  const bban = `${bankCode}${branch}${String(account).padStart(8, '0')}`;
  return `BG${checkDigits('BG', bban)}${bban}`;
};

/**
 * Generates the account number of a new IBAN. It is higher than those in the fixtures, which start at 1. `random`
 * is in [0, 1).
 */
export const freshAccountNumber = (random: number): number => 10_000_000 + Math.floor(random * 90_000_000);
