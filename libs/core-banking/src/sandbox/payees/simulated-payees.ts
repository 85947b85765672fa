import type { PayeeAnswer } from '../../port/payees.js';
import type { PayeeOutcome } from '../simulation/simulation.dto.js';

interface SimulatedPayee {
  /** Absent: the answer is the usual one. */
  readonly answer?: PayeeAnswer;
  readonly afterMs?: number;
}

/** What verifying the payees of a PSU's next payments gives, by the outcome that a TPP asked for (contract 13). */
export const simulatedPayees: Readonly<Record<PayeeOutcome, SimulatedPayee>> = {
  'payee-match': { answer: { verdict: 'MATCH' } },
  'payee-close': { answer: { verdict: 'CLOSE_MATCH', name: 'Пример Примеров' } },
  'payee-no-match': { answer: { verdict: 'NO_MATCH' } },
  'payee-not-possible': { answer: { verdict: 'NOT_POSSIBLE', reason: 'bank-not-reached' } },
  'payee-slow': { afterMs: 2000 },
};
