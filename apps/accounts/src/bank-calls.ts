import { Injectable } from '@nestjs/common';
import type { Call } from '@xs2a/contracts/call';
import type { BankCall } from '@xs2a/core-banking/port/bank-call';
import { callContext } from '@xs2a/calls/context';
import { timeoutBefore } from '@xs2a/calls/deadline';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';

/**
 * Milliseconds of the caller's timeout reserved, in addition to those of `timeoutBefore`, for returning the response
 * and, if the bank does not answer, for uncounting the call.
 */
export const wayBackMs = 300;

/**
 * Creates the {@link BankCall} for each request to the bank from the current call: request id, trace, language,
 * time and deadline.
 */
@Injectable()
export class BankCalls {
  constructor(private readonly clock: Clock) {}

  /**
   * Creates a bank call that ends `reservedMs` before the caller of this contract stops waiting; less is enough for a
   * call that is not counted.
   */
  within({ timeoutMs }: Pick<Call<unknown, unknown>, 'timeoutMs'>, reservedMs = wayBackMs): BankCall {
    const { requestId = newId(), traceparent, language, deadline: outer } = callContext.getStore() ?? {};
    const deadline = performance.now() + timeoutBefore(outer, timeoutMs) - reservedMs;
    return { requestId, traceparent, language, at: this.clock.now(), deadline };
  }
}
