import type { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { histogram } from '@xs2a/observability/metrics';
import type { BankCall } from '../port/bank-call.js';
import { BankFault } from '../port/bank-fault.js';
import type { BankContext, BankMessages, BankSubject } from './bank-messages.js';
import { readAnswer } from './read-answer.js';

/**
 * Milliseconds before its deadline at which a call may already time out: `timeoutMs` is rounded down, and a timer
 * may fire up to 1 ms early.
 */
const roundingMs = 2;

const seconds = histogram('xs2a_bank_call_seconds', 'Time until the core bank answered', [
  'subject',
  'outcome',
]);

/** Calls a bank over NATS. The request is the JSON `{context, request}`, the reply `{ok}` or `{error}`. */
export class BankClient {
  constructor(
    private readonly callClient: Pick<CallClient, 'ask'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Throws BankFault if there is no reply, the bank returns an error, or the response does not match the schema. */
  async ask<Subject extends BankSubject>(
    subject: Subject,
    request: BankMessages[Subject]['request'],
    call: BankCall,
  ): Promise<BankMessages[Subject]['answer']> {
    return this.observed(subject, call, async () =>
      readAnswer(subject, await this.exchange(subject, request, call)),
    );
  }

  /** Runs a call, and records how long the bank took and any fault found in its response. */
  async observed<Answer>(subject: BankSubject, call: BankCall, work: () => Promise<Answer>): Promise<Answer> {
    const end = seconds.startTimer({ subject });
    try {
      const answer = await work();
      end({ outcome: 'ok' });
      return answer;
    } catch (error) {
      if (!(error instanceof BankFault)) throw error;
      const { code, detail } = error;
      end({ outcome: code });
      this.logger.warn({ subject, code, detail, requestId: call.requestId }, 'the core bank did not answer');
      throw error;
    }
  }

  private async exchange(subject: string, request: unknown, call: BankCall): Promise<Uint8Array> {
    const { deadline, ...said } = call;
    const timeoutMs = Math.floor(deadline - performance.now());
    if (timeoutMs <= 0) throw new BankFault('too-slow');
    const context: BankContext = { ...said, timeoutMs };
    try {
      return await this.callClient.ask(subject, JSON.stringify({ context, request }), timeoutMs);
    } catch {
      throw new BankFault(performance.now() < deadline - roundingMs ? 'unavailable' : 'too-slow');
    }
  }
}
