import type { BankClient } from '@xs2a/core-banking/nats/bank-client';
import { callContext } from '@xs2a/calls/context';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { randomInt } from 'node:crypto';

interface OtpMessage {
  readonly psuId: string;
  /** Six digits. Never logged. */
  readonly code: string;
  /** The PSU's language. */
  readonly language: string;
}

/** Generates one-time codes and delivers them to the PSU. */
export interface OtpCodes {
  /** True if codes are sent to the PSU. They demand attention, so their number is then limited. */
  readonly areSent: boolean;
  next(): string;
  /** Throws CallFailed if the code cannot be delivered now. */
  deliver(message: OtpMessage): Promise<void>;
}

/** The fixed code, for the sandbox only (contract 13); it is shown on the page and not sent. */
export const sandboxCodes: OtpCodes = {
  areSent: false,
  next: () => '123456',
  deliver: async () => undefined,
};

/** How long a page waits for the code to be delivered. */
const deliveredWithinMs = 5000;

/** Random codes, delivered to the PSU by the core bank (text message, app). */
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
