import { describe, expect, it } from '@jest/globals';
import type { TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { transactionsText, transactionDetailsText, transactionText } from './entry-text.js';

const read = (entry: TransactionEntry): unknown => JSON.parse(transactionText(entry));
const entry = { transactionId: 't', valueDate: '2026-11-20', amount: { minor: -5, currency: 'BGN' } };

describe('transactions in Berlin Group format (contract 6)', () => {
  it('contain amounts as signed strings, and the available identification of each counterparty', () => {
    expect(read({ ...entry, creditorAccount: 'DE02120300000000202051' })).toEqual({
      transactionId: 't',
      valueDate: '2026-11-20',
      transactionAmount: { currency: 'BGN', amount: '-0.05' },
      creditorAccount: { iban: 'DE02120300000000202051' },
    });
    expect(read({ ...entry, debtorAccount: '12345' })).toMatchObject({ debtorAccount: { bban: '12345' } });
    expect(read({ ...entry, debtorAccount: 'a/b' })).toMatchObject({
      debtorAccount: { other: { identification: 'a/b' } },
    });
  });

  it('contain every member, with texts unchanged', () => {
    const hostile = '"}], \\ \n\u2028 Ж';
    const texts = {
      entryReference: 'r',
      endToEndId: 'e',
      bookingDate: '2026-11-20',
      creditorName: hostile,
      debtorName: hostile,
    };
    const all = { ...entry, ...texts, debtorAccount: hostile, remittance: hostile, bankTransactionCode: 'c' };
    expect(read(all)).toEqual({
      ...texts,
      transactionId: 't',
      valueDate: '2026-11-20',
      transactionAmount: { currency: 'BGN', amount: '-0.05' },
      debtorAccount: { other: { identification: hostile } },
      remittanceInformationUnstructured: hostile,
      bankTransactionCode: 'c',
    });
  });

  it('contain the amount in the currency of the account and the exchange rates of an entry that has them (contract E5.2)', () => {
    const currencyExchange = [
      {
        sourceCurrency: 'BGN',
        targetCurrency: 'EUR',
        unitCurrency: 'EUR',
        exchangeRate: '1.95583',
        quotationDate: '2026-01-01',
      },
    ];
    const accountCurrencyAmount = { minor: -3, currency: 'EUR' };
    expect(read({ ...entry, accountCurrencyAmount, currencyExchange })).toEqual({
      ...(read(entry) as object),
      accountCurrencyAmount: { currency: 'EUR', amount: '-0.03' },
      currencyExchange,
    });
  });

  it('contain the number of payments in a batch entry, and list them if the entry is requested individually (contract 9)', () => {
    const batch = { ...entry, amount: { minor: -5, currency: 'BGN' }, batchNumberOfTransactions: 2 };
    const rendered = { batchIndicator: true, batchNumberOfTransactions: 2 };
    expect(read(batch)).toMatchObject(rendered);
    expect(read(entry)).not.toHaveProperty('batchIndicator');
    const payment = {
      amount: { minor: -2, currency: 'BGN' },
      creditorName: '"A"',
      remittance: 'r',
      endToEndId: 'e',
    };
    const entryDetails = [payment, { amount: { minor: -3, currency: 'BGN' }, creditorAccount: 'a/b' }];
    expect(JSON.parse(transactionDetailsText({ ...batch, entryDetails }))).toEqual({
      ...(read(batch) as object),
      entryDetails: [
        {
          transactionAmount: { currency: 'BGN', amount: '-0.02' },
          creditorName: '"A"',
          remittanceInformationUnstructured: 'r',
          endToEndId: 'e',
        },
        {
          transactionAmount: { currency: 'BGN', amount: '-0.03' },
          creditorAccount: { other: { identification: 'a/b' } },
        },
      ],
    });
    expect(transactionDetailsText(entry)).toBe(transactionText(entry));
  });

  it('contain only the requested lists', () => {
    const page = { booked: [entry, entry], pending: [] };
    const lists = (['booked', 'pending', 'both'] as const).map((status) =>
      Object.entries(JSON.parse(transactionsText(page, status)) as Record<string, unknown[]>).map(
        ([name, list]) => [name, list.length],
      ),
    );
    expect(lists).toEqual([
      [['booked', 2]],
      [['pending', 0]],
      [
        ['booked', 2],
        ['pending', 0],
      ],
    ]);
  });

  it('are the same bytes whether the bank returns booked entries as objects or as stored JSON text', () => {
    const [booked, pending] = [[entry, { ...entry, creditorName: 'Изток' }], [entry]];
    const bookedText = booked.map(transactionText).join(',');
    for (const status of ['booked', 'pending', 'both'] as const)
      expect(transactionsText({ booked: [], pending, bookedText }, status)).toBe(
        transactionsText({ booked, pending }, status),
      );
  });
});
