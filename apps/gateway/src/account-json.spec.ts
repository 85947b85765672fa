import { describe, expect, it } from '@jest/globals';
import { accountJson, transactionJson, transactionsJson } from './account-json.js';
import { paymentStatusJson } from './payment-json.js';

const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('answers in the form of the Berlin Group (contract 6 and 8)', () => {
  it('gives an account only the links that its consent allows', () => {
    const account = {
      resourceId: 'r',
      iban: 'BG25XSBK92001000000001',
      currency: 'BGN',
      product: 'Сметка',
      cashAccountType: 'CACC',
      status: 'enabled',
      mayReadBalances: false,
      mayReadTransactions: true,
    } as const;
    expect(asSent(accountJson(account))).toEqual({
      resourceId: 'r',
      iban: 'BG25XSBK92001000000001',
      currency: 'BGN',
      product: 'Сметка',
      cashAccountType: 'CACC',
      status: 'enabled',
      _links: { transactions: { href: '/v1/accounts/r/transactions' } },
    });
  });

  it('writes amounts as signed strings, and counterparties by what they have', () => {
    const entry = { transactionId: 't', valueDate: '2026-11-20', amount: { minor: -5, currency: 'BGN' } };
    expect(asSent(transactionJson({ ...entry, creditorAccount: 'DE02120300000000202051' }))).toEqual({
      transactionId: 't',
      valueDate: '2026-11-20',
      transactionAmount: { currency: 'BGN', amount: '-0.05' },
      creditorAccount: { iban: 'DE02120300000000202051' },
    });
    expect(transactionJson({ ...entry, debtorAccount: '12345' })).toMatchObject({
      debtorAccount: { bban: '12345' },
    });
    expect(transactionJson({ ...entry, debtorAccount: 'a/b' })).toMatchObject({
      debtorAccount: { other: { identification: 'a/b' } },
    });
  });

  it('links a page to its neighbours with the same query', () => {
    const page = {
      iban: 'BG25XSBK92001000000001',
      currency: 'BGN',
      booked: [],
      pending: [],
      nextCursor: 'a+b',
    };
    const request = {
      resourceId: 'r',
      dateFrom: '2026-11-01',
      dateTo: '2026-11-20',
      bookingStatus: 'booked',
      pageSize: 10,
      withBalance: true,
    } as const;
    const first =
      '/v1/accounts/r/transactions?bookingStatus=booked&dateFrom=2026-11-01&dateTo=2026-11-20&pageSize=10&withBalance=true';
    expect(asSent(transactionsJson(page, request))).toEqual({
      account: { iban: 'BG25XSBK92001000000001', currency: 'BGN' },
      transactions: {
        booked: [],
        _links: {
          account: { href: '/v1/accounts/r' },
          first: { href: first },
          next: { href: `${first}&cursor=a%2Bb` },
        },
      },
    });
  });

  it('warns of missing funds, and says why a payment was rejected', () => {
    expect(paymentStatusJson({ transactionStatus: 'ACSC', fundsAvailable: true })).toEqual({
      transactionStatus: 'ACSC',
      fundsAvailable: true,
    });
    expect(paymentStatusJson({ transactionStatus: 'ACCP', fundsAvailable: false })).toMatchObject({
      tppMessages: [{ category: 'WARNING', code: 'FUNDS_NOT_AVAILABLE' }],
    });
    expect(paymentStatusJson({ transactionStatus: 'RJCT', rejectionReason: 'psu-refused' })).toMatchObject({
      tppMessages: [{ category: 'ERROR', code: 'PAYMENT_FAILED' }],
    });
  });
});
