import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import type { ApprovalKind, ClosedReason, Language } from '../catalogue/catalogue.js';
import type { Html } from '@xs2a/html/html';
import type { Outcome, PageState } from '../page-sessions.js';

/** One line of a review page. */
export interface Row {
  readonly label: string;
  readonly value: Html | string;
  /** Set larger: what matters most. */
  readonly isAmount?: boolean;
  /** Whether the code is bound to this row, which the code page therefore repeats. */
  readonly isSigned?: boolean;
}

/** One payment of a bulk payment, as its review lists it. */
export interface Entry {
  readonly payee: string;
  readonly account: Html;
  readonly amount: Html;
  readonly remittance: string;
  /** What else was sent about it. */
  readonly details: readonly Row[];
}

/** Something that waits for a PSU's approval: all that the pages have to know and to do about it. */
export interface Approval {
  readonly kind: ApprovalKind;
  readonly tppName: string;
  /** The PSU chooses the accounts on a page of its own. */
  readonly picksAccounts: boolean;
  /** Origins to which the browser may be sent at the end. */
  readonly formTargets: readonly string[];
  /** Refusing needs a sign-in: somebody was accepted already, so the link alone decides nothing. */
  readonly refusesSignedIn: boolean;
  /** The PSU has signed in. An outcome: it is over, this PSU may not approve it. */
  identify(psuId: string): Promise<Outcome | undefined>;
  /** The accounts to choose from. */
  accounts(psuId: string): Promise<readonly PsuAccount[]>;
  /** Is it no longer what this PSU was shown or picked? */
  isOutdated(state: PageState): boolean;
  rows(state: PageState, language: Language): readonly Row[];
  /** The payments that one approval is for; absent where it is for one thing. */
  readonly entries?: (language: Language) => readonly Entry[];
  /** The content to which the one-time code is bound. */
  content(state: PageState): SignedContent;
  /** The PSU approved with a right code. `changed`: it is no longer what the PSU saw, who has to look again. */
  approve(psuId: string, state: PageState): Promise<Outcome | 'changed'>;
  refuse(reason: RejectionReason, psuId: string | undefined): Promise<Outcome>;
  /** Where the browser goes now; undefined: nobody waits for it, the PSU sees a result page. */
  leave(outcome: Outcome, psuId: string | undefined): Promise<string | undefined>;
}

/** Nothing to approve here; with `redirect` somebody waits for the browser all the same. */
export interface Closed {
  readonly closed: ClosedReason;
  readonly redirect?: string;
}
