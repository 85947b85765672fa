import type { NamedAccount, PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import type { SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import type { Language } from '../catalogue/catalogue.js';
import type { AuthorisationKind, ClosedReason } from '../catalogue/approval-kinds.js';
import type { Html } from '@xs2a/html/html';
import type { Outcome, PageState } from '../page-sessions.js';
import type { InstantEnd } from './instant-end.js';

/** The names of the PSU's accounts by IBAN; empty if the bank does not answer in time. */
export type AccountNames = ReadonlyMap<string, NamedAccount>;

/** One line of a review page. */
export interface Row {
  readonly label: string;
  readonly value: Html | string;
  /** The value of a payment's detail on the pages after the review, if it is shorter there. */
  readonly brief?: string;
  /** True for the most important value, which is displayed larger. */
  readonly isAmount?: boolean;
  /** True if the code is bound to this row, which is then repeated on the code page. */
  readonly isSigned?: boolean;
  /** Where a page shows the row, if not in the list: below the amount, as a list of permissions, or folded. */
  readonly place?: 'payee' | 'payeeAccount' | 'payeeCheck' | 'permissions' | 'more';
  /** True if the pages after the review show the row, which the review has in full. */
  readonly isBrief?: boolean;
  /** True if the receipt repeats the row. */
  readonly isOnReceipt?: boolean;
}

/** One payment of a bulk payment, as listed on its review page. */
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
  /** The index of this page among all pages, starting at 0. */
  readonly at: number;
  /** The number of entries on each page. */
  readonly sizes: readonly number[];
}

/**
 * A payment, consent, basket or funds confirmation request that awaits a PSU's decision, with everything that the
 * pages show and the actions that they trigger.
 */
export interface AuthorisationRequest {
  readonly kind: AuthorisationKind;
  readonly tppName: string;
  readonly tppId: string;
  /** The identifier in the TPP's certificate; absent if it was registered without one. */
  readonly tppIdentifier?: string;
  /** The whole minutes until the request expires; absent if that is more than an hour away. */
  readonly minutesLeft?: number;
  /** The account to debit; undefined if nothing is paid. */
  readonly debtorIban?: string;
  /** True if the PSU chooses the accounts on a separate page. */
  readonly picksAccounts: boolean;
  /** The origins to which the browser may be redirected at the end. */
  readonly formTargets: readonly string[];
  /** True if the browser returns to the TPP when the PSU cancels or refuses. */
  readonly hasWayBack: boolean;
  /** True if only a signed-in PSU may refuse: a PSU has already been accepted, so having the link is not enough. */
  readonly refusesSignedIn: boolean;
  /** True if another signer has signed, so this PSU did not start it. */
  readonly isCosigned?: boolean;
  /**
   * Called when the PSU has signed in. Returns an outcome if the flow ends at this point because this PSU may not
   * approve the request.
   */
  identify(psuId: string): Promise<Outcome | undefined>;
  /** Returns the accounts from which the PSU chooses. */
  accounts(psuId: string): Promise<readonly PsuAccount[]>;
  /** True if the request has changed since this PSU saw it or chose the accounts. */
  isOutdated(state: PageState): boolean;
  /** Which of the PSU's accounts the pages name: all, or the one to debit with what it can pay. Absent: none. */
  readonly namedAccounts?: 'all' | { readonly iban: string };
  /** `names` are those of the PSU's accounts; without one, a row shows the IBAN. */
  rows(state: PageState, language: Language, names: AccountNames): readonly Row[];
  /** Returns one page, counted from 0, of the payments of a bulk payment or basket; undefined for a single item. */
  readonly entries?: (language: Language, page: number) => Promise<EntryPage>;
  /** Returns the content to which the one-time code is bound. */
  content(state: PageState): SignedContent;
  /**
   * Called when the PSU has entered the right code. Returns `changed` if the request differs from what the PSU
   * saw; the PSU then reviews it again.
   */
  approve(psuId: string, state: PageState, evidence: SignatureEvidence): Promise<Outcome | 'changed'>;
  /** Verifies the payees. Present as long as that has to be done before the review. */
  readonly verifyPayees?: (psuId: string, language: Language) => Promise<void>;
  /** True if the PSU must confirm that a warning about a payee was read. */
  readonly hasPayeeWarning?: boolean;
  refuse(reason: RejectionReason, psuId: string | undefined): Promise<Outcome>;
  /**
   * Returns the address to which the browser is redirected at the end; undefined if no TPP is waiting, in which
   * case the PSU sees a result page.
   */
  leave(outcome: Outcome, psuId: string | undefined): Promise<string | undefined>;
}

/** The outcome of an authorisation for one PSU, as shown on the pages. */
export interface Decided {
  readonly result: NonNullable<PageState['result']>;
  /** The address to which the browser is redirected. */
  readonly redirect?: string;
}

/** A request with nothing to approve. If `redirect` is set, the browser is sent back to the TPP. */
export interface Closed {
  readonly closed: ClosedReason;
  readonly redirect?: string;
  /** The registered name of the TPP, and what it asked for, if the link names a resource. */
  readonly tppName?: string;
  readonly askedFor?: AuthorisationKind;
  /** Returns the outcome for a PSU who took part in the decision; undefined for anybody else. */
  readonly decided?: (psuId: string) => Promise<Decided | undefined>;
  /**
   * Returns what was decided on, for a PSU who took part in the decision; no rows for anybody else. `signedAt` is
   * the ISO instant of the PSU's signature.
   */
  readonly receipt?: (psuId: string, language: Language, signedAt?: string) => readonly Row[];
  /** What became of an instant payment that all signers have signed. */
  readonly instantEnd?: InstantEnd;
}
