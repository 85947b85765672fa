import { describe, expect, it } from '@jest/globals';
import type { TppView } from '@xs2a/contracts/auth.contract';
import type { Html } from '@xs2a/html/html';
import { tppBody, tppTable } from './tpps-page.js';

const tpp: TppView = {
  clientId: 'sandbox-tpp',
  name: 'Sandbox TPP',
  status: 'active',
  roles: ['PSP_AI'],
  version: 1,
  redirectUris: [],
  authMethod: 'client_secret_basic',
  registeredAt: '2026-11-01T08:00:00.000Z',
  keys: 0,
};
const certificate = {
  tppId: tpp.clientId,
  endsAt: new Date('2027-01-09T10:00:00.999Z'),
  leftMs: 42.5 * 24 * 60 * 60_000,
  seenAt: new Date('2026-11-27T12:00:00.000Z'),
};
const textOf = ({ text }: Html): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const oneTpp = { tpp, grants: { PSP_AI: 3, PSP_IC: 1 }, calls: undefined, csrf: undefined };

describe('the certificate on the page TPPs', () => {
  it('is shown with the days that are left and the date of its end', () => {
    const table = tppTable([tpp], new Map(), new Map([[tpp.clientId, certificate]]));
    expect(textOf(table)).toContain('active ends in 42 days (2027-01-09) 0');
    expect(textOf(tppBody({ ...oneTpp, certificate }))).toContain(
      'certificate ends in 42 days (2027-01-09), last presented 2026-11-27 12:00:00 UTC roles',
    );
  });

  it('is missing if the TPP presented none', () => {
    expect(textOf(tppTable([tpp], new Map(), new Map()))).toContain('active no certificate seen 0');
    expect(textOf(tppBody({ ...oneTpp, certificate: undefined }))).toContain(
      'certificate no certificate seen in 30 days roles',
    );
  });
});

describe('the grants on the page of a TPP', () => {
  const shown = (grants: typeof oneTpp.grants | undefined): string =>
    textOf(tppBody({ ...oneTpp, grants, certificate: undefined }));

  it('are counted by role', () => {
    expect(shown({ PSP_AI: 3, PSP_IC: 1 })).toContain(
      'grants of PSUs 3 for account information (PSP_AI), 1 for funds confirmation (PSP_IC) calls',
    );
  });

  it('are not known while auth does not answer', () => {
    expect(shown(undefined)).toContain('grants of PSUs not known: auth did not answer');
  });
});
