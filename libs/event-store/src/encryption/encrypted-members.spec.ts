import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '@xs2a/events/field-tables';
import { decryptMembers, encryptMembers } from './encrypted-members.js';

const key = Buffer.alloc(32, 3);
const place = 'event 1';
const value = { paymentId: 'p', psuId: 'maria', order: { amount: 5, creditorName: 'Иван' } };
const fields = fieldsOf<typeof value>({
  paymentId: 'plain',
  psuId: 'personal',
  order: { amount: 'plain', creditorName: 'personal' },
});
const encrypted = (): Readonly<Record<string, unknown>> =>
  encryptMembers(value, { fields, key, place }) as Readonly<Record<string, unknown>>;

describe('a value with personal data (docs/how-to/erasure.md)', () => {
  it('is stored without personal data in plain text, and can be read with the key', () => {
    expect(encrypted()).toEqual({ paymentId: 'p', order: { amount: 5 }, personal: expect.any(String) });
    expect(JSON.stringify(encrypted())).not.toContain('maria');
    expect(decryptMembers(encrypted(), { key, place })).toEqual(value);
  });

  it('has the same encrypted form each time, and a different one for another text, place or key', () => {
    const others = [
      encryptMembers({ ...value, psuId: 'mario' }, { fields, key, place }),
      encryptMembers(value, { fields, key, place: 'event 2' }),
      encryptMembers(value, { fields, key: Buffer.alloc(32, 4), place }),
    ].map((other) => (other as { readonly personal: string }).personal.slice(0, 16));
    expect(encrypted()).toEqual(encrypted());
    expect(new Set([...others, String(encrypted()['personal']).slice(0, 16)]).size).toBe(4);
  });

  it('cannot be read with another key, in another place, or after one of its bits was changed', () => {
    const changed = Buffer.from(String(encrypted()['personal']), 'base64');
    changed[20] = (changed[20] ?? 0) ^ 1;
    expect(() => decryptMembers(encrypted(), { key: Buffer.alloc(32, 4), place })).toThrow(
      'unable to authenticate',
    );
    expect(() => decryptMembers(encrypted(), { key, place: 'event 2' })).toThrow('unable to authenticate');
    expect(() =>
      decryptMembers({ ...encrypted(), personal: changed.toString('base64') }, { key, place }),
    ).toThrow('unable to authenticate');
    expect(() => decryptMembers({ ...encrypted(), personal: 'abc' }, { key, place })).toThrow(
      'authentication tag',
    );
  });

  it('is encrypted as a whole if it has no field table, or is an array', () => {
    for (const [whole, table] of [
      [value, undefined],
      [['maria'], fields],
    ] as const) {
      const stored = encryptMembers(whole, { fields: table, key, place });
      expect(stored).toEqual({ personal: expect.any(String) });
      expect(decryptMembers(stored, { key, place })).toEqual(whole);
    }
  });

  it('stays unchanged if it contains no personal data, and is read unchanged if it was stored before encryption', () => {
    const plain = { paymentId: 'p', order: { amount: 5 } };
    expect(encryptMembers(plain, { fields, key, place })).toEqual(plain);
    expect(decryptMembers(value, { key, place })).toEqual(value);
  });
});
