import { describe, expect, it } from '@jest/globals';
import { markets } from '../bank/market.js';
import { orderBody, orderField, readOrder } from './order-form.js';

const filled = (changes: Readonly<Record<string, string>> = {}, months: readonly string[] = []) => {
  const form = new URLSearchParams({
    debtorIban: 'bg25 xsbk 9200 1000 0000 01',
    amount: '12.50',
    creditorName: 'Petar Ivanov',
    creditorIban: 'BG26RZBB91551023456789',
    remittance: 'Rent',
    startDate: '2027-01-31',
    frequency: 'Monthly',
    end: 'none',
    endDate: '2027-12-31',
    numberOfPayments: '5',
    weekend: 'none',
    ...changes,
  });
  for (const month of months) form.append('months', month);
  return orderBody(readOrder(form), markets.BGN);
};

describe('the body of a standing order (contract 9)', () => {
  it('contains only the fields that were filled in, and only the chosen end condition', () => {
    const minimal = filled();
    expect(minimal).toEqual({
      debtorAccount: { iban: 'BG25XSBK92001000000001' },
      instructedAmount: { amount: '12.50', currency: 'BGN' },
      creditorAccount: { iban: 'BG26RZBB91551023456789' },
      creditorName: 'Petar Ivanov',
      remittanceInformationUnstructured: 'Rent',
      serviceLevel: 'NURG',
      startDate: '2027-01-31',
      frequency: 'Monthly',
    });
    expect(filled({ end: 'day' })).toEqual({ ...minimal, endDate: '2027-12-31' });
    expect(filled({ end: 'number' })).toEqual({ ...minimal, numberOfPayments: 5 });
    const schedule = { frequency: 'MonthlyVariable', dayOfExecution: '31', weekend: 'preceding' };
    expect(filled(schedule, ['1', '7'])).toEqual({
      ...minimal,
      frequency: 'MonthlyVariable',
      dayOfExecution: '31',
      monthsOfExecution: ['1', '7'],
      executionRule: 'preceding',
    });
  });

  it('replaces an invalid choice with the form’s first option', () => {
    expect(filled({ frequency: 'Hourly', end: 'never', weekend: 'constructor' })).toEqual(filled());
  });

  it('maps a path in the bank’s response to its field', () => {
    const paths = ['monthsOfExecution[2]', 'instructedAmount.amount', 'executionRule', 'constructor'];
    expect(paths.map(orderField)).toEqual(['months', 'amount', 'weekend', undefined]);
  });
});
