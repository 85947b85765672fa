import { coreBankName } from '@xs2a/contracts/services';
import { CallFailed } from '@xs2a/domain/failure/failed';

/** Why a bank gave no usable response. After a retryable fault, the same call may succeed if it is repeated. */
export const bankFaults = {
  unavailable: { retryable: true, meaning: 'The bank, or a part of it that this call needs, is down.' },
  overloaded: { retryable: true, meaning: 'The bank is overloaded.' },
  'too-slow': { retryable: true, meaning: 'No answer came before the deadline.' },
  'request-refused': { retryable: false, meaning: 'The bank does not understand the request.' },
  failed: { retryable: false, meaning: 'The bank failed with an internal error.' },
  'answer-malformed': {
    retryable: false,
    meaning: 'The answer does not have the agreed form, or does not match the request.',
  },
} as const satisfies Readonly<Record<string, { readonly retryable: boolean; readonly meaning: string }>>;
export type BankFaultCode = keyof typeof bankFaults;

/** Maximum `Retry-After` in seconds that is accepted from a bank. */
const maxSeconds = 3600;
/** `Retry-After` in seconds: for a retryable fault, and for a fault that an operator has to fix. */
const retryAfterByFault = { retryable: 1, other: 60 };

/**
 * Thrown if the bank gave no usable response. The caller of this service sees the same failure whatever the cause:
 * dependencyDown (503) with a retry time. The command may have been executed all the same, and only a repeat with
 * the same key shows if it was.
 */
export class BankFault extends CallFailed {
  readonly retryable: boolean;

  constructor(
    readonly code: BankFaultCode,
    /** A text for the operator's log, without names, numbers or texts of the bank's customers. */
    readonly detail: string = bankFaults[code].meaning,
    retryAfterSeconds?: number,
  ) {
    const { retryable } = bankFaults[code];
    const wished = retryAfterSeconds ?? (retryable ? retryAfterByFault.retryable : retryAfterByFault.other);
    const retryAfter = Math.min(Math.max(1, wished), maxSeconds);
    super([{ failure: 'dependencyDown', retryAfter, dependency: coreBankName }]);
    this.retryable = retryable;
  }
}
