import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportSigningKeys } from './key-reports.js';
import { publicKeys, type SigningKeys, signingKeys } from './signing-keys.js';

const newKey = (kid: string, more: object = {}): Record<string, unknown> => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
  ...more,
});
const read = async (...keys: readonly object[]): Promise<SigningKeys> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-keys-'));
  try {
    const file = join(folder, 'keys.json');
    writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 });
    return await signingKeys('AUTH_KEYS_FILE', file, false);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

it('the report on signing keys lists the keys of both files, which key signs, and the time in each valid iat', async () => {
  const reports = reportSigningKeys(
    await read(newKey('next', { iat: 1_790_000_000 }), newKey('old')),
    await read(newKey('bundles', { iat: 'yesterday' })),
  );
  const [tokens, algorithm] = ['tokens and notifications', 'ES256'];
  expect(reports).toEqual([
    { id: 'next', use: tokens, algorithm, state: 'signs', madeAt: '2026-09-21T14:13:20.000Z' },
    { id: 'old', use: tokens, algorithm, state: 'verifies' },
    { id: 'bundles', use: 'dispute bundles', algorithm, state: 'signs' },
  ]);
});

it('the published JWK set contains neither the private part of a signing key nor the time of its generation', async () => {
  const [key] = publicKeys(await read(newKey('one', { iat: 1_790_000_000 })));
  expect(Object.keys(key ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

it('the first signing key that a sandbox generates contains the time of its generation', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-keys-'));
  try {
    const keys = await signingKeys('AUTH_KEYS_FILE', join(folder, 'keys.json'), true);
    const [{ madeAt = '' } = {}] = reportSigningKeys(keys, { keys: [] });
    expect(Math.abs(Date.parse(madeAt) - Date.now())).toBeLessThan(60_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
