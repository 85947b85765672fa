import { describe, expect, it } from '@jest/globals';
import { addTotals, type VolumeRow, volumeText } from './volume.js';

const product = 'SEPA-Credit-Transfer';
const row = (day: string, currency: string, outcome: string, payments: number, minor: string): VolumeRow => ({
  day,
  product,
  currency,
  outcome,
  payments,
  minor,
});
const query = { from: '2026-01-30', to: '2026-01-31' };

describe('the payment volume', () => {
  it('is totalled exactly, by currency and outcome, across days and products', () => {
    expect(
      addTotals([
        row('2026-01-30', 'EUR', 'signed', 2, '9007199254740991'),
        row('2026-01-30', 'JPY', 'signed', 1, '1200'),
        row('2026-01-31', 'EUR', 'cancelled', 1, '5'),
        row('2026-01-31', 'EUR', 'signed', 3, '9007199254740991'),
      ]),
    ).toEqual([
      { currency: 'EUR', outcome: 'cancelled', payments: 1, amount: '0.05' },
      { currency: 'EUR', outcome: 'signed', payments: 5, amount: '180143985094819.82' },
      { currency: 'JPY', outcome: 'signed', payments: 1, amount: '1200' },
    ]);
  });

  it('is shown as right-aligned amounts with the decimal places of their currency', () => {
    const lines = [
      { day: '2026-01-30', product, currency: 'EUR', outcome: 'signed', payments: 12, amount: '1000.50' },
      { day: '2026-01-31', product, currency: 'JPY', outcome: 'signed', payments: 1, amount: '12' },
    ];
    expect(volumeText({ ...query, lines, totals: lines, behind: 1 }).split('\n')).toEqual([
      'day         product               currency  outcome  payments   amount',
      '2026-01-30  SEPA-Credit-Transfer  EUR       signed         12  1000.50',
      '2026-01-31  SEPA-Credit-Transfer  JPY       signed          1       12',
      '',
      'total, 2026-01-30 to 2026-01-31',
      'currency  outcome  payments   amount',
      'EUR       signed         12  1000.50',
      'JPY       signed          1       12',
      'The read model is 1 event behind the log.',
    ]);
  });

  it('is shown as a sentence if there are no payments', () => {
    const none = { lines: [], totals: [], behind: 0 };
    expect(volumeText({ ...query, ...none })).toBe('No payments: 2026-01-30 to 2026-01-31.');
    expect(volumeText({ ...query, product, ...none })).toBe(
      'No payments: SEPA-Credit-Transfer, 2026-01-30 to 2026-01-31.',
    );
  });
});
