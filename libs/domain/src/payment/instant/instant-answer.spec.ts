import { describe, expect, it } from '@jest/globals';
import { type InstantAnswer, withKnownReason } from './instant-answer.js';

describe('the reason of a rejected instant payment (contract E3.4)', () => {
  const rejected = (reasonCode: string): InstantAnswer => ({ outcome: 'rejected', reasonCode });

  it.each(['AC04', 'AB08', 'CNOR', 'RR04', '9910'])('is the code of the payee’s bank: %s', (code) => {
    expect(withKnownReason(rejected(code))).toEqual(rejected(code));
  });

  it.each(['', 'ac04', 'AC4', 'AC04 ', 'closed account', 'АС04'])(
    'is MS03 where the bank answers with no ISO 20022 code: "%s"',
    (code) => {
      expect(withKnownReason(rejected(code))).toEqual(rejected('MS03'));
    },
  );

  it('leaves a confirmation as it is', () => {
    expect(withKnownReason({ outcome: 'settled' })).toEqual({ outcome: 'settled' });
  });
});
