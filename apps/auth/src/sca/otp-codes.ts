import { deliverOtp } from '@xs2a/contracts/auth.contract';
import { Requester } from '@xs2a/messaging/requester';
import { randomInt } from 'node:crypto';

export interface OtpMessage {
  readonly psuId: string;
  /** Six digits. Never logged. */
  readonly code: string;
  /** The language that the PSU reads. */
  readonly language: string;
}

/** Where one-time codes come from, and how they reach the PSU. */
export interface OtpCodes {
  next(): string;
  /** Throws CallFailed when it cannot be delivered now. */
  deliver(message: OtpMessage): Promise<void>;
}

/** The sandbox's code, and nowhere else's (contract 13); the page shows it, nothing is sent. */
export const sandboxCodes: OtpCodes = { next: () => '123456', deliver: async () => undefined };

/** Random codes, delivered by the bank's own adapter (text message, application), which answers `deliverOtp`. */
export const bankCodes = (requester: Requester): OtpCodes => ({
  next: () => String(randomInt(1_000_000)).padStart(6, '0'),
  deliver: async (message) => {
    await requester.call(deliverOtp, message);
  },
});
