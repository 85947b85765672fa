import { describe, expect, it } from '@jest/globals';
import { applicationScope, canonicalAuthorizeQuery, userScope } from './scopes.js';

const all = ['PSP_AI', 'PSP_PI', 'PSP_IC'];

describe('scopes of application tokens (contract 4)', () => {
  it('are those asked for, within the TPP’s roles', () => {
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
  ])('refuse %s of a TPP with %j', (requested, roles) => {
    expect(applicationScope(requested, roles)).toBeUndefined();
  });
});

describe('scopes of authorization requests (contract 4)', () => {
  it('are one that a PSU can grant', () => {
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

  it('may be written AISP or AIS:<consentId>', () => {
    expect(canonicalAuthorizeQuery('scope=AISP&consentId=c1')).toBe('scope=PSP_AI&consentId=c1');
    expect(canonicalAuthorizeQuery('scope=AIS:c1&state=s')).toBe('scope=PSP_AI&state=s&consentId=c1');
    expect(canonicalAuthorizeQuery('scope=AIS:c1&consentId=c1')).toBe('scope=PSP_AI&consentId=c1');
  });

  it('that name two consents, or are given twice, stay two, so that they are refused', () => {
    expect(canonicalAuthorizeQuery('scope=AIS:c1&consentId=c2')).toBe(
      'scope=PSP_AI&consentId=c2&consentId=c1',
    );
    expect(canonicalAuthorizeQuery('scope=AIS:c1+AIS:c2')).toBe('scope=PSP_AI&consentId=c1&consentId=c2');
    expect(canonicalAuthorizeQuery('scope=AISP&scope=PSP_IC')).toBe('scope=AISP&scope=PSP_IC');
    expect(canonicalAuthorizeQuery('scope=PSP_AI&consentId=c1&consentId=c1')).toBe(
      'scope=PSP_AI&consentId=c1&consentId=c1',
    );
  });
});
