import { describe, expect, it } from '@jest/globals';
import { basketEventTypes } from '../basket/basket-event-types.js';
import { endsTransaction, mayForbidSettlement } from './lost-payment-events.js';
import { paymentEventTypes } from './payment-event-types.js';

describe('lost events of payments (ADR 35)', () => {
  it('forbid settlement if they ended or refused the payment, or if their type is unknown', () => {
    const types = [...Object.keys(paymentEventTypes), ...Object.keys(basketEventTypes), 'of-tomorrow'];
    expect(types.filter(mayForbidSettlement)).toEqual([
      'converted-to-euro',
      'funds-refused',
      'instant-rejected',
      'instant-answered-late',
      'transaction-rejected',
      'transaction-refused',
      'rejected',
      'cancelled',
      'basket-rejected',
      'basket-cancelled',
      'of-tomorrow',
    ]);
  });

  it('forbid settlement only of the occurrence or entry that was refused or rejected', () => {
    expect(
      [...Object.keys(paymentEventTypes), ...Object.keys(basketEventTypes)].filter(endsTransaction),
    ).toEqual(['transaction-rejected', 'transaction-refused']);
  });
});
