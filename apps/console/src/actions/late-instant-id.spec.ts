import { describe, expect, it } from '@jest/globals';
import { lateInstantId, parseLateInstantId } from './late-instant-id.js';

const paymentId = '01a21fcc-0444-75ca-ae73-a3de946a6b48';

describe('the id of an instant payment that was confirmed after its rejection', () => {
  it.each([
    [paymentId, null],
    [`${paymentId}#3`, 3],
  ])('is read as it is written: %s', (id, number) => {
    expect(lateInstantId({ paymentId, number })).toBe(id);
    expect(parseLateInstantId(id)).toEqual({ paymentId, number });
    expect(parseLateInstantId(id.toUpperCase())).toEqual({ paymentId, number });
  });

  it.each(['', '7', `${paymentId} #3`, `${paymentId}#0`, `${paymentId}#3x`, `${paymentId}#`])(
    'is nothing else: "%s"',
    (text) => {
      expect(parseLateInstantId(text)).toBeUndefined();
    },
  );
});
