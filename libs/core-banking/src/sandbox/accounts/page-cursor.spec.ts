import { describe, expect, it } from '@jest/globals';
import { createSecretKey } from 'node:crypto';
import { readCursor, writeCursor } from './page-cursor.js';

const key = createSecretKey(Buffer.alloc(32, 7));
const account = '4b1c7f0e-7df0-4f64-8f9e-0a5a1d9a0c11';
const place = {
  direction: 'newer',
  atMs: 1_763_600_000_123,
  entryId: '0193b5a4-7c1e-7d52-9f11-6f1a2b3c4d5e',
} as const;

describe('page cursors (contract 6)', () => {
  it('are parsed back to what was written', () => {
    expect(readCursor(writeCursor(place, account, key), account, key)).toEqual(place);
  });

  it('are refused if any character is changed', () => {
    const cursor = writeCursor(place, account, key);
    for (let index = 0; index < cursor.length; index += 1) {
      const forged = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
      expect(readCursor(forged, account, key)).toBeUndefined();
    }
  });

  it.each(['', 'x', '!!!!', 'é', 'A'.repeat(55), `${'A'.repeat(10_000)}`])(
    'are rejected when forged (%#)',
    (text) => {
      expect(readCursor(text, account, key)).toBeUndefined();
    },
  );

  it('are valid only for their account and key', () => {
    const cursor = writeCursor(place, account, key);
    expect(readCursor(cursor, '4b1c7f0e-7df0-4f64-8f9e-0a5a1d9a0c12', key)).toBeUndefined();
    expect(readCursor(cursor, account, createSecretKey(Buffer.alloc(32, 8)))).toBeUndefined();
    expect(readCursor(`${cursor}=`, account, key)).toBeUndefined();
  });
});
