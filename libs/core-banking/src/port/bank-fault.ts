import { CallFailed } from '@xs2a/domain/failure/failed';

/**
 * The reasons for which a bank gave no usable answer. After a retryable one the same call may succeed when it is
 * repeated.
 */
export const bankFaults = {
  unavailable: { retryable: true, meaning: 'The bank, or a part of it that this call needs, is away.' },
  overloaded: { retryable: true, meaning: 'The bank has too much to do now.' },
  'too-slow': { retryable: true, meaning: 'No answer came before the deadline.' },
  'request-refused': { retryable: false, meaning: 'The bank does not understand the request.' },
  failed: { retryable: false, meaning: 'The bank failed for a reason of its own.' },
  'answer-malformed': {
    retryable: false,
    meaning: 'The answer does not have the agreed form, or is not about what was asked.',
  },
} as const satisfies Readonly<Record<string, { readonly retryable: boolean; readonly meaning: string }>>;
export type BankFaultCode = keyof typeof bankFaults;

/** Max seconds of `Retry-After` that are taken over from a bank. */
const maxSeconds = 3600;
/** Seconds of `Retry-After` for a fault that a person has to fix. */
const retryAfterByFault = { retryable: 1, other: 60 };

/**
 * The bank did not answer. The caller of this service sees the same failure whatever the cause: dependencyDown (503) with
 * a time to try again, since the order may stand all the same and only a repeat with the same key shows it.
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
    super([{ failure: 'dependencyDown', retryAfter }]);
    this.retryable = retryable;
  }
}
