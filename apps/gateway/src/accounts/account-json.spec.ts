import { describe, expect, it } from '@jest/globals';
import { accountJson, balanceJson, transactionJson, transactionsJson } from './account-json.js';
import { paymentStatusJson } from '../payments/payment-json.js';

const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('responses in Berlin Group format (contract 6 and 8)', () => {
  it('give an account only the links that its consent permits', () => {
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
    expect(asSent(accountJson(account, 'XSBKBGSF'))).toEqual({
      resourceId: 'r',
      iban: 'BG25XSBK92001000000001',
      currency: 'BGN',
      bic: 'XSBKBGSF',
      name: 'Сметка',
      product: 'Сметка',
      cashAccountType: 'CACC',
      status: 'enabled',
      _links: { transactions: { href: '/v1/accounts/r/transactions' } },
    });
  });

  it('name an account by the name that the PSU has given it, or else by its product', () => {
    const account = {
      resourceId: 'r',
      iban: 'BG25XSBK92001000000001',
      currency: 'BGN',
      product: 'Сметка',
      cashAccountType: 'CACC',
      status: 'enabled',
      mayReadBalances: false,
      mayReadTransactions: false,
    } as const;
    expect(accountJson(account, 'XSBKBGSF')).toMatchObject({ bic: 'XSBKBGSF', name: 'Сметка' });
    expect(accountJson({ ...account, name: 'Море' }, 'XSBKBGSF')).toMatchObject({ name: 'Море' });
  });

  it('link a page to its neighbouring pages with the same query', () => {
    const page = {
      iban: 'BG25XSBK92001000000001',
      currency: 'BGN',
      rendered: Buffer.from('{"booked":[{"transactionId":"т"}]}'),
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
    const transactions = {
      account: { iban: 'BG25XSBK92001000000001', currency: 'BGN' },
      transactions: {
        booked: [{ transactionId: 'т' }],
        _links: {
          account: { href: '/v1/accounts/r' },
          first: { href: first },
          next: { href: `${first}&cursor=a%2Bb` },
        },
      },
    };
    const balance = {
      balanceType: 'expected',
      amount: { minor: 1, currency: 'BGN' },
      creditLimitIncluded: true,
      referenceDate: '2026-11-20',
    } as const;
    expect(JSON.parse(transactionsJson(page, request).toString())).toEqual(transactions);
    expect(JSON.parse(transactionsJson({ ...page, balances: [balance] }, request).toString())).toEqual({
      ...transactions,
      balances: [balanceJson(balance)],
    });
  });

  it('embed a transaction without changing it', () => {
    const rendered = Buffer.from('{"transactionId":"т"}');
    expect(JSON.parse(transactionJson({ rendered }).toString())).toEqual({
      transactionsDetails: { transactionId: 'т' },
    });
  });

  it('warn of insufficient funds and state why a payment was rejected', () => {
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
