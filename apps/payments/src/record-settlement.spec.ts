import { describe, expect, it } from '@jest/globals';
import type { SettlementRecord } from '@xs2a/contracts/payments.contract';
import { inRounds, recordedOf } from './record-settlement.js';

describe('a batch of settlement steps', () => {
  it('goes in rounds that name a payment once and keep the order of its steps', () => {
    const settled = (paymentId: string): SettlementRecord => ({ paymentId, step: 'settled', postingId: 'p' });
    const booked = (paymentId: string): SettlementRecord => ({ paymentId, step: 'entry-booked' });
    expect(inRounds([settled('a'), settled('b'), booked('a'), settled('c')])).toEqual([
      [settled('a'), settled('b'), settled('c')],
      [booked('a')],
    ]);
    expect(inRounds([])).toEqual([]);
  });

  it('answers nothing but the id for a payment that does not exist', () => {
    expect(recordedOf('a', { refused: { failure: 'resourceUnknown' } }, undefined)).toEqual({
      paymentId: 'a',
      recorded: false,
    });
  });
});
