import type { BankClient } from '@xs2a/core-banking/nats/bank-client';
import { callContext } from '@xs2a/calls/context';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { randomInt } from 'node:crypto';

interface OtpMessage {
  readonly psuId: string;
  /** Six digits. Never logged. */
  readonly code: string;
  /** The language that the PSU reads. */
  readonly language: string;
}

/** Makes one-time codes and delivers them to the PSU. */
export interface OtpCodes {
  /** They cost the PSU's attention, so that only so many are made. */
  readonly areSent: boolean;
  next(): string;
  /** Throws CallFailed when it cannot be delivered now. */
  deliver(message: OtpMessage): Promise<void>;
}

/** The sandbox's code, and nowhere else's (contract 13); the page shows it, nothing is sent. */
export const sandboxCodes: OtpCodes = {
  areSent: false,
  next: () => '123456',
  deliver: async () => undefined,
};

/** A page waits so long for the code to be sent. */
const deliveredWithinMs = 5000;

/** Random codes, brought to the PSU by the core bank (text message, application). */
export const bankCodes = (bank: BankClient, clock: Clock): OtpCodes => ({
  areSent: true,
  next: () => String(randomInt(1_000_000)).padStart(6, '0'),
  deliver: async (message) => {
    const { requestId = newId(), traceparent } = callContext.getStore() ?? {};
    await bank.ask('svc.bank.deliver-otp', message, {
      requestId,
      traceparent,
      language: message.language,
      at: clock.now(),
      deadline: performance.now() + deliveredWithinMs,
    });
  },
});
