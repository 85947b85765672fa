import type { PlannedOutcome } from '@xs2a/contracts/sandbox/planned-faults';
import type { Finding } from './finding.js';
import type { OwnLog } from './own-log.js';

/** A button that brings the situation about. */
export type Provoked =
  | { readonly plan: { readonly operation: string; readonly outcome: PlannedOutcome } }
  | { readonly visit: 'foreign-code' | 'error' | 'nok' }
  /** Sends the newest notification again, or a forgery of it. */
  | { readonly send: 'replay' | 'forge' };

/** Something that an application must survive. */
export interface Situation {
  readonly id: string;
  /** One sentence. */
  readonly title: string;
  /** What a good application does. */
  readonly good: string;
  /** What the developer does so that it occurs. */
  readonly how: string;
  /** The path and anchor of the section in the portal that explains the situation. */
  readonly guide: string;
  readonly provoked?: Provoked;
  readonly find: (log: OwnLog) => Finding;
}
export interface Group {
  readonly title: string;
  readonly situations: readonly Situation[];
}

/** The guides to which situations lead. */
export const guideTo = {
  notifications: '/guides/verify-a-notification',
  payments: '/guides/follow-a-payment',
  accounts: '/guides/read-accounts',
  tokens: '/guides/get-a-token',
  tests: '/guides/test-your-tpp',
  signing: '/guides/sign-in-a-test',
} as const;

/** What the developer does first in many situations. */
export const start = 'Make a payment in your application.';
