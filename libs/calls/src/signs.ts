import type { NatsConnection } from '@nats-io/transport-node';
import { sendTogether } from './send-together.js';

/** Three of them fit into a caller's silence (requester.ts), so that one late or lost ends no call. */
const signEveryMs = 600;

/**
 * Where it is said that the call with this place for its answer is worked on. Not at that place itself: nats-server would have
 * to remember for 30 seconds of each call, long or not, that more than one message may come there.
 */
export const signSubject = (reply: string): string => `sign.${reply}`;

/** Says now and then, with an empty message, that a call is worked on. One that cannot be sent is not heard: no harm done. */
export const signsOf = (nats: NatsConnection, reply: string): NodeJS.Timeout =>
  setInterval(
    () =>
      sendTogether(
        () => nats.publish(signSubject(reply)),
        () => undefined,
      ),
    signEveryMs,
  );
