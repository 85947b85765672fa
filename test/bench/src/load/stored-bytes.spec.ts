import { describe, expect, it } from '@jest/globals';
import { keptNote } from './stored-bytes.js';

describe('the data that a payment adds to the database', () => {
  it('is listed by retention, largest table first, without small amounts', () => {
    const before = { tables: new Map<string, number>(), wal: 0 };
    const after = {
      tables: new Map([
        ['payments.idempotency_key', 500_000],
        ['payments.events', 3_700_000],
        ['payments.log', 800_000],
        ['payments.lock', 8_192],
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
