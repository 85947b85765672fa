import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { transactionText } from '../../rendering/entry-text.js';
import { renderDetails, readEntry } from './entry-details.js';
import type { Entry } from './entry.js';

const timeZone = 'Europe/Sofia';
const hostile = 'Магазин "Изток" \\ ЕООД';
const plain = {
  transferId: randomUUID(),
  valueDate: '2026-03-01',
  // Late evening in UTC, which is already the next day in Sofia.
  pendingAt: '2026-03-01T22:57:00.000Z',
  bookAt: '2026-03-01T23:02:00.000Z',
};
const written: readonly Omit<Entry, 'accountId'>[] = [
  {
    ...plain,
    entryId: randomUUID(),
    amount: -5,
    currency: 'BGN',
    counterpartyName: hostile,
    counterpartyAccount: 'DE02120300000000202051',
    remittance: hostile,
    endToEndId: 'E-1',
    bankTransactionCode: 'PMNT-ICDT-DMCT',
  },
  { ...plain, entryId: randomUUID(), amount: 123_456, currency: 'EUR', counterpartyAccount: '12345' },
  {
    ...plain,
    entryId: randomUUID(),
    amount: 7,
    currency: 'JPY',
    counterpartyName: 'K',
    counterpartyAccount: 'a/b "c"',
  },
  { ...plain, entryId: randomUUID(), amount: -1200, currency: 'JPY' },
];

describe('stored entries (contract 6)', () => {
  it('have the booking date of the bank, not the UTC date', () => {
    const [details] = renderDetails([{ ...(written[0] as Entry), accountId: randomUUID() }], timeZone);
    expect(JSON.parse(details ?? '')).toMatchObject({ bookingDate: '2026-03-02' });
  });

  it('are parsed back as they were written, with neither a reference nor a booking date while pending', () => {
    for (const details of renderDetails(
      written.map((entry) => ({ ...entry, accountId: '' })),
      timeZone,
    )) {
      expect(transactionText(readEntry({ details, isBooked: true }))).toBe(details);
      const {
        entryReference: _reference,
        bookingDate: _date,
        ...rest
      } = JSON.parse(details) as Record<string, unknown>;
      expect(JSON.parse(transactionText(readEntry({ details, isBooked: false })))).toEqual(rest);
    }
  });
});
