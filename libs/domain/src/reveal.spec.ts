import { describe, expect, it } from '@jest/globals';
import { consentReveals, revealableConsentFields } from './consent/consent-reveal.js';
import { paymentStateFields } from './payment/payment-event-types.js';
import { paymentReveals, revealablePaymentFields } from './payment/payment-reveal.js';
import { revealable, storedValues } from './reveal.js';

describe('fields that an operator may have revealed', () => {
  it('are exactly those on the list', () => {
    expect([...revealablePaymentFields.keys()]).toEqual(paymentReveals);
    expect([...revealableConsentFields.keys()]).toEqual(consentReveals);
  });

  it.each([
    ['product', 'a plain member'],
    ['order', 'a member that is plain in part'],
    ['order.amount.minor', 'a plain member of a member'],
    ['nothing', 'a member that the table does not name'],
    ['toString', 'a member of every object'],
  ])('cannot include %s: %s', (member) => {
    const fields = { one: { members: ['order.creditorName', member], read: () => [] } };
    expect(() => revealable(paymentStateFields, fields)).toThrow('one is not encrypted');
  });

  it('have each stored value once', () => {
    expect(storedValues(['a', undefined, 'b', 'a', ''])).toEqual(['a', 'b']);
  });
});
