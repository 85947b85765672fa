import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { PlannedFaultDto } from './planned-fault.dto.js';

const errorsFor = (operation: string): unknown[] =>
  validateSync(Object.assign(new PlannedFaultDto(), { operation, outcome: 'none' })).flatMap(
    ({ constraints }) => Object.values(constraints ?? {}),
  );

describe('the operation of a planned fault (contract 13)', () => {
  it('is initiatePayment for all payment services, and the refusal of initiateBulkPayment says so', () => {
    expect(errorsFor('initiatePayment')).toEqual([]);
    expect(errorsFor('initiateBulkPayment')).toEqual([
      expect.stringMatching(/initiatePayment, are for orders and bulk payments too/),
    ]);
  });
});
