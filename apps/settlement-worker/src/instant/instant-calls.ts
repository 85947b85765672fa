import { type HoldOrder, type HoldResult, placeHolds, postHolds } from '@xs2a/contracts/accounts.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type InstantRecord, recordInstants } from '@xs2a/contracts/instant/instant.contract';
import type { InstantOutcome } from '@xs2a/domain/payment/instant/decide-instant';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { CallClient } from '@xs2a/calls/client';
import { type CallContext, callContext } from '@xs2a/calls/context';
import { inTraceOf } from '@xs2a/calls/in-span';
import { StatementQueue } from '@xs2a/postgres/statement-queue';
import { newId } from '@xs2a/runtime/ids';
import { OutOfStep } from '../retry.js';
import type { BeginningHold, FollowUpTable } from './follow-up-table.js';

type Posted = AnswerOf<typeof postHolds>['results'][number];

const maxBatch = 100;
/** A call that takes longer, for example because the bank is slow, does not hold up the payments that come after it. */
const patienceMs = 250;

/** Makes the step of one payment. `ownCall`: with a call that it shares with no other payment. */
type Step<Input, Outcome> = (input: Input, ownCall: boolean) => Promise<Outcome>;

/**
 * The calls of instant payments that take many payments at a time. Payments that reach a step while its call is under
 * way share the next call; at hundreds of payments a second, a call for each would cost most of the processor time. If a
 * call fails, the step of each of its payments has failed; each then continues with calls of its own, so that a payment
 * whose calls always fail does not stop the others.
 */
export class InstantCalls {
  readonly placeHold: Step<HoldOrder, HoldResult>;
  readonly postHold: Step<string, Posted>;
  readonly record: Step<InstantRecord, InstantOutcome>;
  /** As `FollowUpTable.beginHolds`. */
  readonly beginHold: Step<BeginningHold, string>;
  /** As `FollowUpTable.finish`. */
  readonly finishFollowUp: Step<string, undefined>;

  constructor(callClient: CallClient, followUps: Pick<FollowUpTable, 'beginHolds' | 'finish'>) {
    this.placeHold = sharing(2, async (orders) => {
      const { results } = await callClient.call(placeHolds, { orders });
      return inOrder(orders, results);
    });
    this.postHold = sharing(2, async (paymentIds) => {
      const { results } = await callClient.call(postHolds, { paymentIds });
      return inOrder(
        paymentIds.map((paymentId) => ({ paymentId })),
        results,
      );
    });
    // The entries of a bulk payment are recorded in one stream, in which two calls would overtake each other.
    this.record = sharing<InstantRecord, InstantOutcome>(1, async (records) => {
      const { results } = await callClient.call(recordInstants, { records });
      return results.map((result) => ('failure' in result ? callFailed(result.failure) : result));
    });
    // The session of the lock runs one statement at a time.
    this.beginHold = sharing(1, async (holds) => followUps.beginHolds(holds));
    this.finishFollowUp = sharing(1, async (paymentIds) => {
      await followUps.finish(paymentIds);
      return paymentIds.map(() => undefined);
    });
  }
}

interface Waiting<Input> {
  readonly input: Input;
  readonly context: CallContext | undefined;
}

const sharing = <Input, Outcome>(
  inFlight: number,
  run: (inputs: readonly Input[]) => Promise<readonly (Outcome | Error)[]>,
): Step<Input, Outcome> => {
  const queue = new StatementQueue<Waiting<Input>, Outcome>({
    maxBatch,
    inFlight,
    patienceMs,
    run: async (waiting) => inContextOf(waiting, async () => run(waiting.map(({ input }) => input))),
  });
  return async (input, ownCall) => {
    if (!ownCall) return queue.add({ input, context: callContext.getStore() });
    const [outcome] = await run([input]);
    if (outcome instanceof Error) throw outcome;
    return outcome as Outcome;
  };
};

/** A call for one payment belongs to the trace of that payment; a shared one begins a trace that links to theirs. */
const inContextOf = async <Result>(
  waiting: readonly Waiting<unknown>[],
  work: () => Promise<Result>,
): Promise<Result> => {
  const [context] = waiting.map((one) => one.context);
  if (context === undefined) return work();
  if (waiting.length === 1) return callContext.run(context, work);
  const span = { name: 'steps of instant payments', kind: 'INTERNAL', attributes: {} } as const;
  const causes = waiting.map((one) => one.context?.traceparent);
  return inTraceOf(causes, { context: { ...context, requestId: newId() }, span }, work);
};

const inOrder = <Result extends { readonly paymentId: string }>(
  asked: readonly { readonly paymentId: string }[],
  results: readonly Result[],
): readonly (Result | Error)[] => {
  const byId = new Map(results.map((result) => [result.paymentId, result]));
  return asked.map(
    ({ paymentId }) => byId.get(paymentId) ?? new OutOfStep('the bank did not answer for a payment'),
  );
};
