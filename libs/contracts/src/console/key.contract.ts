import { call } from '../call.js';

/**
 * What a key of the bank is used for at present:
 * - `signs`: new signatures are made with this signing key.
 * - `verifies`: this signing key is published, so that signatures made with it can still be verified.
 * - `encrypts`: new keys of personal data are wrapped under this master key.
 * - `decrypts`: older keys of personal data are still wrapped under this master key.
 * - `listed`: the service has this master key, and found no key of personal data wrapped under it.
 * - `missing`: keys of personal data are wrapped under this master key, and the service cannot unwrap them.
 */
export type KeyState = 'signs' | 'verifies' | 'encrypts' | 'decrypts' | 'listed' | 'missing';

/** A signing key or master key of the bank, without its key material. */
export interface KeyReport {
  /** The `kid` of a signing key, or the name of a master key. */
  readonly id: string;
  readonly use: 'tokens and notifications' | 'dispute bundles' | 'personal data';
  readonly algorithm: 'ES256' | 'A256KW';
  readonly state: KeyState;
  /** When the key was generated, in real time; absent if the key file does not contain the time. @format date-time */
  readonly madeAt?: string;
}

const ask = (subject: string) => call<Record<string, never>, readonly KeyReport[]>(subject, 'idempotent');

/** Queries the authorization server for its signing keys. Called by the console and the operator's command. */
export const readSigningKeys = ask('svc.auth.console.keys');
/**
 * Queries a service for the master keys that protect its personal data. Called by the console and the operator's
 * command.
 */
export const readPaymentKeys = ask('svc.payments.console.keys');
export const readConsentKeys = ask('svc.consents.console.keys');
