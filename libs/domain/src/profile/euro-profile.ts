import { type FeeRow, tariffRow } from '../payment/pricing/tariff.js';
import type { PriceList } from './price-list.js';

const wrong = (field: string, expected: string): Error =>
  new Error(`Profile field "${field}" must be ${expected}.`);

/** The largest amount of a SEPA credit transfer in cents (contract E2.4). */
const largest = 99_999_999_999n;
const millionths = 1_000_000n;

/** The fee of a row in millionths of a cent, before rounding, for an amount in cents. */
function feeBeforeRounding(row: FeeRow | undefined, amount: bigint): bigint {
  if (row === undefined) return 0n;
  const { fixed, share = 0, least = 0, most = Number.MAX_SAFE_INTEGER } = row;
  const fee = BigInt(fixed) * millionths + BigInt(share) * amount;
  const [low, high] = [BigInt(least) * millionths, BigInt(most) * millionths];
  return fee < low ? low : fee > high ? high : fee;
}

/** The amounts next to which the fee of a row starts or stops to grow. */
const turningPoints = ({ fixed, share = 0, least, most }: FeeRow): bigint[] =>
  share === 0
    ? []
    : [least, most].flatMap((limit) => {
        if (limit === undefined || limit < fixed) return [];
        const at = ((BigInt(limit) - BigInt(fixed)) * millionths) / BigInt(share);
        return [at, at + 1n];
      });

/**
 * True if an instant transfer costs more than a SEPA transfer of the same amount. Fees grow in straight lines, so the
 * difference is largest at an end of one of them.
 */
function isInstantDearer(fees: readonly FeeRow[]): boolean {
  const [instant, sepa] = (['instant-SEPA-credit-transfer', 'SEPA-Credit-Transfer'] as const).map((product) =>
    tariffRow({ product, serviceLevel: 'SEPA', chargeBearer: 'SLEV' }, fees),
  );
  return [instant, sepa]
    .flatMap((row) => (row === undefined ? [] : turningPoints(row)))
    .concat(1n, largest)
    .filter((amount) => amount >= 1n && amount <= largest)
    .some((amount) => feeBeforeRounding(instant, amount) > feeBeforeRounding(sepa, amount));
}

/**
 * Validates what a profile of the euro standard must not contain (contract E1.7): the lev, and a higher fee for instant
 * transfers than for SEPA transfers (Regulation (EU) 260/2012, article 5b).
 * @throws Error that names the first invalid field.
 */
export function refuseLev({
  currencies,
  exchangeRates,
  fees,
}: PriceList & { readonly currencies: readonly string[] }): void {
  if (currencies.includes('BGN')) throw wrong('currencies', 'a list without BGN, which ended');
  if (exchangeRates !== undefined && exchangeRates.homeCurrency !== 'EUR')
    throw wrong('homeCurrency', 'EUR, in which fees are charged');
  if (exchangeRates?.rates.has('BGN') === true) throw wrong('exchangeRates.BGN', 'absent: BGN ended');
  if (isInstantDearer(fees))
    throw wrong('fees', 'no higher for instant-SEPA-credit-transfer than for SEPA-Credit-Transfer');
}
