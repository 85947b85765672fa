import { describe, expect, it } from '@jest/globals';
import { checkReason } from './person-options.js';

const asked = { psuIds: ['maria.p'], ibans: ['BG25XSBK92001000000001'] };

describe('the reason for a request about a person, which is stored permanently', () => {
  it.each(['asked on 2026-12-01, case 17', 'court order 1234/2026', 'дело 15 от 3 март'])(
    'may be %j',
    (reason) => {
      expect(() => checkReason(reason, asked)).not.toThrow();
    },
  );

  it.each(['', '  '])('must not be empty: %j', (reason) => {
    expect(() => checkReason(reason, asked)).toThrow('Give a reason');
  });

  it.each([
    'letter of Maria.P',
    'bg25 xsbk 9200 1000 0000 01',
    'ЕГН 8001010008',
    'account DE89370400440532013000',
  ])('must not name a person or account: %j', (reason) => {
    expect(() => checkReason(reason, asked)).toThrow('name the case');
  });
});
