/** The figures of a switch-over from leva to euro (contract E6.6). Amounts are in minor units. */
export interface SwitchOverFigures {
  readonly accounts: {
    readonly converted: number;
    readonly bgn: number;
    readonly eur: number;
    /** The sum in euro of the accounts, less the sum in leva converted at once. */
    readonly roundingDifference: number;
  };
  readonly payments: {
    /** Transactions that were due before and were settled in leva. */
    readonly settledBefore: number;
    /** Single payments converted. */
    readonly converted: number;
    readonly orders: number;
    readonly bulks: number;
    readonly rejectedUnsigned: number;
  };
  readonly attention: readonly { readonly paymentId: string; readonly why: 'budget-without-identifier' }[];
}
