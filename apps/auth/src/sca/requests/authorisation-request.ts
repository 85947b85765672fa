import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import type { AuthorisationKind, ClosedReason, Language } from '../catalogue/catalogue.js';
import type { Html } from '@xs2a/html/html';
import type { Outcome, PageState } from '../page-sessions.js';

/** One line of a review page. */
export interface Row {
  readonly label: string;
  readonly value: Html | string;
  /** Set larger: what matters most. */
  readonly isAmount?: boolean;
  /** True if the code is bound to this row, which the code page therefore repeats. */
  readonly isSigned?: boolean;
}

/** One payment of a bulk payment, as its review lists it. */
export interface Entry {
  readonly payee: string;
  readonly account: Html;
  readonly amount: Html;
  readonly remittance: string;
  /** The other values that were sent with the decision. */
  readonly details: readonly Row[];
}

/** One page of a list of payments. */
export interface EntryPage {
  readonly entries: readonly Entry[];
  /** Its place among the pages, from 0. */
  readonly at: number;
  /** Number of entries on each of the pages. */
  readonly sizes: readonly number[];
}

/** A payment, consent, basket or request for funds confirmation that waits for a PSU: all that the pages show and do. */
export interface AuthorisationRequest {
  readonly kind: AuthorisationKind;
  readonly tppName: string;
  readonly tppId: string;
  /** The account that pays; absent where nothing is paid. */
  readonly debtorIban?: string;
  /** The PSU chooses the accounts on a separate page. */
  readonly picksAccounts: boolean;
  /** Origins to which the browser may be sent at the end. */
  readonly formTargets: readonly string[];
  /** Refusing needs a sign-in: somebody was accepted already, so the link is not enough. */
  readonly refusesSignedIn: boolean;
  /** Called when the PSU has signed in. Returns an outcome if the flow ends here, since this PSU may not approve it. */
  identify(psuId: string): Promise<Outcome | undefined>;
  /** The accounts to choose from. */
  accounts(psuId: string): Promise<readonly PsuAccount[]>;
  /** True if it has changed since this PSU saw it or chose accounts. */
  isOutdated(state: PageState): boolean;
  rows(state: PageState, language: Language): readonly Row[];
  /** A page, from 0, of the payments of a bulk payment or basket; absent where one thing is authorised. */
  readonly entries?: (language: Language, page: number) => Promise<EntryPage>;
  /** The content to which the one-time code is bound. */
  content(state: PageState): SignedContent;
  /** Called when the PSU has entered the right code. `changed`: it is no longer what the PSU saw, who reviews it again. */
  approve(psuId: string, state: PageState): Promise<Outcome | 'changed'>;
  refuse(reason: RejectionReason, psuId: string | undefined): Promise<Outcome>;
  /** The address to which the browser is sent at the end; undefined: no TPP waits for it, the PSU sees a result page. */
  leave(outcome: Outcome, psuId: string | undefined): Promise<string | undefined>;
}

/** The end of an authorisation for one PSU, as the pages show it. */
export interface Decided {
  readonly result: NonNullable<PageState['result']>;
  /** The address to which the browser is sent. */
  readonly redirect?: string;
}

/** There is nothing to approve; with `redirect` the browser is sent back to the TPP. */
export interface Closed {
  readonly closed: ClosedReason;
  readonly redirect?: string;
  /** The end for a PSU who took part in it; undefined for anybody else. */
  readonly decided?: (psuId: string) => Promise<Decided | undefined>;
}
