import { describe, expect, it } from '@jest/globals';
import type { PersonalMembers } from '@xs2a/events/personal-members';
import { open, seal } from './sealed.js';

const personal: PersonalMembers = { psuId: true, order: { creditorName: true } };
const key = Buffer.alloc(32, 3);
const place = 'event 1';
const value = { paymentId: 'p', psuId: 'maria', order: { amount: 5, creditorName: 'Иван' } };
const sealed = (): Readonly<Record<string, unknown>> =>
  seal(value, { personal, key, place }) as Readonly<Record<string, unknown>>;

describe('a value with personal data (docs/how-to/erasure.md)', () => {
  it('is stored without personal data in plain text, and can be read with the key', () => {
    expect(sealed()).toEqual({ paymentId: 'p', order: { amount: 5 }, personal: expect.any(String) });
    expect(JSON.stringify(sealed())).not.toContain('maria');
    expect(open(sealed(), { key, place })).toEqual(value);
  });

  it('has the same encrypted form each time, and a different one for another text, place or key', () => {
    const others = [
      seal({ ...value, psuId: 'mario' }, { personal, key, place }),
      seal(value, { personal, key, place: 'event 2' }),
      seal(value, { personal, key: Buffer.alloc(32, 4), place }),
    ].map((other) => (other as { readonly personal: string }).personal.slice(0, 16));
    expect(sealed()).toEqual(sealed());
    expect(new Set([...others, String(sealed()['personal']).slice(0, 16)]).size).toBe(4);
  });

  it('cannot be read with another key, in another place, or after one of its bits was changed', () => {
    const changed = Buffer.from(String(sealed()['personal']), 'base64');
    changed[20] = (changed[20] ?? 0) ^ 1;
    expect(() => open(sealed(), { key: Buffer.alloc(32, 4), place })).toThrow('unable to authenticate');
    expect(() => open(sealed(), { key, place: 'event 2' })).toThrow('unable to authenticate');
    expect(() => open({ ...sealed(), personal: changed.toString('base64') }, { key, place })).toThrow(
      'unable to authenticate',
    );
    expect(() => open({ ...sealed(), personal: 'abc' }, { key, place })).toThrow('authentication tag');
  });

  it('stays unchanged if it contains no personal data, and is read unchanged if it was stored before encryption', () => {
    const plain = { paymentId: 'p', order: { amount: 5 } };
    expect(seal(plain, { personal, key, place })).toEqual(plain);
    expect(open(value, { key, place })).toEqual(value);
  });
});
