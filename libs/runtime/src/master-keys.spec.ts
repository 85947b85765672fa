import { describe, expect, it } from '@jest/globals';
import { MasterKeyMissing, parseMasterKeys } from './master-keys.js';

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const parse = (text: string) => {
  const keys = parseMasterKeys(text);
  if (keys === undefined) throw new Error('these are no master keys');
  return keys;
};

describe('master keys (docs/how-to/erasure.md)', () => {
  it('wrap and unwrap as in the example of RFC 3394, 4.6', () => {
    const kek = Buffer.from('000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F', 'hex');
    const key = Buffer.from('00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F', 'hex');
    const keys = parse(`rfc:${kek.toString('base64')}`);
    const wrapped = keys.wrap(key);
    expect(wrapped.toString('hex').toUpperCase()).toBe(
      '28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21',
    );
    expect(keys.unwrap(wrapped)).toEqual(key);
  });

  it('use the first key to wrap and any key to unwrap', () => {
    const key = Buffer.alloc(32, 7);
    const old = parse(`2026:${keyOf(1)}`);
    const rotated = parse(`2027:${keyOf(2)}\n2026:${keyOf(1)}\n`);
    expect(rotated.current).toBe('2027');
    expect(rotated.unwrap(old.wrap(key))).toEqual(key);
    expect([rotated.isCurrent(rotated.wrap(key)), rotated.isCurrent(old.wrap(key))]).toEqual([true, false]);
    expect(() => old.unwrap(rotated.wrap(key))).toThrow(MasterKeyMissing);
    expect(() => rotated.unwrap(Buffer.alloc(40))).toThrow(MasterKeyMissing);
  });

  it.each([
    '',
    'no-colon',
    `a:${'q'.repeat(20)}`,
    `:${keyOf(1)}`,
    `a:${keyOf(1)} a:${keyOf(2)}`,
    `a:${keyOf(1)} b:short`,
    `a:${Buffer.alloc(33).toString('base64')}`,
  ])('cannot be parsed from %j', (text) => {
    expect(parseMasterKeys(text)).toBeUndefined();
  });
});
