import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { counter } from '@xs2a/observability/metrics';
import { type InquiryAnswer, inquirySubject, instanceSubject, parseService } from './instances.js';

/**
 * Maximum time in milliseconds without a reply, after which the instance is assumed to be busy, frozen or
 * disconnected.
 */
const maxSilenceMs = 400;
/** Milliseconds to wait for replies to an inquiry, which a busy instance answers about as fast as an idle one. */
const inProgressWithinMs = 100;

const tries = counter(
  'xs2a_call_second_tries_total',
  'Calls resent to another instance because no instance was working on them',
  ['subject'],
);

/** Sends a call to the subject of a service or an instance, and waits for the reply until the call's deadline. */
export type Send = (subject: string) => Promise<Msg>;

/** An idempotent call, identified by the id in its envelope. */
export interface IdempotentCall {
  readonly nats: NatsConnection;
  readonly id: string;
  readonly subject: string;
  readonly timeoutMs: number;
}

/**
 * Sends an idempotent call, and a second time if necessary (docs/adr/0024). If there is no reply after 400 ms, it
 * asks all instances of the service whether they are working on the call. If none is, the first instance that
 * replied receives the call too, and the first reply from either instance counts. There is no third attempt.
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
      // If the second attempt fails, only the first one still counts.
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

/** Returns an instance that can take the call, or undefined if an instance is already working on it or none replies. */
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
