import { type Message, Xs2aError } from '@xs2a/client/error';
import { createXs2a, type Xs2a } from '@xs2a/client/xs2a';
import type { Settings } from '../config.js';
import type { WireTap } from '../wire/wire-tap.js';

export type TppMessage = Message;

/** The bank, through the client that any third party can use. */
export class Bank {
  readonly xs2a: Xs2a;

  constructor({ BANK_URL, CLIENT_ID, CLIENT_SECRET, OWN_URL }: Settings, tap: WireTap) {
    this.xs2a = createXs2a({
      baseUrl: BANK_URL,
      clientId: CLIENT_ID,
      auth: { secret: CLIENT_SECRET },
      redirectUri: `${OWN_URL}/callback`,
      sandbox: true,
      fetch: tap.fetch,
    });
  }
}

/** True if the bank is unreachable or temporarily unavailable. */
export const isBankDown = (error: unknown): error is Xs2aError =>
  error instanceof Xs2aError &&
  (error.status === undefined ? error.code === 'UNREACHABLE' : error.status >= 500);

/** Returns the bank's refusal of a call. Throws the error again if it is anything else. */
export const refusalOf = (error: unknown): Xs2aError => {
  if (error instanceof Xs2aError && !isBankDown(error)) return error;
  throw error;
};

/** True if the access has ended (withdrawn, expired, replaced), so that the user must allow it again. */
export const hasEnded = ({ status, code }: Xs2aError): boolean =>
  status === 401 || code === 'invalid_grant' || code === 'TOKEN_EXPIRED';
