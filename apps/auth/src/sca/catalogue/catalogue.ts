import type { AccessType } from '@xs2a/domain/consent/consent-events';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { CodeWords } from './code-words.js';
import type { ScheduleWords } from './schedule-words.js';

/** The languages of the pages (contract 12). */
export const languages = ['bg', 'en'] as const;
export type Language = (typeof languages)[number];

/**
 * A notice about the form that the PSU has just sent, shown above the next form; `unlocked` follows the sign-in form
 * after the bank lifted a lock.
 */
export type Notice =
  | 'sign-in-failed'
  | 'code-wrong'
  | 'code-expired'
  | 'too-many-codes'
  | 'no-accounts'
  | 'sign-in-to-refuse'
  | 'out-of-date'
  | 'session-ended'
  | 'unlocked'
  | 'withdrawn'
  | 'withdraw-failed';

/** The payment types: single payment, periodic order, bulk payment. */
export type PaymentKind = 'payment' | 'order' | 'bulk';

/** The kind of resource that a PSU is asked to approve. */
export type AuthorisationKind = PaymentKind | 'basket' | 'consent' | 'renewal' | 'funds';

/** What was approved or rejected, as named on the last page; `access` covers consents and funds confirmation. */
export type Subject = PaymentKind | 'basket' | 'access';

/** Why a link has nothing left to authorise. `signed`: this signature has been given, but others are still missing. */
export type ClosedReason = 'unknown' | 'used' | 'expired' | 'signed' | 'grouped';

/** Why an authorisation failed, as shown to the PSU. The two reasons that involve another signer share one text. */
export type FailureReason = RejectionReason | 'terminated-by-tpp' | 'no-longer-possible';

/** Why the PSU could not act on a payment that is still in progress. */
export type UnchangedReason = 'signed-before' | 'signed-by-another' | 'taken-by-another';

/** All page texts in one language. `tpp` is the registered name of a TPP. */
export interface Catalogue {
  readonly languageName: string;
  readonly codes: CodeWords;
  readonly schedule: ScheduleWords;
  readonly signIn: {
    readonly title: string;
    readonly lead: (tpp: string) => string;
    readonly ownLead: string;
    readonly psuId: string;
    readonly password: string;
    readonly submit: string;
  };
  readonly accounts: {
    readonly title: string;
    readonly lead: (tpp: string) => string;
    readonly legend: string;
    readonly none: string;
    readonly main: string;
    readonly submit: string;
  };
  readonly review: {
    readonly of: Readonly<
      Record<AuthorisationKind, { readonly title: string; readonly lead: (tpp: string) => string }>
    >;
    /** The heading above the payments of a bulk payment or a basket. */
    readonly entries: (count: number) => string;
    /** The screen-reader label of the links to the parts of a long list. */
    readonly parts: string;
    readonly hint: string;
    readonly approve: string;
    readonly refuse: string;
  };
  readonly row: {
    readonly amount: string;
    /** The label for the amount of each payment of a periodic order. */
    readonly each: string;
    /** The label for the total of a bulk payment or a basket. */
    readonly sum: string;
    readonly numberOfPayments: string;
    readonly payee: string;
    readonly payeeAccount: string;
    readonly payeeBank: string;
    readonly from: string;
    readonly onBehalfOf: string;
    readonly when: string;
    readonly starts: string;
    readonly ends: string;
    /** Texts of the execution rule: the day before or after a non-banking day. */
    readonly nonBankingDay: string;
    /** The label for the first payment dates of a periodic order. */
    readonly firstDates: string;
    readonly nextDate: string;
    /** Texts for batch booking: one entry in the account history, or one per payment. */
    readonly inHistory: string;
    readonly signatures: string;
    readonly type: string;
    readonly serviceLevel: string;
    readonly charges: string;
    readonly chargeBearer: string;
    readonly rate: string;
    readonly total: string;
    readonly purpose: string;
    readonly bankReference: string;
    readonly remittance: string;
    readonly obligedPerson: string;
    readonly taxpayer: string;
    readonly reportType: string;
    readonly document: string;
    readonly category: string;
    readonly period: string;
    readonly who: string;
    readonly which: string;
    readonly what: string;
    readonly howLong: string;
    readonly howOften: string;
  };
  readonly value: {
    readonly atOnce: string;
    /** The same text for a payment that other signers must sign after this PSU. */
    readonly atOnceAll: string;
    readonly signed: (persons: number, of: number) => string;
    readonly on: (date: string) => string;
    readonly until: (date: string) => string;
    readonly untilWithdrawn: string;
    readonly timesADay: (times: number) => string;
    readonly whenYouAsk: string;
    readonly oneOff: string;
    readonly allAccounts: string;
    readonly yesOrNo: string;
    readonly product: Readonly<Record<PaymentProduct, string>>;
    readonly kind: Readonly<Record<'order' | 'bulk', string>>;
    readonly oneEntry: string;
    readonly entryForEach: string;
    /** Names the payees of a bulk payment: the first payee and the number of others. */
    readonly andOthers: (payee: string, others: number) => string;
    /** The text for charges when the bank's fees are not known to this service (spec 1.8). */
    readonly tariff: string;
    /** The text for charges of a periodic order, which are determined on each execution day. */
    readonly tariffOfTheDay: string;
    readonly period: (from: string | undefined, end: string | undefined) => string;
    readonly access: Readonly<Record<AccessType, string>>;
  };
  readonly code: {
    readonly title: string;
    readonly lead: string;
    readonly sandbox: string;
    readonly label: string;
    readonly submit: string;
  };
  readonly cancel: string;
  readonly signOut: string;
  /** The screen-reader label of the navigation between the PSU's own pages. */
  readonly places: string;
  /** The link from a page without a form back to the page with the form. */
  readonly openAgain: string;
  readonly notice: Readonly<Record<Notice, string>>;
  readonly closed: Readonly<Record<ClosedReason, { readonly title: string; readonly text: string }>>;
  readonly result: {
    readonly authorised: Readonly<
      Record<Subject, { readonly title: string; readonly text: (tpp: string) => string }>
    >;
    readonly partlyTitle: string;
    readonly partly: Readonly<Record<Subject, string>>;
    /** States how many signers still have to sign. */
    readonly missing: (persons: number) => string;
    readonly failedTitle: string;
    readonly failed: Readonly<Record<Subject, string>>;
    readonly close: string;
    readonly unchangedTitle: string;
    /** The word for the payment or access, used in {@link unchanged}. */
    readonly subject: Readonly<Record<Subject, string>>;
    readonly unchanged: Readonly<Record<UnchangedReason, (subject: string) => string>>;
    readonly reason: Readonly<Record<FailureReason, string>>;
  };
  readonly apps: {
    readonly title: string;
    readonly lead: string;
    readonly none: string;
    readonly status: Readonly<Record<'valid' | 'ended' | 'waiting', string>>;
    readonly lastUsed: (when: string) => string;
    /** The heading above the TPPs that no longer have access. */
    readonly ended: (count: number) => string;
    readonly withdraw: string;
    readonly withdrawLabel: (tpp: string) => string;
  };
  readonly payments: {
    readonly title: string;
    readonly lead: string;
    readonly none: string;
    readonly signedAt: string;
    readonly state: string;
    readonly status: Readonly<
      Record<
        | 'partly'
        | 'waiting'
        | 'unfunded'
        | 'executing'
        | 'done'
        | 'partlyDone'
        | 'firstToCome'
        | 'running'
        | 'ended'
        | 'cancelled'
        | 'refused'
        | 'lapsed'
        | 'rejected',
        string
      >
    >;
  };
  readonly unavailable: { readonly title: string; readonly text: string };
  readonly busy: { readonly title: string; readonly text: string };
  /** Shown when it is unknown whether a form was processed. */
  readonly unsure: { readonly title: string; readonly text: string };
  readonly forbidden: { readonly title: string; readonly text: string };
  readonly notFound: { readonly title: string; readonly text: string };
  readonly oauthError: { readonly title: string; readonly text: string; readonly code: string };
}
