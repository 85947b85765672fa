import { Injectable } from '@nestjs/common';
import type { Call } from '@xs2a/contracts/call';
import type { BankCall } from '@xs2a/core-banking/port/bank-call';
import { callContext } from '@xs2a/calls/context';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';

/**
 * Milliseconds of the caller's timeout that are kept for the answer's way back, and for giving a counted access back
 * when the bank does not answer.
 */
const wayBackMs = 300;

/**
 * Makes the {@link BankCall} of each question to the bank from the call that is being answered: request id, trace,
 * language, time and deadline.
 */
@Injectable()
export class BankCalls {
  constructor(private readonly clock: Clock) {}

  /** A question that is answered while the caller of this contract still waits. */
  within({ timeoutMs }: Pick<Call<unknown, unknown>, 'timeoutMs'>): BankCall {
    const { requestId = newId(), traceparent, language } = callContext.getStore() ?? {};
    const deadline = performance.now() + timeoutMs - wayBackMs;
    return { requestId, traceparent, language, at: this.clock.now(), deadline };
  }
}
