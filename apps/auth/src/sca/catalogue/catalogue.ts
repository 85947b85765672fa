import type { AccessType } from '@xs2a/domain/consent/consent-events';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { CodeWords } from './code-words.js';
import type { ScheduleWords } from './schedule-words.js';

/** The languages of the pages (contract 12). */
export const languages = ['bg', 'en'] as const;
export type Language = (typeof languages)[number];

/** A notice about the form that the PSU has just sent; it is shown above the next one. */
export type Notice =
  | 'sign-in-failed'
  | 'code-wrong'
  | 'code-expired'
  | 'too-many-codes'
  | 'no-accounts'
  | 'sign-in-to-refuse'
  | 'out-of-date'
  | 'session-ended'
  | 'withdrawn'
  | 'withdraw-failed';

/** The payment initiations: a single payment, a periodic order, a bulk payment. */
export type PaymentKind = 'payment' | 'order' | 'bulk';

/** Kind of the thing that a PSU is asked to approve. */
export type AuthorisationKind = PaymentKind | 'basket' | 'consent' | 'renewal' | 'funds';

/** The thing that was approved or not, as the last page names it; `access` is that of a consent or for funds confirmation. */
export type Subject = PaymentKind | 'basket' | 'access';

/** Why there is nothing to authorise behind a link; `signed`: this signature exists, others are missing. */
export type ClosedReason = 'unknown' | 'used' | 'expired' | 'signed' | 'grouped';

/** Why an authorisation failed, as the PSU reads it; the two that name another person are one text. */
export type FailureReason = RejectionReason | 'terminated-by-tpp' | 'no-longer-possible';

/** Why a PSU could do nothing although the payment continues. */
export type UnchangedReason = 'signed-before' | 'signed-by-another' | 'taken-by-another';

/** All texts of the pages in one language. `tpp` is a TPP's registered name. */
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
    /** Over the payments of a bulk payment or a basket. */
    readonly entries: (count: number) => string;
    /** Name of the links to the parts of a long list, for screen readers. */
    readonly parts: string;
    readonly hint: string;
    readonly approve: string;
    readonly refuse: string;
  };
  readonly row: {
    readonly amount: string;
    /** The amount of each payment of a periodic order. */
    readonly each: string;
    /** The amount of all payments of a bulk payment or a basket. */
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
    /** Texts of the execution rule: the day before or after one that is no banking day. */
    readonly nonBankingDay: string;
    /** The first days on which a periodic order pays. */
    readonly firstDates: string;
    readonly nextDate: string;
    /** Texts of batch booking: one entry in the history, or one for each payment. */
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
    /** The same where others have to sign after this person. */
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
    /** The payees of a bulk payment by the first one's name. */
    readonly andOthers: (payee: string, others: number) => string;
    /** Charges of a bank whose fees are not known here (spec 1.8). */
    readonly tariff: string;
    /** Charges of a periodic order, known on each day of execution. */
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
  /** Name of the navigation between the PSU's own pages, for screen readers. */
  readonly places: string;
  /** The link from a page without a form to the page that has it. */
  readonly openAgain: string;
  readonly notice: Readonly<Record<Notice, string>>;
  readonly closed: Readonly<Record<ClosedReason, { readonly title: string; readonly text: string }>>;
  readonly result: {
    readonly authorised: Readonly<
      Record<Subject, { readonly title: string; readonly text: (tpp: string) => string }>
    >;
    readonly partlyTitle: string;
    readonly partly: Readonly<Record<Subject, string>>;
    /** Number of persons who still have to sign. */
    readonly missing: (persons: number) => string;
    readonly failedTitle: string;
    readonly failed: Readonly<Record<Subject, string>>;
    readonly close: string;
    readonly unchangedTitle: string;
    /** The word for the payment or access in {@link unchanged}. */
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
    /** Over those that no longer have access. */
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
  /** A form of which nobody can say whether it was carried out. */
  readonly unsure: { readonly title: string; readonly text: string };
  readonly forbidden: { readonly title: string; readonly text: string };
  readonly notFound: { readonly title: string; readonly text: string };
  readonly oauthError: { readonly title: string; readonly text: string; readonly code: string };
}
