import { describe, expect, it } from '@jest/globals';
import * as tables from '@xs2a/domain/payment/fields/code-tables';
import { purposeCodes } from '@xs2a/domain/payment/fields/purpose-codes';
import { codesBg } from './codes-bg.js';
import { codesEn } from './codes-en.js';

describe.each([
  ['bg', codesBg],
  ['en', codesEn],
])('texts for the codes of spec 2.4, %s', (_language, words) => {
  it('cover every code of every table, and no other code', () => {
    const listCodes = (table: object): string[] => Object.keys(table).sort();
    expect(listCodes(words.serviceLevel)).toEqual(listCodes(tables.serviceLevels));
    expect(listCodes(words.chargeBearer)).toEqual(listCodes(tables.chargeBearers));
    expect(listCodes(words.reportType)).toEqual(listCodes(tables.regulatoryReportTypes));
    expect(listCodes(words.taxpayerType)).toEqual(listCodes(tables.euroTaxpayerTypes));
    expect(listCodes(words.category)).toEqual(listCodes(tables.paymentCategories));
    expect(listCodes(words.purpose)).toEqual(purposeCodes.map(([code]) => code).sort());
    expect(new Set(Object.values(words.purpose)).size).toBe(81);
  });
});
