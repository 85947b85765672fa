import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describeGrantError, describeProofError } from './grant-errors.js';

const library = dirname(createRequire(import.meta.url).resolve('oidc-provider'));
const grants = ['actions/grants/authorization_code.js', 'actions/grants/refresh_token.js'];
const helpers = ['grant_source', 'grant_common'].map((name) => `helpers/${name}.js`);
/** Every text that the installed release of oidc-provider can report as the detail of an `invalid_grant` error. */
const details = [...grants, ...helpers]
  .map((file) => readFileSync(join(library, file), 'utf8'))
  .flatMap((source) => [...source.matchAll(/new InvalidGrant\([`']([^`']+)[`']\)/g)])
  .map(([, detail = '']) => detail)
  .flatMap((detail) =>
    ['authorization code', 'refresh token'].map((label) => detail.replace(/\$\{\w+\}/, label)),
  );

describe('the error_description of invalid_grant', () => {
  it('has a text for every detail that oidc-provider can report', () => {
    expect(details.length).toBeGreaterThan(20);
    expect(details.filter((detail) => describeGrantError(detail) === undefined)).toEqual([]);
  });

  it('is the same for an unknown code or refresh token as for a code or refresh token of another client', () => {
    const ofAnother = describeGrantError('client mismatch');
    expect(ofAnother).toContain('belongs to another client');
    for (const label of ['authorization code', 'refresh token'])
      expect(describeGrantError(`${label} not found`)).toBe(ofAnother);
  });

  it.each([
    ['authorization code is expired', 'has expired'],
    ['authorization code already consumed', 'The code was used before'],
    ['refresh token already used', 'The refresh token was used before'],
    ['grant is expired', 'has ended'],
    ['the grant is gone', 'has ended'],
    ['code_verifier does not match code_challenge', 'code_verifier is'],
    ['authorization code redirect_uri mismatch', 'redirect_uri is not'],
    ['failed jkt verification', 'another key'],
    ['failed x5t#S256 verification', 'another key or certificate'],
  ])('states for the oidc-provider detail "%s" the cause: %s', (detail, cause) => {
    expect(describeGrantError(detail)).toContain(cause);
  });

  it('keeps the text of oidc-provider for a detail that the installed release does not report', () => {
    for (const detail of ['something new', undefined]) expect(describeGrantError(detail)).toBeUndefined();
  });
});

describe('the error_description of invalid_dpop_proof', () => {
  it('states what the proof must be if oidc-provider only reports an invalid key binding', () => {
    const reported = /(?<=InvalidDpopProof\(')[^']+(?=', \{ cause \}\))/.exec(
      readFileSync(join(library, 'helpers/validate_dpop.js'), 'utf8'),
    )?.[0];
    expect(describeProofError(reported)).toContain('JWT of type dpop+jwt');
  });

  it('is the one of oidc-provider if that names the wrong member', () => {
    expect(describeProofError('DPoP proof htm mismatch')).toBeUndefined();
  });
});
