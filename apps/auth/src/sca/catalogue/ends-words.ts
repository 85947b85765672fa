import type { ReasonTexts } from '@xs2a/domain/payment/instant/instant-answer';
import type { ClosedReason, FailureReason, Subject, UnchangedReason } from './approval-kinds.js';

/** The texts of the last pages, in one language. `tpp` is the registered name of a TPP. */
export interface EndsWords {
  readonly done: Readonly<
    Record<
      Subject,
      {
        readonly title: string;
        readonly text: (tpp: string) => string;
        /** What happens next, step by step. */
        readonly next: (tpp: string) => readonly string[];
      }
    >
  >;
  readonly next: string;
  /** How an instant payment goes on after the signature, and how it ended (contract 12). */
  readonly instant: {
    readonly underWay: {
      readonly title: string;
      readonly text: string;
      /** In place of the text once the page no longer renews itself. */
      readonly unknown: string;
    };
    readonly settled: { readonly title: string; readonly text: string };
    /** Follows the title of a failed payment and the reason. */
    readonly rejected: string;
    readonly reason: ReasonTexts;
  };
  /** `missing` is the number of persons who still have to sign. */
  readonly partlyTitle: (missing: number) => string;
  readonly partly: Readonly<Record<Subject, string>>;
  /** The title of a failure, before its reason, and what did not happen. */
  readonly failed: Readonly<Record<Subject, { readonly title: string; readonly text: string }>>;
  readonly reason: Readonly<Record<FailureReason, string>>;
  /** The page after the last wrong code; `time` is when the lock ends. */
  readonly locked: {
    readonly title: (time: string) => string;
    readonly text: string;
    readonly next: string;
    readonly wait: (time: string, tpp: string) => string;
  };
  readonly notified: (tpp: string) => string;
  /** What to do after the time to approve has run out. */
  readonly startAgain: (tpp: string) => string;
  readonly notYou: string;
  readonly callUs: string;
  readonly seeApps: string;
  readonly unchangedTitle: string;
  /** The word for the payment or access, used in {@link unchanged}. */
  readonly subject: Readonly<Record<Subject, string>>;
  readonly unchanged: Readonly<Record<UnchangedReason, (subject: string) => string>>;
  readonly back: (tpp: string) => string;
  readonly close: string;
  readonly seeApprovals: string;
  readonly signedAt: string;
  readonly reference: string;
}

/** The texts of links that have nothing left to decide; `tpp` is undefined if the link does not name a TPP. */
export type ClosedWords = Readonly<
  Record<ClosedReason, { readonly title: string; readonly text: (tpp: string | undefined) => string }>
>;
