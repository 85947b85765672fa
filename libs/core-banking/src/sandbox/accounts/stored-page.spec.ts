import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { transactionText } from '../../rendering/entry-text.js';
import { renderDetails } from '../ledger/entry-details.js';
import { storedPage } from './stored-page.js';

const levEnd = '2026-01-01';
const textIn = (currency: string): string =>
  renderDetails(
    [
      {
        entryId: randomUUID(),
        accountId: randomUUID(),
        amount: -500,
        currency,
        remittance: '"transactionAmount":{"currency":"BGN"',
        valueDate: '2025-12-01',
        pendingAt: '2025-12-01T10:00:00.000Z',
        bookAt: '2025-12-01T10:05:00.000Z',
      },
    ],
    'Europe/Sofia',
  ).join();
const [lev, euro] = [textIn('BGN'), textIn('EUR')];

describe('a page built from the stored JSON texts of its entries (contract 6, E5.2)', () => {
  it('returns the booked entries as text that equals the rendered entries', () => {
    const { booked, bookedText } = storedPage({ booked: `${lev},${euro}`, pending: '' }, undefined);
    expect(bookedText).toBe(`${lev},${euro}`);
    expect(booked.map(transactionText).join(',')).toBe(bookedText);
    expect(storedPage({ booked: euro, pending: '' }, levEnd).bookedText).toBe(euro);
  });

  it('returns objects and no text at a bank in euro if an entry is in leva, because its amount in euro is added', () => {
    const { booked, bookedText } = storedPage({ booked: `${euro},${lev}`, pending: '' }, levEnd);
    expect(bookedText).toBeUndefined();
    expect(booked).toMatchObject([
      { amount: { minor: -500, currency: 'EUR' } },
      {
        accountCurrencyAmount: { minor: -256, currency: 'EUR' },
        currencyExchange: [{ quotationDate: levEnd }],
      },
    ]);
  });

  it('parses the stored texts only when the list of entries is accessed', () => {
    const page = storedPage({ booked: 'no JSON', pending: 'no JSON' }, undefined, { nextCursor: 'c' });
    expect([page.bookedText, page.nextCursor]).toEqual(['no JSON', 'c']);
    expect(() => page.booked).toThrow(SyntaxError);
    expect(() => page.pending).toThrow(SyntaxError);
  });

  it('returns pending entries without an entry reference and without a booking date', () => {
    const { pending, bookedText } = storedPage({ booked: '', pending: lev }, undefined);
    expect(bookedText).toBe('');
    expect(pending).toMatchObject([{ entryReference: undefined, bookingDate: undefined }]);
  });
});
