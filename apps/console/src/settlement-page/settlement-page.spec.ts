import { describe, expect, it } from '@jest/globals';
import type { QueuedPayment } from '@xs2a/contracts/payments.contract';
import { handedOver } from '../actions/settlement-outcomes.js';
import { lateInstantTable } from './late-instants.js';
import { queueTable } from './settlement-page.js';

const at = '2026-11-28T01:37:34.000Z';
const queued = (changes: Partial<QueuedPayment>): string => {
  const payment: QueuedPayment = {
    paymentId: '01a21fcc-0444-75ca-ae73-a3de946a6b48',
    tppId: 'sandbox-tpp',
    service: 'payments',
    status: 'ACCP',
    state: 'later',
    dueAt: '2026-11-28T01:42:34.000Z',
    ...changes,
  };
  return queueTable({ at, unfinished: [], later: 1, payments: [payment] }, (tppId) => `Shop (${tppId})`).text;
};

it('a payment that waits for settlement shows its TPP by name and client id', () => {
  expect(queued({})).toContain('Shop (sandbox-tpp)');
});

describe('a settled payment whose pending entry is booked later', () => {
  it('is not shown as one that waits to be settled', () => {
    expect(queued({ status: 'ACSC' })).toContain('>settled, books later<');
    expect(queued({})).toContain('>later<');
    expect(queued({ status: 'ACSC', service: 'periodic-payments' })).toContain('>later<');
    expect(queued({ status: 'ACSC', state: 'overdue' })).toContain('>overdue<');
  });

  it('is not called due when it is handed to settlement again', () => {
    const answer = {
      repaired: false,
      dueAt: '2026-11-28T01:42:34.218Z',
      isDue: false,
      waits: false,
    } as const;
    expect(handedOver({ ...answer, transactionStatus: 'ACSC' })).toEqual({
      isDone: false,
      sentence: 'It is settled; its pending entry is booked at 2026-11-28 01:42:34 UTC.',
    });
    expect(handedOver({ ...answer, transactionStatus: 'ACCP' })).toEqual({
      isDone: false,
      sentence: 'It is due at 2026-11-28 01:42:34 UTC.',
    });
  });
});

describe('instant payments that were confirmed after their rejection (contract E3.5)', () => {
  it('are listed with the moment and the amount, if it is known', () => {
    const paymentId = '01a21fcc-0444-75ca-ae73-a3de946a6b48';
    const amount = { minor: 2500, currency: 'EUR' };
    const listed = [
      { paymentId, number: null, confirmedAt: at, amount },
      { paymentId, number: 7, confirmedAt: at },
    ];
    const text = lateInstantTable(listed, false)?.text;
    expect(text).toContain(`<a href="/payments/${paymentId}">${paymentId}</a>`);
    expect(text).toContain('</a> #7<');
    expect(text).toContain('2026-11-28 01:37:34.000');
    expect(text?.match(/25\.00 EUR/g)).toHaveLength(1);
    expect(text).toContain('href="/runbooks/instant-answered-late"');
    expect(text).not.toContain('/settlement/late');
    const closable = lateInstantTable(listed, true)?.text;
    expect(closable).toContain(`href="/settlement/late/${paymentId}"`);
    expect(closable).toContain(`href="/settlement/late/${paymentId}%237"`);
  });

  it('are not mentioned if there are none', () => {
    expect(lateInstantTable([], true)).toBeUndefined();
  });
});
