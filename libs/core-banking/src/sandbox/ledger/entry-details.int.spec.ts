import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { transactionText } from '../../rendering/entry-text.js';
import { renderDetails, readEntry } from './entry-details.js';
import type { Entry } from './entry.js';
import { entryDetails, sandboxBankTables } from '../sandbox-bank.tables.js';

let folder: string;
let server: PostgresServer;
let owner: Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entry-details-'));
  server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  await prepareDatabases(server.url());
  owner = new Client({ connectionString: server.url('xs2a_owner'), options: '-c search_path=accounts' });
  await owner.connect();
  await owner.query(sandboxBankTables('xs2a_accounts'));
}, 60_000);
afterAll(async () => {
  await owner.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 30_000);

const timeZone = 'Europe/Sofia';
const hostile = 'Магазин "Изток" \\ ЕООД';
const plain = {
  transferId: randomUUID(),
  valueDate: '2026-03-01',
  // Late in the evening here, the next day in Sofia.
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

describe('entries as they are kept (contract 6)', () => {
  it('those written before version 2 tell the same as those written since', async () => {
    const entries = written.map((entry) => ({ ...entry, accountId: randomUUID() }));
    for (const { accountId, ...entry } of entries) {
      await owner.query('INSERT INTO ledger_account (id, currency, customer) VALUES ($1, $2, true)', [
        accountId,
        entry.currency,
      ]);
      await owner.query(
        `INSERT INTO entry (transaction_id, account_id, transfer_id, amount, counterparty_name, counterparty_account, remittance,
          end_to_end_id, bank_transaction_code, value_date, pending_at, book_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          entry.entryId,
          accountId,
          entry.transferId,
          entry.amount,
          entry.counterpartyName,
          entry.counterpartyAccount,
          entry.remittance,
          entry.endToEndId,
          entry.bankTransactionCode,
          entry.valueDate,
          entry.pendingAt,
          entry.bookAt,
        ],
      );
    }
    await owner.query(entryDetails(timeZone));
    const { rows } = await owner.query<{ details: string }>(
      'SELECT details FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place) JOIN entry ON transaction_id = id ORDER BY place',
      [entries.map(({ entryId }) => entryId)],
    );
    const read = (text: string): unknown => JSON.parse(text);
    expect(rows.map(({ details }) => read(details))).toEqual(renderDetails(entries, timeZone).map(read));
    expect(rows[0]?.details).toContain('"bookingDate":"2026-03-02"');
  });

  it('are read back as they were written; a pending one has neither reference nor booking date', () => {
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
