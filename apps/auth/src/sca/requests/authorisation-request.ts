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
  /** Displayed larger, for the most important value. */
  readonly isAmount?: boolean;
  /** True if the code is bound to this row; the code page then repeats it. */
  readonly isSigned?: boolean;
}

/** One payment of a bulk payment, as listed in its review. */
export interface Entry {
  readonly payee: string;
  readonly account: Html;
  readonly amount: Html;
  readonly remittance: string;
  /** All other values submitted with the payment. */
  readonly details: readonly Row[];
}

/** One page of a list of payments. */
export interface EntryPage {
  readonly entries: readonly Entry[];
  /** Its index among the pages, from 0. */
  readonly at: number;
  /** Number of entries on each page. */
  readonly sizes: readonly number[];
}

/**
 * A payment, consent, basket or funds confirmation request that awaits a PSU's decision: everything that the pages
 * show and do.
 */
export interface AuthorisationRequest {
  readonly kind: AuthorisationKind;
  readonly tppName: string;
  readonly tppId: string;
  /** The account to debit; absent if nothing is paid. */
  readonly debtorIban?: string;
  /** The PSU chooses the accounts on a separate page. */
  readonly picksAccounts: boolean;
  /** Origins to which the browser may be redirected at the end. */
  readonly formTargets: readonly string[];
  /** Refusing requires a sign-in: somebody has already been accepted, so the link is not enough. */
  readonly refusesSignedIn: boolean;
  /**
   * Called when the PSU has signed in. Returns an outcome if the flow ends here because this PSU may not approve
   * the request.
   */
  identify(psuId: string): Promise<Outcome | undefined>;
  /** The accounts to choose from. */
  accounts(psuId: string): Promise<readonly PsuAccount[]>;
  /** True if the request has changed since this PSU saw it or chose accounts. */
  isOutdated(state: PageState): boolean;
  rows(state: PageState, language: Language): readonly Row[];
  /** One page, from 0, of the payments of a bulk payment or basket; absent for a single item. */
  readonly entries?: (language: Language, page: number) => Promise<EntryPage>;
  /** The content that the one-time code is bound to. */
  content(state: PageState): SignedContent;
  /**
   * Called when the PSU has entered the right code. `changed`: it differs from what the PSU saw, so the PSU
   * reviews it again.
   */
  approve(psuId: string, state: PageState): Promise<Outcome | 'changed'>;
  refuse(reason: RejectionReason, psuId: string | undefined): Promise<Outcome>;
  /**
   * The address to which the browser is finally sent; undefined if no TPP is waiting, in which case the PSU sees a
   * result page.
   */
  leave(outcome: Outcome, psuId: string | undefined): Promise<string | undefined>;
}

/** The outcome of an authorisation for one PSU, as shown on the pages. */
export interface Decided {
  readonly result: NonNullable<PageState['result']>;
  /** The address to which the browser is sent. */
  readonly redirect?: string;
}

/** There is nothing to approve; with `redirect`, the browser is sent back to the TPP. */
export interface Closed {
  readonly closed: ClosedReason;
  readonly redirect?: string;
  /** The outcome for a PSU who took part; undefined for anybody else. */
  readonly decided?: (psuId: string) => Promise<Decided | undefined>;
}
