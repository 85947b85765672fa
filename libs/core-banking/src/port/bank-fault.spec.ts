import { describe, expect, it } from '@jest/globals';
import { BankFault, type BankFaultCode, bankFaults } from './bank-fault.js';

describe('a bank that does not respond (contract 3: 503 with Retry-After)', () => {
  it.each(Object.keys(bankFaults) as BankFaultCode[])(
    'results in dependencyDown with a retry time: %s',
    (code) => {
      const { failures, retryable } = new BankFault(code);
      expect(failures).toEqual([
        { failure: 'dependencyDown', retryAfter: retryable ? 1 : 60, dependency: 'core-bank' },
      ]);
    },
  );

  it('causes a refusal with the retry time that the bank requested', () => {
    const { failures } = new BankFault('overloaded', undefined, 7);
    expect(failures).toEqual([{ failure: 'dependencyDown', retryAfter: 7, dependency: 'core-bank' }]);
  });
});
