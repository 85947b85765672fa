import { expect, it } from '@jest/globals';
import { currencyNow } from './consent-grant.js';

it('an account that was granted in leva is in euro after the switch-over, and others stay (contract E5.1)', () => {
  expect(currencyNow({ currency: 'BGN' }, {})).toBe('BGN');
  expect(currencyNow({ currency: 'BGN' }, { levEnd: '2026-01-01' })).toBe('EUR');
  expect(currencyNow({ currency: 'USD' }, { levEnd: '2026-01-01' })).toBe('USD');
});
