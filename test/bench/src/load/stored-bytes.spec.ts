import { describe, expect, it } from '@jest/globals';
import { storedNote } from './stored-bytes.js';

describe('what a payment adds to the database', () => {
  it('is told by table, the largest first, and small ones are left out', () => {
    const before = { tables: new Map([['payments.events', 1_000_000]]), wal: 5_000_000 };
    const after = {
      tables: new Map([
        ['payments.attempt', 500_000],
        ['payments.events', 4_700_000],
        ['payments.lock', 8_192],
      ]),
      wal: 9_800_000,
    };
    expect(storedNote(before, after, 1000)).toBe(
      'KB kept for a payment: 4.2 (payments.events 3.7, payments.attempt 0.5); written to the WAL: 4.8',
    );
  });
});
