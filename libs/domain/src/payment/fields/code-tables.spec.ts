import { describe, expect, it } from '@jest/globals';
import * as tables from './code-tables.js';
import { purposeCodes } from './purpose-codes.js';

describe('code tables of the national standard (spec 2.4)', () => {
  it.each<[string, tables.CodeTable, Readonly<Record<string, string>>]>([
    ['Purpose Code', tables.budgetPurposes, { GOVT: 'budget payment' }],
    [
      'Service Level Code',
      tables.serviceLevels,
      {
        SEPA: 'SEPA payment',
        URGP: 'RTGS',
        NURG: 'national clearing system',
        SDVA: 'same-day value',
        NEXT: 'next working day',
        SPOT: 'spot working day value',
      },
    ],
    [
      'Charge Bearer Code',
      tables.chargeBearers,
      { DEBT: 'the debtor', CRED: 'the creditor', SHAR: 'shared', SLEV: 'SEPA payments' },
    ],
    [
      'Regulatory Report Type',
      tables.regulatoryReportTypes,
      {
        1: 'declaration',
        2: 'inspection act',
        3: 'penalty decree',
        4: 'advance payment',
        5: 'batch property number',
        6: 'enforced collection order',
        9: 'others',
      },
    ],
    [
      'Tax Type Code',
      tables.taxpayerTypes,
      { EGN: 'personal id', EIK: 'corporate id', PNF: 'foreign person id' },
    ],
    [
      'paymentCategory',
      tables.paymentCategories,
      {
        110000: 'tax authority',
        551111: 'social security',
        561111: 'health insurance fund',
        581111: 'supplementary pension',
      },
    ],
  ])(
    'list exactly the values of %s in the specification, with the meanings as worded there',
    (_name, table, words) => {
      expect(Object.keys(table).sort()).toEqual(Object.keys(words).sort());
      for (const [code, meaning] of Object.entries(table)) {
        expect([code, meaning]).toEqual([code, expect.stringContaining(words[code] ?? code)]);
        expect([tables.isCodeIn(table, code), tables.isCodeIn(table, `${code} `)]).toEqual([true, false]);
      }
      for (const inherited of ['constructor', '__proto__', 'toString', '', 1, null])
        expect([inherited, tables.isCodeIn(table, inherited)]).toEqual([inherited, false]);
    },
  );

  it('contain the balance-of-payments purpose codes, each with its meaning', () => {
    expect(purposeCodes.map(([code]) => code).join(' ')).toBe(
      '101 201 202 203 281 282 291 292 293 310 350 401 402 403 411 412 421 422 431 432 439 441 449 450 461 462 ' +
        '471 472 473 474 475 476 479 481 489 491 492 499 510 520 530 540 550 560 610 621 629 631 632 633 634 635 ' +
        '641 711 712 721 722 731 732 741 742 743 744 811 812 821 822 831 832 841 842 891 892 900 901 902 903 904 ' +
        '907 908 950',
    );
    expect(new Set(purposeCodes.map(([, , meaning]) => meaning)).size).toBe(81);
  });

  it('list exactly the service levels and charge bearers that each product accepts (contract 8, E2.2)', () => {
    expect(tables.serviceLevelsByProduct).toEqual({
      'domestic-credit-transfer-BGN': ['NURG', 'URGP'],
      'domestic-budget-transfer-BGN': ['NURG', 'URGP'],
      'SEPA-Credit-Transfer': ['SEPA'],
      'cross-border-credit-transfer': ['SDVA', 'NEXT', 'SPOT', 'URGP'],
      'instant-SEPA-credit-transfer': ['SEPA'],
      'domestic-budget-transfer-EUR': ['SEPA'],
    });
    expect(tables.chargeBearersByProduct).toEqual({
      'domestic-credit-transfer-BGN': [],
      'domestic-budget-transfer-BGN': [],
      'SEPA-Credit-Transfer': ['SLEV'],
      'cross-border-credit-transfer': ['DEBT', 'CRED', 'SHAR'],
      'instant-SEPA-credit-transfer': ['SLEV'],
      'domestic-budget-transfer-EUR': ['SLEV'],
    });
  });
});
