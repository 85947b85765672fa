import { describe, expect, it } from '@jest/globals';
import type { PortalConfig } from '../config.js';
import { InboxAddresses } from './inbox-addresses.js';

const addresses = (...secrets: string[]): InboxAddresses =>
  new InboxAddresses({ PORTAL_SECRET: secrets } as unknown as PortalConfig);
const [one, two] = ['1'.repeat(32), '2'.repeat(32)] as const;

describe('the address of an inbox', () => {
  it('has 128 random bits, and is accepted by every instance with the same PORTAL_SECRET', () => {
    const made = addresses(one);
    const ids = Array.from({ length: 50 }, () => made.newId());
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) {
      expect(Buffer.from(id, 'base64url')).toHaveLength(16);
      expect(addresses(one).idOfSecret(made.secretOf(id))).toBe(id);
    }
  });

  it('is refused if any character is changed, added or left out', () => {
    const made = addresses(one);
    const secret = made.secretOf(made.newId());
    for (let at = 0; at < secret.length; at += 1) {
      const other = secret[at] === 'A' ? 'B' : 'A';
      expect(made.idOfSecret(`${secret.slice(0, at)}${other}${secret.slice(at + 1)}`)).toBeUndefined();
      expect(made.idOfSecret(secret.slice(0, at) + secret.slice(at + 1))).toBeUndefined();
    }
    for (const other of ['', '.', `${secret}A`, ` ${secret}`, `${secret}\n`, secret.replace('.', '')])
      expect(made.idOfSecret(other)).toBeUndefined();
    expect(addresses(two).idOfSecret(secret)).toBeUndefined();
  });

  it('stays valid while PORTAL_SECRET is rotated', () => {
    const old = addresses(one);
    const id = old.newId();
    expect(addresses(two, one).idOfSecret(old.secretOf(id))).toBe(id);
    expect(addresses(two, one).idOfProof('tpp', old.proofOf('tpp', id))).toBe(id);
  });
});

describe('the proof that an inbox belongs to a TPP', () => {
  it('is accepted for this TPP and this inbox only, and the secret of the address proves nothing', () => {
    const made = addresses(one);
    const id = made.newId();
    const proof = made.proofOf('tpp', id);
    expect(made.idOfProof('tpp', proof)).toBe(id);
    expect(made.idOfProof('other', proof)).toBeUndefined();
    expect(made.idOfProof('tpp', `${made.newId()}.${proof.split('.')[1]}`)).toBeUndefined();
    expect(made.idOfProof('tpp', made.secretOf(id))).toBeUndefined();
    expect(made.idOfSecret(proof)).toBeUndefined();
  });
});
