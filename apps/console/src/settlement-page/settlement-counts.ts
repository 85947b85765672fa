import {
  maxCountedLater,
  type SettlementQueue,
  type UnfinishedPayments,
} from '@xs2a/contracts/payments.contract';

type State = UnfinishedPayments['state'];

type Unfinished = Pick<SettlementQueue, 'unfinished'>;

const inState = (queue: Unfinished, state: State): readonly UnfinishedPayments[] =>
  queue.unfinished.filter((group) => group.state === state);

export const countState = (queue: Unfinished, state: State): number =>
  inState(queue, state).reduce((sum, { payments }) => sum + payments, 0);

/** Returns the seconds for which the oldest overdue payment has been due; 0 if none is. */
export const oldestSeconds = (queue: Unfinished): number =>
  Math.max(0, ...inState(queue, 'overdue').map(({ seconds }) => seconds));

/** Formats the number of payments that are due later, which is counted up to a limit. */
export const countText = (later: number): string =>
  later === maxCountedLater ? `${maxCountedLater} or more` : String(later);
