import { describe, expect, it } from '@jest/globals';
import { failures } from './failures.js';

describe('the texts of errors (contract 3)', () => {
  it.each(Object.entries(failures))('cite no chapter of the specification in %s', (_name, [, , text]) => {
    expect(text).not.toMatch(/\b(?:spec|contract) \d/);
    expect(text.length).toBeLessThanOrEqual(500);
  });

  it('name the grant and the scope to obtain if the access token has another one', () => {
    const [, , text] = failures.tokenOfWrongKind;
    for (const word of ['authorization_code', 'client_credentials', 'PSP_AI', 'PSP_PI', 'PSP_IC'])
      expect(text).toContain(word);
  });

  it('name payments and baskets if either cannot be cancelled', () => {
    expect(failures.cancellationNotPossible[2]).toMatch(/payment or basket/);
  });
});
