import { describe, expect, it } from '@jest/globals';
import { levProducts } from '../payment/payment-products.js';
import { parsePriceList } from './price-list.js';

const prices = {
  homeCurrency: 'BGN',
  exchangeRates: { EUR: { buy: '1.95583', sell: '1.96' } },
  fees: [{ product: 'SEPA-Credit-Transfer', fixed: '0.80', percent: '0.15', least: '1.00', most: '2.00' }],
};
const row = (change: object) => ({ ...prices, fees: [{ ...prices.fees[0], ...change }] });
const rate = (currency: string, value: unknown) => ({ ...prices, exchangeRates: { [currency]: value } });

describe('the prices of a profile (spec 1.8)', () => {
  it('are parsed into rates in millionths and fees in minor units', () => {
    expect(parsePriceList(prices, levProducts)).toEqual({
      exchangeRates: { homeCurrency: 'BGN', rates: new Map([['EUR', { buy: 1_955_830, sell: 1_960_000 }]]) },
      fees: [{ product: 'SEPA-Credit-Transfer', fixed: 80, share: 1500, least: 100, most: 200 }],
    });
  });

  it('are optional', () => {
    expect(parsePriceList({}, levProducts)).toEqual({ fees: [] });
  });

  it.each<[string, Record<string, unknown>]>([
    ['homeCurrency', { fees: [] }],
    ['homeCurrency', { ...prices, homeCurrency: 'XXX' }],
    ['exchangeRates', { ...prices, exchangeRates: undefined }],
    ['exchangeRates.BGN', rate('BGN', { buy: '1', sell: '1' })],
    ['exchangeRates.XXX', rate('XXX', { buy: '1', sell: '1' })],
    ['exchangeRates.EUR', rate('EUR', { buy: '2', sell: '1' })],
    ['exchangeRates.EUR', rate('EUR', { buy: '0', sell: '1' })],
    ['exchangeRates.EUR', rate('EUR', { buy: 1, sell: 1 })],
    ['exchangeRates.EUR.mid', rate('EUR', { buy: '1', sell: '1', mid: '1' })],
    ['fees', { ...prices, fees: {} }],
    ['fees.0', { ...prices, fees: ['free'] }],
    ['fees.0.product', row({ product: 'SEPA' })],
    ['fees.0.serviceLevel', row({ serviceLevel: 'NURG' })],
    ['fees.0.chargeBearer', row({ chargeBearer: 'SHAR' })],
    ['fees.0.fixed', row({ fixed: undefined })],
    ['fees.0.fixed', row({ fixed: 0.8 })],
    ['fees.0.fixed', row({ fixed: '-1' })],
    ['fees.0.percent', row({ percent: '101' })],
    ['fees.0.percent', row({ percent: '0.00001' })],
    ['fees.0.most', row({ least: '3.00' })],
    ['fees.0.colour', row({ colour: 'x' })],
  ])('are refused with an error that names %s if it is invalid', (field, json) => {
    expect(() => parsePriceList(json, levProducts)).toThrow(`Profile field "${field}"`);
  });
});
