import type { AccessType } from '@xs2a/domain/consent/consent-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { AuthorisationKind } from './approval-kinds.js';
import type { CodeWords } from './code-words.js';
import type { ClosedWords, EndsWords } from './ends-words.js';
import type { PayeesWords } from './payees-words.js';
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
  | 'sign-in-empty'
  | 'code-wrong'
  | 'code-sent'
  | 'code-in-sandbox'
  | 'code-too-soon'
  | 'code-expired'
  | 'too-many-codes'
  | 'no-accounts'
  | 'payee-warning-unread'
  | 'sign-in-to-refuse'
  | 'out-of-date'
  | 'session-ended'
  | 'unlocked'
  | 'withdrawn'
  | 'withdraw-failed'
  | 'order-stopped'
  | 'stop-failed';

/** All page texts in one language. `tpp` is the registered name of a TPP. */
export interface Catalogue {
  readonly languageName: string;
  readonly codes: CodeWords;
  readonly schedule: ScheduleWords;
  /** The texts around every page. */
  readonly frame: {
    readonly sandbox: string;
    readonly sandboxLink: string;
    readonly step: (at: number, of: number) => string;
    readonly minutesLeft: (minutes: number) => string;
    /** Comes before the origin of the pages. */
    readonly realBank: string;
    /** Comes before the phone number. */
    readonly unsure: string;
    readonly approvals: string;
    readonly help: string;
    readonly privacy: string;
  };
  /** The box that says who asks; the texts follow the name of the TPP. */
  readonly who: {
    readonly asks: Readonly<Record<AuthorisationKind, string>>;
    /** The same of a request that is over. */
    readonly asked: Readonly<Record<AuthorisationKind, string>>;
    /** For a TPP that was registered without a certificate. */
    readonly registeredHere: string;
    readonly register: (authority: string) => string;
    readonly bulgarianNationalBank: string;
  };
  readonly signIn: {
    readonly title: string;
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
      Record<
        AuthorisationKind,
        {
          readonly title: string;
          /** The text of the button that approves; a single amount follows it. */
          readonly approve: string;
          /** What does not happen until the PSU enters the code. */
          readonly untilCode: string;
          readonly note?: string;
        }
      >
    >;
    /** Comes before the payee. */
    readonly to: string;
    readonly more: string;
    /** The heading above the payments of a bulk payment or a basket. */
    readonly entries: (count: number) => string;
    /** The fold that contains the other payments. */
    readonly rest: (count: number) => string;
    /** The screen-reader label of the links to the parts of a long list. */
    readonly parts: string;
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
    /** The label for the IBAN of the account to debit, if its name is shown as {@link from}. */
    readonly fromIban: string;
    readonly onBehalfOf: string;
    readonly when: string;
    readonly starts: string;
    readonly ends: string;
    /** Texts of the execution rule: the day before or after a non-banking day. */
    readonly nonBankingDay: string;
    /** The labels for the day of the first payment of a periodic order, and for the days after it. */
    readonly firstDate: string;
    readonly furtherDates: string;
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
    readonly which: string;
    /** In place of `which` among the payments of a basket. */
    readonly mayRead: string;
    readonly what: string;
    readonly howLong: string;
    readonly howOften: string;
  };
  readonly value: {
    readonly atOnce: string;
    /** The same, of an instant payment and of a bulk payment of them (contract 14, E3). */
    readonly instantly: Readonly<Record<'payment' | 'bulk', string>>;
    /** For a payment that other signers must sign after this PSU; `when` is one of the texts above. */
    readonly onceAll: (when: string) => string;
    readonly signed: (persons: number, of: number) => string;
    readonly on: (date: string) => string;
    readonly until: (date: string) => string;
    /** For an access that ends on a day, or earlier if the PSU ends it. */
    readonly untilOrEnded: (date: string) => string;
    readonly timesADay: (times: number) => string;
    readonly whenYouAsk: string;
    readonly oneOff: string;
    readonly allAccounts: string;
    readonly yesOrNo: string;
    /** Comes before the amount that the account can pay. */
    readonly available: string;
    readonly product: Readonly<Record<PaymentProduct, string>>;
    readonly kind: Readonly<Record<'order' | 'bulk', string>>;
    readonly oneEntry: string;
    readonly entryForEach: string;
    readonly payees: (count: number) => string;
    /** Names the payee of the first payment of a bulk payment; others may have the same. */
    readonly firstOf: (payee: string, payments: number) => string;
    /** The text for charges when the bank's fees are not known to this service (spec 1.8). */
    readonly tariff: string;
    /** The text for charges of a periodic order, which are determined on each execution day. */
    readonly tariffOfTheDay: string;
    readonly period: (from: string | undefined, end: string | undefined) => string;
    readonly access: Readonly<Record<AccessType, string>>;
  };
  /** What an app may do and may not do. */
  readonly permissions: Readonly<Record<AccessType | 'paying' | 'yes' | 'no', string>>;
  readonly code: {
    readonly title: string;
    /** Says where the code was sent and, if known, at what time; `sentTo` is the bank's masked text. */
    readonly sent: (sentTo: string | undefined, time: string | undefined) => string;
    readonly sandbox: string;
    readonly wrong: (triesLeft: number) => string;
    /** Says until what time signing is locked. */
    readonly locked: (time: string) => string;
    readonly resend: string;
    readonly label: string;
    readonly submit: Readonly<Record<AuthorisationKind, string>>;
  };
  readonly refuse: Readonly<Record<AuthorisationKind, string>>;
  /** The text to refuse what another signer has started and signed. */
  readonly refuseCosigned: string;
  /** Cancels a request after which the browser does not return to the TPP. */
  readonly cancelHere: string;
  readonly cancelTo: (tpp: string) => string;
  /** The first word of the title of a page that shows an error of the last form. */
  readonly error: string;
  /** The heading of the summary of that error. */
  readonly problem: string;
  readonly signOut: string;
  /** The screen-reader label of the navigation between the PSU's own pages. */
  readonly places: string;
  /** The link from a page without a form back to the page with the form. */
  readonly openAgain: string;
  readonly notice: Readonly<Record<Notice, (phone: string) => string>>;
  readonly closed: ClosedWords;
  readonly ends: EndsWords;
  readonly payees: PayeesWords;
  /** The PSU's own page. */
  readonly approvals: { readonly title: string; readonly lead: string };
  readonly orders: {
    readonly title: string;
    readonly none: string;
    readonly stop: string;
    readonly stopAsk: string;
    readonly stopNow: string;
    readonly stopLabel: (payee: string) => string;
  };
  readonly apps: {
    readonly title: string;
    readonly none: string;
    readonly status: Readonly<Record<'valid' | 'ended' | 'waiting', string>>;
    readonly lastUsed: (when: string) => string;
    /** The fold with the times of the last accesses. */
    readonly recentUses: (count: number) => string;
    /** The heading above the TPPs that no longer have access. */
    readonly ended: (count: number) => string;
    readonly withdraw: string;
    /** Asks once more, and the button that then withdraws. */
    readonly withdrawAsk: (tpp: string) => string;
    readonly withdrawNow: string;
    readonly withdrawLabel: (tpp: string) => string;
  };
  readonly payments: {
    readonly title: string;
    readonly none: string;
    readonly receipt: string;
    readonly state: string;
    /** The state of an instant payment that was rejected. */
    readonly notMade: (reason: string) => string;
    readonly status: Readonly<
      Record<
        | 'partly'
        | 'waiting'
        | 'unfunded'
        | 'executing'
        | 'done'
        | 'partlyDone'
        | 'someDone'
        | 'firstToCome'
        | 'running'
        | 'ended'
        | 'cancelled'
        | 'stopped'
        | 'stoppedBySigner'
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
