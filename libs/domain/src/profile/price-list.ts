import { isJsonObject, type JsonObject, getMember } from '../form/form-checks.js';
import { findCurrency } from '../money/currencies.js';
import { type ExchangeRate, type ExchangeRates, parseMillionths } from '../money/exchange.js';
import { parseAmount } from '../money/money.js';
import {
  type ChargeBearer,
  chargeBearersByProduct,
  type ServiceLevel,
  serviceLevelsByProduct,
} from '../payment/fields/code-tables.js';
import type { PaymentProduct } from '../payment/payment-products.js';
import type { FeeRow } from '../payment/pricing/tariff.js';

/** The prices of a profile: the exchange rate table, and the tariff in the home currency. */
export interface PriceList {
  /** If absent, there is no currency conversion and there are no fees. */
  readonly exchangeRates?: ExchangeRates;
  /** The first matching row applies. If none matches, the payment is free of charge. */
  readonly fees: readonly FeeRow[];
}

export const priceFields = ['homeCurrency', 'exchangeRates', 'fees'] as const;

const wrong = (field: string, expected: string): Error =>
  new Error(`Profile field "${field}" must be ${expected}.`);

const noneBut = (json: JsonObject, known: readonly string[], field: string): void => {
  const other = Object.keys(json).find((name) => !known.includes(name));
  if (other !== undefined) throw wrong(`${field}.${other}`, `absent; known fields are ${known.join(', ')}`);
};

function parseRates(json: JsonObject, homeCurrency: string): ExchangeRates {
  const listed = getMember(json, 'exchangeRates');
  if (!isJsonObject(listed)) throw wrong('exchangeRates', 'an object of currencies with buy and sell');
  const rates = Object.entries(listed).map(([currency, row]): [string, ExchangeRate] => {
    const field = `exchangeRates.${currency}`;
    if (findCurrency(currency) === undefined || currency === homeCurrency)
      throw wrong(field, 'a currency of spec 1.6 other than the home currency');
    if (!isJsonObject(row)) throw wrong(field, 'an object with buy and sell');
    noneBut(row, ['buy', 'sell'], field);
    const [buy, sell] = [parseMillionths(getMember(row, 'buy')), parseMillionths(getMember(row, 'sell'))];
    if (!buy || !sell || sell < buy)
      throw wrong(
        field,
        'buy and sell as decimal text with up to six decimals, above zero, with buy at most sell',
      );
    return [currency, { buy, sell }];
  });
  return { homeCurrency, rates: new Map(rates) };
}

const feeFields = ['product', 'serviceLevel', 'chargeBearer', 'fixed', 'percent', 'least', 'most'] as const;

function oneOf<T extends string>(
  row: JsonObject,
  name: string,
  allowed: readonly T[],
  field: string,
): T | undefined {
  const value = getMember(row, name);
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw wrong(`${field}.${name}`, `one of ${allowed.join(', ')}`);
  return found;
}

function parseMoney(row: JsonObject, name: string, currency: string, field: string): number | undefined {
  const value = getMember(row, name);
  if (value === undefined) return undefined;
  if (value === '0.00') return 0;
  const parsed = parseAmount(value, currency);
  if ('reason' in parsed) throw wrong(`${field}.${name}`, 'an amount of the home currency such as "0.80"');
  return parsed.minor;
}

/** Parses a percentage with up to four decimals into millionths of the whole: "0.15" is 1,500. */
function parseShare(row: JsonObject, field: string): number | undefined {
  const value = getMember(row, 'percent');
  if (value === undefined) return undefined;
  const percent = parseMillionths(value);
  if (percent === undefined || percent % 100 !== 0 || percent > 100_000_000)
    throw wrong(`${field}.percent`, 'decimal text up to 100 with at most four decimals');
  return percent / 100;
}

function parseFeeRow(
  row: unknown,
  index: number,
  currency: string,
  products: readonly PaymentProduct[],
): FeeRow {
  const field = `fees.${index}`;
  if (!isJsonObject(row)) throw wrong(field, 'an object');
  noneBut(row, feeFields, field);
  const product: PaymentProduct | undefined = oneOf(row, 'product', products, field);
  if (product === undefined) throw wrong(`${field}.product`, `one of ${products.join(', ')}`);
  const serviceLevel: ServiceLevel | undefined = oneOf(
    row,
    'serviceLevel',
    serviceLevelsByProduct[product],
    field,
  );
  const chargeBearer: ChargeBearer | undefined = oneOf(
    row,
    'chargeBearer',
    chargeBearersByProduct[product],
    field,
  );
  const fixed = parseMoney(row, 'fixed', currency, field);
  const share = parseShare(row, field);
  const [least, most] = [parseMoney(row, 'least', currency, field), parseMoney(row, 'most', currency, field)];
  if (fixed === undefined) throw wrong(`${field}.fixed`, 'an amount of the home currency such as "0.80"');
  if (least !== undefined && most !== undefined && most < least)
    throw wrong(`${field}.most`, 'no lower than least');
  return {
    product,
    fixed,
    serviceLevel,
    chargeBearer,
    share,
    least,
    most,
  };
}

/**
 * Parses the prices of a profile (spec 1.8, contract 8). A profile without `homeCurrency` has no prices. `products`:
 * those of its standard.
 * @throws Error that names the first invalid field and the value required.
 */
export function parsePriceList(json: JsonObject, products: readonly PaymentProduct[]): PriceList {
  const homeCurrency = getMember(json, 'homeCurrency');
  if (homeCurrency === undefined) {
    const lonely = priceFields.find((field) => getMember(json, field) !== undefined);
    if (lonely !== undefined) throw wrong('homeCurrency', `present when ${lonely} is`);
    return { fees: [] };
  }
  if (typeof homeCurrency !== 'string' || findCurrency(homeCurrency) === undefined)
    throw wrong('homeCurrency', 'a currency code of spec 1.6');
  const rows = getMember(json, 'fees');
  if (!Array.isArray(rows)) throw wrong('fees', 'a list');
  return {
    exchangeRates: parseRates(json, homeCurrency),
    fees: rows.map((row: unknown, index) => parseFeeRow(row, index, homeCurrency, products)),
  };
}
