import { callContext } from '@xs2a/calls/context';
import type { BankClient } from '@xs2a/core-banking/nats/bank-client';
import { BankFault } from '@xs2a/core-banking/port/bank-fault';
import { bankSpan } from '@xs2a/core-banking/port/traced-bank';
import { inSpan } from '@xs2a/calls/in-span';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import type { ScaFailures } from './sca-failures.js';

/** Notifies customers by the bank's own channels. */
export interface PsuNotices {
  /** Says that SCA is locked until this ISO instant. A bank that does not answer is no error. */
  locked(psuId: string, until: string): Promise<void>;
}

/** A sandbox has no other channel. */
export const noNotices: PsuNotices = { locked: async () => undefined };

/** How long a bank has to accept a notice, in milliseconds. */
const acceptedWithinMs = 5000;

/** Asks the core bank, for which the question is optional: its client logs a bank that does not answer. */
export const bankNotices = (bank: Pick<BankClient, 'ask'>, clock: Pick<Clock, 'now'>): PsuNotices => ({
  locked: async (psuId, until) => {
    const { requestId = newId(), traceparent, language } = callContext.getStore() ?? {};
    const deadline = performance.now() + acceptedWithinMs;
    const call = { requestId, traceparent, language, at: clock.now(), deadline };
    try {
      await inSpan(bankSpan('tell-psu'), async () =>
        bank.ask('svc.bank.tell-psu', { psuId, event: 'sca-locked', until }, call),
      );
    } catch (error) {
      if (!(error instanceof BankFault)) throw error;
    }
  },
});

/**
 * Has the bank notify each customer whose SCA gets locked. No page waits for it, so the time of an answer does not
 * reveal who is a customer.
 */
export const reportLocks = (
  failures: Pick<ScaFailures, 'onLocked'>,
  notices: PsuNotices,
  logger: Pick<Logger, 'error'>,
): void =>
  failures.onLocked((psuId, until) => {
    notices
      .locked(psuId, until)
      .catch((error: unknown) => logger.error({ error }, 'the notice of an SCA lock failed'));
  });
