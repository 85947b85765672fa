import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { counter } from '@xs2a/observability/metrics';
import { type InquiryAnswer, inquirySubject, instanceSubject, parseService } from './instances.js';

/** A call that is answered later than this has met a busy instance, or one that is frozen or cut off. */
const maxSilenceMs = 400;
/** An instance that works on the call answers an inquiry as fast as one that does not, give or take this. */
const inProgressWithinMs = 100;

const tries = counter(
  'xs2a_call_second_tries_total',
  'Calls that no instance worked on, sent to another instance',
  ['subject'],
);

/** Sends a call to a subject, its service's or one instance's, and waits for the answer until the call's deadline. */
export type Send = (subject: string) => Promise<Msg>;

/** An idempotent call, by the id in its envelope. */
export interface IdempotentCall {
  readonly nats: NatsConnection;
  readonly id: string;
  readonly subject: string;
  readonly timeoutMs: number;
}

/**
 * Sends an idempotent call, and once more when it needs it (docs/adr/0024): when it has no answer after 400 ms, all instances of
 * the service are asked whether they work on it. If none does, the first that answered gets the call too, and the first answer of
 * either counts. There is no third try.
 */
export const withSecondTry = async (call: IdempotentCall, send: Send): Promise<Msg> => {
  const { subject, timeoutMs } = call;
  const { promise: answer, resolve, reject } = Promise.withResolvers<Msg>();
  let isOver = false;
  const trySecondInstance = async (): Promise<void> => {
    const instance = await findInstance(call);
    if (instance === undefined || isOver) return;
    tries.inc({ subject });
    resolve(await send(instanceSubject(instance, subject)));
  };
  const idleTimer = setTimeout(
    () => {
      // A second try that fails changes nothing: the first one is still waited for.
      trySecondInstance().catch(() => undefined);
    },
    Math.min(maxSilenceMs, timeoutMs / 3),
  );
  send(subject).then(resolve, reject);
  try {
    return await answer;
  } finally {
    isOver = true;
    clearTimeout(idleTimer);
  }
};

/** An instance that could take the call; undefined when one works on it, or none answers. */
const findInstance = async ({
  nats,
  id,
  subject,
  timeoutMs,
}: IdempotentCall): Promise<string | undefined> => {
  const answers = await nats.requestMany(inquirySubject(parseService(subject)), id, {
    strategy: 'stall',
    stall: inProgressWithinMs,
    maxWait: timeoutMs,
  });
  let found: string | undefined;
  for await (const message of answers) {
    const answer = message.json<InquiryAnswer>();
    if ('inProgress' in answer) return undefined;
    found ??= answer.instance;
  }
  return found;
};
