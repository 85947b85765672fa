import { describe, expect, it } from '@jest/globals';
import { moveDates } from '@xs2a/domain/time/move-dates';
import { withExamplesAt } from './example-dates.js';
import { exampleDay, paymentId } from './examples.js';

describe('dates in examples', () => {
  it('are as far from today as the original dates were from the reference day', () => {
    const example = {
      validUntil: '2027-01-31',
      at: ['2026-11-20T09:30:00.000Z'],
      href: '/v1/x?dateFrom=2026-08-22&dateTo=2026-11-20',
      paymentId,
      amount: 12,
      none: null,
    };
    expect(moveDates(example, exampleDay, exampleDay)).toEqual(example);
    expect(moveDates(example, exampleDay, '2027-11-20')).toEqual({
      ...example,
      validUntil: '2028-01-31',
      at: ['2027-11-20T09:30:00.000Z'],
      href: '/v1/x?dateFrom=2027-08-22&dateTo=2027-11-20',
    });
  });

  it('are moved only in examples, not elsewhere', () => {
    const part = { description: 'since 2026-11-20', content: [{ example: '2026-11-20' }] };
    expect(withExamplesAt(part, '2026-11-21')).toEqual({
      description: 'since 2026-11-20',
      content: [{ example: '2026-11-21' }],
    });
  });
});
