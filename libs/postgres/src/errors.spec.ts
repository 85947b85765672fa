import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from './errors.js';

const withCode = (code: string): Error => Object.assign(new Error('refused'), { code });

describe('errors that mean the database is down', () => {
  it.each([
    ['it is starting or shutting down', '57P03'],
    ['it is a standby that was not promoted yet', '25006'],
    ['the transaction took too long', '25P04'],
    ['nothing accepts connections at its address', 'ECONNREFUSED'],
    // In a cluster, a service's name does not resolve while its pod is recreated.
    ['its name has no address', 'ENOTFOUND'],
    ['its name temporarily has no address', 'EAI_AGAIN'],
    ['no route leads to it', 'ENETUNREACH'],
  ])('%s', (_title, code) => {
    expect(isUnavailable(withCode(code))).toBe(true);
  });

  it('do not include the error for an invalid statement', () => {
    for (const code of ['42P01', '23505', '22P02']) expect(isUnavailable(withCode(code))).toBe(false);
  });
});
