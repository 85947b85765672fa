import { expect, it } from '@jest/globals';
import type { KeyReport } from '@xs2a/contracts/console/key.contract';
import { keyTable } from './key-table.js';

const signing: KeyReport = {
  id: 'kid-1',
  use: 'dispute bundles',
  algorithm: 'ES256',
  state: 'signs',
  madeAt: '2026-11-27T11:00:00.000Z',
};
const master: KeyReport = { id: '2026', use: 'personal data', algorithm: 'A256KW', state: 'encrypts' };

it('shows the use and the generation time of each signing key and master key, and how to rotate both kinds', () => {
  const { text } = keyTable([
    ['auth', { answer: [signing] }],
    ['payments', { answer: [master] }],
  ]);
  expect(text).toMatch(
    /kid-1[^]*auth[^]*dispute bundles[^]*pill good">signs<[^]*ES256[^]*2026-11-27 11:00:00/,
  );
  expect(text).toMatch(/2026<[^]*payments[^]*personal data[^]*pill good">encrypts<[^]*A256KW[^]*>–</);
  expect(text).toMatch(/docs\/how-to\/rotate-keys\.md[^]*xs2a privacy rotate</);
  expect(text).not.toContain('node -e');
  expect(text).not.toMatch(/is-problem|is-attention/);
});

it('highlights a master key in an unfinished rotation, a missing master key, and a service that did not respond', () => {
  const { text } = keyTable([
    ['payments', { answer: [{ ...master, state: 'decrypts' }] }],
    ['consents', { answer: [{ ...master, state: 'missing' }] }],
    ['auth', { missing: 'auth' }],
  ]);
  expect(text).toMatch(/is-attention[^]*payments[^]*pill attention">decrypts</);
  expect(text).toMatch(/is-problem[^]*consents[^]*pill problem">missing</);
  expect(text).toMatch(/auth[^]*not known[^]*auth did not answer/);
});
