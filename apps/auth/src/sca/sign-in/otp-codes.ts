import type { BankClient } from '@xs2a/core-banking/nats/bank-client';
import { bankSpan } from '@xs2a/core-banking/port/traced-bank';
import { callContext } from '@xs2a/calls/context';
import { inSpan } from '@xs2a/calls/in-span';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { randomInt } from 'node:crypto';

export interface OtpMessage {
  readonly psuId: string;
  /** The six-digit code. It is never logged. */
  readonly code: string;
  readonly language: string;
}

/** Generates one-time codes and delivers them to the PSU. */
export interface OtpCodes {
  /** True if codes are sent to the PSU. Each message disturbs the PSU, so their number is limited. */
  readonly areSent: boolean;
  next(): string;
  /**
   * Returns where the code was sent, masked by the bank, if the bank says so. Throws CallFailed if the code cannot be
   * delivered at the moment.
   */
  deliver(message: OtpMessage): Promise<string | undefined>;
}

/** The fixed code of the sandbox (contract 13); it is shown on the page and not sent. */
export const sandboxCodes: OtpCodes = {
  areSent: false,
  next: () => '123456',
  deliver: async () => undefined,
};

/** How long a page waits for the delivery of the code, in milliseconds. */
const deliveredWithinMs = 5000;

/** Random codes that the core bank delivers to the PSU (by text message or app). */
export const bankCodes = (bank: BankClient, clock: Clock): OtpCodes => ({
  areSent: true,
  next: () => String(randomInt(1_000_000)).padStart(6, '0'),
  deliver: async (message) => {
    const deadline = performance.now() + deliveredWithinMs;
    return inSpan(bankSpan('deliver-otp'), async () => {
      const { requestId = newId(), traceparent } = callContext.getStore() ?? {};
      const { language } = message;
      const call = { requestId, traceparent, language, at: clock.now(), deadline };
      return (await bank.ask('svc.bank.deliver-otp', message, call)).sentTo;
    });
  },
});
