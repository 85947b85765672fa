import type { AnswerOf } from '@xs2a/contracts/call';
import type { closeLateInstant } from '@xs2a/contracts/instant/late-instants.contract';
import type { handToSettlement } from '@xs2a/contracts/payments.contract';
import type { trySettlementNow } from '@xs2a/contracts/settlement.contract';

/** What an action did, in one sentence; `isDone` is false if it changed nothing. */
export interface Outcome {
  readonly isDone: boolean;
  readonly sentence: string;
}

export const triedNow = ({ hurried, unfinished }: AnswerOf<typeof trySettlementNow>): Outcome => {
  if (hurried > 0) return { isDone: true, sentence: 'The next attempt is made now.' };
  const sentence =
    unfinished > 0
      ? 'An attempt is under way.'
      : 'No settlement of this payment has failed or is in progress.';
  return { isDone: false, sentence };
};

export const closedLate = ({ closed }: AnswerOf<typeof closeLateInstant>): Outcome =>
  closed
    ? { isDone: true, sentence: 'The payment is closed and no longer listed.' }
    : { isDone: false, sentence: 'No such payment is listed as confirmed after its rejection.' };

export const handedOver = (answer: AnswerOf<typeof handToSettlement>): Outcome => {
  const { transactionStatus, repaired, dueAt, isDue, waits } = answer;
  const isDone = repaired;
  const found = repaired ? 'Its row in the status view was wrong and is repaired. ' : '';
  if (waits)
    return { isDone, sentence: `${found}Events of the payment were lost: release it with xs2a events lost.` };
  if (dueAt === undefined)
    return { isDone, sentence: `${found}Settlement has nothing to do: the payment is ${transactionStatus}.` };
  const due = dueAt.slice(0, 19).replace('T', ' ');
  if (!isDue && transactionStatus === 'ACSC')
    return { isDone, sentence: `${found}It is settled; its pending entry is booked at ${due} UTC.` };
  if (!isDue) return { isDone, sentence: `${found}It is due at ${due} UTC.` };
  return { isDone: true, sentence: `${found}It has been due since ${due} UTC, and settlement has it.` };
};
