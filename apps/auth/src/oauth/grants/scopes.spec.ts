import { describe, expect, it } from '@jest/globals';
import { applicationScope, canonicalRequest, userScope, whyApplicationScopeRefused } from './scopes.js';

const all = ['PSP_AI', 'PSP_PI', 'PSP_IC'];

describe('scopes of application tokens (contract 4)', () => {
  it('are the requested scopes that the roles of the TPP permit', () => {
    expect(applicationScope('PSP_PI', all)).toBe('PSP_PI');
    expect(applicationScope('PSP_PI PSP_AI PSP_PI', all)).toBe('PSP_PI PSP_AI');
    expect(applicationScope(undefined, ['PSP_AI'])).toBe('PSP_AI');
  });

  it.each([
    ['PSP_IC', all],
    ['PSP_AI PSP_IC', all],
    ['PSP_PI', ['PSP_AI']],
    ['openid', all],
    ['psp_ai', all],
    ['AIS:x', all],
    [undefined, ['PSP_IC']],
  ])('are refused if the TPP requests %s with the roles %j', (requested, roles) => {
    expect(applicationScope(requested, roles)).toBeUndefined();
  });
});

describe('the refusal of a scope for an application token (contract 4)', () => {
  it.each([
    ['PSP_IC', 'PSP_IC needs the grant authorization_code'],
    ['PSP_AI PSP_IC', 'PSP_IC needs the grant authorization_code'],
    ['foo', 'this scope is unknown: ask for PSP_AI or PSP_PI'],
    ['PSP_PI', 'your registration and certificate do not allow this scope'],
    [undefined, 'your registration and certificate do not allow this scope'],
  ])('gives for the requested scope %s the reason: %s', (requested, reason) => {
    expect(whyApplicationScopeRefused(requested)).toBe(reason);
  });
});

describe('scopes of authorization requests (contract 4)', () => {
  it('must be a single scope that a PSU can grant', () => {
    expect(userScope('PSP_AI', all)).toBe('PSP_AI');
    expect(userScope('PSP_IC', all)).toBe('PSP_IC');
    for (const refused of [
      undefined,
      '',
      'PSP_PI',
      'PSP_AI PSP_IC',
      'openid PSP_AI',
      'PSP_AI offline_access',
    ])
      expect(userScope(refused, all)).toBeUndefined();
    expect(userScope('PSP_IC', ['PSP_AI'])).toBeUndefined();
  });

  it('can also be written as AISP or AIS:<consentId>', () => {
    const canonical = { scope: 'PSP_AI', consentId: 'c1' };
    expect(canonicalRequest({ scope: 'AISP', consentId: 'c1' })).toEqual(canonical);
    expect(canonicalRequest({ scope: 'AIS:c1', consentId: undefined })).toEqual(canonical);
    expect(canonicalRequest({ scope: 'AIS:c1 AISP', consentId: 'c1' })).toEqual(canonical);
    expect(canonicalRequest({ scope: 'AIS:', consentId: undefined })).toEqual({
      scope: 'PSP_AI',
      consentId: '',
    });
    const other = { scope: 'PSP_IC', consentId: undefined };
    expect(canonicalRequest(other)).toEqual(other);
    expect(canonicalRequest({ scope: undefined, consentId: undefined })).toEqual({
      scope: undefined,
      consentId: undefined,
    });
  });

  it('are rejected if they name two consents', () => {
    expect(canonicalRequest({ scope: 'AIS:c1', consentId: 'c2' })).toBeUndefined();
    expect(canonicalRequest({ scope: 'AIS:c1 AIS:c2', consentId: undefined })).toBeUndefined();
  });
});
