import type { PayeeResult } from '@xs2a/domain/payee/payees-verified';

/** The texts about the verification of payees (contract 15), in one language. */
export interface PayeesWords {
  /** The label of the result. */
  readonly label: string;
  readonly match: string;
  /** `name` is the holder's name. */
  readonly closeMatch: (name: string) => string;
  readonly noMatch: string;
  readonly notPossible: string;
  /** Follows a result with which the payer takes a risk. */
  readonly liability: string;
  readonly optedOut: string;
  /** The box that confirms that the warning was read, and the button that approves in spite of it. */
  readonly read: string;
  readonly approve: string;
  /** The results in a few words. */
  readonly brief: Readonly<Record<PayeeResult, string>>;
}
