import type { NatsConnection } from '@nats-io/transport-node';
import { counter } from '@xs2a/observability/metrics';
import { type InquiryAnswer, inquirySubject, instanceSubject, serviceOf } from './instances.js';
import { sendTogether } from './send-together.js';

/** A call that is answered later than this has met a busy instance, or one that is frozen or cut off. */
const maxSilenceMs = 400;
/** An instance that works on the call answers an inquiry as fast as one that does not, give or take this. */
const inProgressWithinMs = 100;

const tries = counter(
  'xs2a_call_second_tries_total',
  'Calls that no instance worked on, sent to another instance',
  ['subject'],
);

/** Ends the subject for answers to an inquiry about the call whose answers come to the subject without it. */
export const inquirySuffix = '-inquiry';

/** Milliseconds without an answer after which a call that is waited for so long is inquired about. */
export const silenceBefore = (timeoutMs: number): number => Math.min(maxSilenceMs, timeoutMs / 3);

/** A call that may be made twice, as it was sent. */
export interface SentCall {
  readonly subject: string;
  readonly payload: string | Uint8Array;
  readonly reply: string;
}

/**
 * The second try of an idempotent call (docs/adr/0042): all instances of the service are asked who works on it. When none does,
 * the first that answered gets it, for the same answer and within the same time. There is no third try.
 */
export class SecondTry {
  /** The call was sent for the second time. */
  isSent = false;
  private isOver = false;
  private grace: NodeJS.Timeout | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly call: SentCall,
  ) {}

  inquire(): void {
    const { subject, reply } = this.call;
    this.publish(inquirySubject(serviceOf(subject)), reply, `${reply}${inquirySuffix}`);
  }

  /** An answer to the inquiry. */
  heard(answer: InquiryAnswer): void {
    if (this.isOver) return;
    if ('inProgress' in answer) this.end();
    else this.grace ??= setTimeout(() => this.send(answer.instance), inProgressWithinMs);
  }

  /** The call is answered, given up, or in progress. */
  end(): void {
    this.isOver = true;
    clearTimeout(this.grace);
  }

  private send(instance: string): void {
    this.isOver = true;
    this.isSent = true;
    const { subject, payload, reply } = this.call;
    tries.inc({ subject });
    this.publish(instanceSubject(instance, subject), payload, reply);
  }

  /** A message that cannot be sent changes nothing: the first try is still waited for. */
  private publish(subject: string, payload: string | Uint8Array, reply: string): void {
    sendTogether(
      () => this.nats.publish(subject, payload, { reply }),
      () => undefined,
    );
  }
}
