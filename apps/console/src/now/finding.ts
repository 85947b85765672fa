/** Something that is wrong, in one sentence, with the way to its evidence and its repair. */
export interface Finding {
  /** `problem`: customers or TPPs notice it now. `attention`: it needs a person soon. */
  readonly level: 'problem' | 'attention';
  readonly sentence: string;
  readonly details: readonly string[];
  /** The page of the navigation to which it belongs. */
  readonly place: '/services' | '/calls' | '/settlement' | '/push' | '/tpps';
  /** The page that shows why. */
  readonly evidence: { readonly to: string; readonly text: string };
  /** A page in docs/runbooks. */
  readonly runbook: string;
  /** The commands that repair it: one for each way to run the system, or one that fits all. */
  readonly repairs?: readonly Repair[];
}

export interface Repair {
  /** How the system must run for this command: `with npm start`; absent if it does not matter. */
  readonly where?: string;
  readonly command: string;
}
