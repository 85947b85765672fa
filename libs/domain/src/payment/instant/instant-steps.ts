import type { InstantAnswer, ReasonCode } from './instant-answer.js';

/**
 * A step in the execution of an instant payment. The answer is recorded before the money moves, so that whoever
 * continues after a crash posts or voids the hold by the same answer.
 */
export type InstantStep =
  | {
      /** The amount is held. */
      readonly step: 'held';
      readonly holdId: string;
      readonly transactionId: string;
      /** Real time until which the answer is awaited. @format date-time */
      readonly answerBy: string;
    }
  | { readonly step: 'answered'; readonly answer: InstantAnswer }
  | { readonly step: 'posted'; readonly postingId: string }
  /** No hold remains, because there was none or because it was voided. */
  | { readonly step: 'released'; readonly reasonCode: ReasonCode };

/** What has to be done next for an instant payment; `none` if it has ended or is not due. */
export type InstantProgress =
  | {
      readonly next: 'hold';
      /**
       * Real time until which the answer is awaited; absent for an entry of a bulk payment, whose time begins when it is
       * taken up. So does that of a payment that a move of the sandbox clock made due before. @format date-time
       */
      readonly answerBy?: string;
    }
  | {
      readonly next: 'send';
      /** @format date-time */
      readonly answerBy: string;
    }
  | { readonly next: 'post' }
  | { readonly next: 'void'; readonly reasonCode: ReasonCode }
  | { readonly next: 'none' };

export const none: InstantProgress = { next: 'none' };

export const afterAnswer = (answer: InstantAnswer): InstantProgress =>
  answer.outcome === 'settled' ? { next: 'post' } : { next: 'void', reasonCode: answer.reasonCode };
