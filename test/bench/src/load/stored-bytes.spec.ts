import { describe, expect, it } from '@jest/globals';
import { keptNote, storedNote } from './stored-bytes.js';

describe('what a payment adds to the database', () => {
  it('is shown by table, the largest first, and small ones are left out', () => {
    const before = { tables: new Map([['payments.events', 1_000_000]]), wal: 5_000_000 };
    const after = {
      tables: new Map([
        ['payments.idempotency_key', 500_000],
        ['payments.events', 4_700_000],
        ['payments.lock', 8_192],
      ]),
      wal: 9_800_000,
    };
    expect(storedNote(before, after, 1000)).toBe(
      'KB kept for a payment: 4.2 (payments.events 3.7, payments.idempotency_key 0.5); written to the WAL: 4.8',
    );
  });

  it('is listed by how long it is kept', () => {
    const before = { tables: new Map<string, number>(), wal: 0 };
    const after = {
      tables: new Map([
        ['payments.idempotency_key', 500_000],
        ['payments.events', 3_700_000],
        ['payments.log', 800_000],
        ['accounts.entry', 600_000],
        ['consents.events', 900_000],
      ]),
      wal: 4_800_000,
    };
    expect(keptNote(before, after, 1000)).toBe(
      "KB kept of a payment until its month is archived: 4.5 (payments.events 3.7, payments.log 0.8); for a day 0.5; in the sandbox bank's ledger 0.6; written to the WAL 4.8",
    );
  });
});
