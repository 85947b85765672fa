import { describe, expect, it } from '@jest/globals';
import * as tables from '@xs2a/domain/payment/fields/code-tables';
import { purposeCodes } from '@xs2a/domain/payment/fields/purpose-codes';
import { codesBg } from './codes-bg.js';
import { codesEn } from './codes-en.js';

describe.each([
  ['bg', codesBg],
  ['en', codesEn],
])('codes of spec 2.4 in words, %s', (_language, words) => {
  it('every code of every table has words of its own, and no other code has any', () => {
    const codesOf = (table: object): string[] => Object.keys(table).sort();
    expect(codesOf(words.serviceLevel)).toEqual(codesOf(tables.serviceLevels));
    expect(codesOf(words.chargeBearer)).toEqual(codesOf(tables.chargeBearers));
    expect(codesOf(words.reportType)).toEqual(codesOf(tables.regulatoryReportTypes));
    expect(codesOf(words.taxpayerType)).toEqual(codesOf(tables.taxpayerTypes));
    expect(codesOf(words.category)).toEqual(codesOf(tables.paymentCategories));
    expect(codesOf(words.purpose)).toEqual(purposeCodes.map(([code]) => code).sort());
    expect(new Set(Object.values(words.purpose)).size).toBe(81);
  });
});
