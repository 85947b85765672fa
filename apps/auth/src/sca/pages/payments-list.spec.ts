import { makeProfile } from '@xs2a/domain/testing/profiles';
import { describe, expect, it } from '@jest/globals';
import { makeLook } from '../../testing/test-look.js';
import { approvalsPage } from './approvals-page.js';
import type { NamedPayment } from './payments-list.js';

const look = makeLook();
const payment: NamedPayment = {
  paymentId: 'a',
  service: 'payments',
  tppId: 'tpp',
  tppName: 'TPP',
  amount: { minor: 1250, currency: 'BGN' },
  creditorName: 'Petar',
  creditorAccount: 'BG26RZBB91551023456789',
  debtorIban: 'BG25XSBK92001000000001',
  remittance: 'Rent',
  numberOfPayments: 1,
  signedAt: '2026-11-20T10:00:00.000Z',
  executionDate: '2026-11-20',
  transactionStatus: 'ACCP',
  canBeStopped: false,
};
const order: NamedPayment = {
  ...payment,
  service: 'periodic-payments',
  schedule: { startDate: '2026-11-20', frequency: 'Weekly', numberOfPayments: 4 },
  nextExecutionDate: '2026-11-27',
  transactionStatus: 'ACSP',
  canBeStopped: true,
};
const bulk: NamedPayment = {
  ...payment,
  remittance: undefined,
  service: 'bulk-payments',
  amount: { minor: 5000, currency: 'BGN' },
  numberOfPayments: 50,
};

/** Returns the labels and values of the only entry in the list, as displayed. */
const read = (one: NamedPayment, language: 'bg' | 'en' = 'en'): Record<string, string> => {
  const view = {
    language,
    path: '/sca/payments',
    csrf: 'token',
    version: 1,
    timeZone: 'Europe/Sofia',
    profile: makeProfile('sandbox'),
  };
  const { text } = approvalsPage(view, { consents: [], grants: [], payments: [one] })(look);
  const rows = text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^]*?)<\/dd>/g);
  return Object.fromEntries(
    [...rows].map(([, label = '', value = '']) => [label, value.replaceAll(/<[^>]*>/g, '')]),
  );
};

describe('a list of orders that is too long for one page (contract 12)', () => {
  const draw = (part?: { readonly at: number; readonly of: number }): string =>
    approvalsPage(
      {
        language: 'en',
        path: '/sca/payments',
        csrf: 'token',
        version: 1,
        timeZone: 'UTC',
        profile: makeProfile('sandbox'),
      },
      { consents: [], grants: [], payments: [order], part },
    )(look).text;

  it('has links to its parts, of which only the first has the other lists', () => {
    const [first, second] = [draw({ at: 0, of: 3 }), draw({ at: 1, of: 3 })];
    expect(first).toContain('<span aria-current="true">1</span>');
    expect(first).toContain('href="/sca/payments?page=2#orders"');
    expect(first).toContain('id="payments"');
    expect(second).toContain('href="/sca/payments?page=1#orders"');
    expect(second).toContain('href="/sca/payments?page=3#orders"');
    expect(second).toContain('value="stop"');
    expect(second).not.toMatch(/id="(?:payments|apps)"/);
    expect(draw()).not.toContain('class="parts"');
  });
});

describe('the list of payments that a PSU signed (contract 12)', () => {
  it('asks once more before it stops an order, and only an order that can still pay', () => {
    const view = {
      language: 'en',
      path: '/sca/payments',
      csrf: 'token',
      version: 1,
      timeZone: 'UTC',
      profile: makeProfile('sandbox'),
    } as const;
    const text = (one: NamedPayment): string =>
      approvalsPage(view, { consents: [], grants: [], payments: [one] })(look).text;
    const asked = /<details class="ask">\s*<summary>Stop this order<\/summary>(.*?)<\/details>/s.exec(
      text(order),
    )?.[1];
    expect(asked).toContain('No further payment is made.');
    expect(asked).toContain('name="paymentId" value="a"');
    expect(asked).toMatch(/<button name="decision" value="stop"/);
    expect(text({ ...order, canBeStopped: false })).not.toContain('value="stop"');
  });

  it('shows the frequency, the end and the next payment date of a periodic order', () => {
    expect(read(order)).toEqual({
      Type: 'standing order',
      Payee: 'Petar',
      'Payee account': 'BG26RZBB91551023456789',
      When: 'every week, on Friday, from 20 November 2026, 4 payments',
      From: 'BG25XSBK92001000000001',
      Reason: 'Rent',
      Reference: 'a',
      'Next payment': 'on 27 November 2026',
      Signed: '20 November 2026 at 12:00, TPP',
      State: 'active',
    });
    expect(read({ ...order, nextExecutionDate: undefined, transactionStatus: 'ACSC' })).not.toHaveProperty(
      'Next payment',
    );
  });

  it('shows the number of payments and the first payee of a bulk payment, which may be the only one', () => {
    expect(read(bulk, 'bg')).toEqual({
      Вид: 'пакетно плащане',
      'Брой плащания': '50',
      Получател: 'Petar (първото от 50 плащания)',
      Кога: 'на 20 ноември 2026\u00a0г.',
      Подписано: expect.stringContaining('TPP'),
      Състояние: 'чака изпълнение',
      От: 'BG25XSBK92001000000001',
      Номер: 'a',
    });
    expect(read({ ...bulk, numberOfPayments: 1 })).toMatchObject({ Payee: 'Petar' });
  });

  it.each<[string, NamedPayment, Partial<NamedPayment>]>([
    ['waiting to be carried out', payment, {}],
    ['not carried out: not enough money', payment, { fundsAvailable: false }],
    ['carried out', payment, { transactionStatus: 'ACSC' }],
    ['waiting for its first payment', order, { transactionStatus: 'ACCP' }],
    ['active', order, {}],
    ['ended', order, { transactionStatus: 'ACSC' }],
    ['stopped by you', order, { transactionStatus: 'CANC', stoppedBy: 'psu' }],
    ['stopped by another signer', order, { transactionStatus: 'CANC', stoppedBy: 'signer' }],
    ['cancelled by the app', order, { transactionStatus: 'CANC' }],
    ['waiting for further signatures', order, { transactionStatus: 'PATC' }],
    ['refused by another signer', bulk, { transactionStatus: 'RJCT', rejectionReason: 'psu-refused' }],
    ['being carried out', bulk, { transactionStatus: 'ACSP' }],
    ['carried out in part: not enough money for the others', bulk, { transactionStatus: 'PART' }],
    ['carried out in part', bulk, { transactionStatus: 'PART', product: 'instant-SEPA-credit-transfer' }],
    ['not carried out: not enough money', bulk, { fundsAvailable: false }],
    ['carried out', bulk, { transactionStatus: 'ACSC', fundsAvailable: true }],
    [
      'not carried out: the payee’s bank is not available',
      payment,
      { transactionStatus: 'RJCT', reasonCode: 'AB08' },
    ],
  ])('shows the status in words: %s', (state, one, change) => {
    expect(read({ ...one, ...change })['State']).toBe(state);
  });
});
