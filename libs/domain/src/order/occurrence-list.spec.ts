import { describe, expect, it } from '@jest/globals';
import type { PaymentEvent } from '../payment/payment-events.js';
import { listOccurrences, maxOccurrenceEvents } from './occurrence-list.js';

const planned = (number: number): PaymentEvent => ({
  type: 'transaction-planned',
  data: { number, executionDate: `2027-01-0${(number % 9) + 1}`, dueAt: '2027-01-01T00:00:00.000Z' },
});
const started = (number: number): PaymentEvent => ({
  type: 'transaction-started',
  data: { number, holdId: `h${number}`, transactionId: `t${number}`, bookAt: '2027-01-01T00:05:00.000Z' },
});
const settled = (number: number): PaymentEvent => ({
  type: 'transaction-settled',
  data: { number, postingId: `p${number}` },
});
const refused = (number: number): PaymentEvent => ({
  type: 'transaction-refused',
  data: { number, reason: 'insufficient-funds' },
});
const paid = (number: number): PaymentEvent[] => [planned(number), started(number), settled(number)];
const events = [...paid(1), planned(2), refused(2), planned(3), started(3), settled(3), planned(4)];

describe('the occurrences returned with an order (contract 9)', () => {
  it('stay ACTC until the order ends, and include the transactionId of the bank and whether funds were available', () => {
    expect(listOccurrences({ status: 'ACSP' }, events)).toEqual([
      {
        number: 1,
        executionDate: '2027-01-02',
        transactionId: 't1',
        transactionStatus: 'ACTC',
        fundsAvailable: true,
      },
      { number: 2, executionDate: '2027-01-03', transactionStatus: 'ACTC', fundsAvailable: false },
      {
        number: 3,
        executionDate: '2027-01-04',
        transactionId: 't3',
        transactionStatus: 'ACTC',
        fundsAvailable: true,
      },
      { number: 4, executionDate: '2027-01-05', transactionStatus: 'ACTC' },
    ]);
  });

  it.each(['ACSC', 'CANC'] as const)(
    'once the order is %s, are ACSC if booked and otherwise CANC',
    (status) => {
      expect(listOccurrences({ status }, events).map(({ transactionStatus }) => transactionStatus)).toEqual([
        'ACSC',
        'CANC',
        'ACSC',
        'CANC',
      ]);
    },
  );

  it('stay ACTC after cancellation until held funds are booked', () => {
    const held = listOccurrences({ status: 'CANC' }, [planned(1), started(1)]);
    expect(held).toMatchObject([{ transactionStatus: 'ACTC', fundsAvailable: true }]);
    expect(listOccurrences({ status: 'CANC' }, paid(1))).toMatchObject([{ transactionStatus: 'ACSC' }]);
  });

  it('include the latest 100 past ones and the next one', () => {
    const many = Array.from({ length: 150 }, (_, index) => paid(index + 1)).flat();
    const listed = listOccurrences({ status: 'ACSP' }, [...many, planned(151)].slice(-maxOccurrenceEvents));
    expect(listed.map(({ number }) => number)).toEqual(Array.from({ length: 101 }, (_, index) => index + 51));
  });
});
