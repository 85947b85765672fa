import { setTimeout as wait } from 'node:timers/promises';
import { answeredWithinMs, languageFor, type PageRequest } from './page-request.js';
import type { PageSession } from './page-sessions.js';
import type { AuthorisationRequest, Closed } from './requests/authorisation-request.js';

/**
 * Milliseconds for which a page waits for the verification of payees. It may take longer than a page may; the browser
 * then asks again.
 */
const pageWaitMs = 2000;
/** Milliseconds for the page itself, once the payees are verified. */
const drawnWithinMs = 600;

interface Shown {
  readonly request: PageRequest;
  readonly session: Pick<PageSession, 'state'>;
  readonly authorisation: AuthorisationRequest;
}
type Open = (psuId: string) => Promise<AuthorisationRequest | Closed>;

/** Verifies the payees before a signed-in PSU sees the review (contract 15). */
export class PayeeChecks {
  /** By resource, so that a page that is asked for again waits for the same verification. */
  private readonly underWay = new Map<string, Promise<void>>();

  /**
   * Returns the request as it is once its payees have been verified; undefined if the browser has to ask for the page
   * again, because that takes longer or because the request has ended meanwhile.
   */
  async afterwards(
    { request, session, authorisation }: Shown,
    open: Open,
  ): Promise<AuthorisationRequest | undefined> {
    const { verifyPayees } = authorisation;
    const { psuId, language } = session.state;
    if (verifyPayees === undefined || psuId === undefined) return authorisation;
    const { resource } = request;
    const known = this.underWay.get(resource);
    const check =
      known ??
      verifyPayees(psuId, languageFor(request, language)).finally(() => this.underWay.delete(resource));
    if (known === undefined) this.underWay.set(resource, check);
    if (!(await isInTime(check, request))) return undefined;
    const verified = await open(psuId);
    return 'closed' in verified ? undefined : verified;
  }
}

/**
 * True if a PSU who is about to sign has not seen the result about the payees on the review: the bank began to verify
 * them while the PSU waited for the code.
 */
export const hasUnseenPayees = (
  { verifyPayees, hasPayeeWarning }: Pick<AuthorisationRequest, 'verifyPayees' | 'hasPayeeWarning'>,
  { step, payeeWarningRead }: Pick<PageSession['state'], 'step' | 'payeeWarningRead'>,
): boolean =>
  step === 'code' && (verifyPayees !== undefined || (hasPayeeWarning === true && payeeWarningRead !== true));

/** Waits for the verification as long as a page may; returns false if it takes longer. Throws its failure. */
const isInTime = async (
  check: Promise<void>,
  { receivedAt }: Pick<PageRequest, 'receivedAt'>,
): Promise<boolean> => {
  const leftMs = receivedAt + answeredWithinMs - drawnWithinMs - performance.now();
  const timer = new AbortController();
  const late = wait(Math.max(0, Math.min(pageWaitMs, leftMs)), false, { signal: timer.signal }).catch(
    () => false,
  );
  // A failure after the wait is reported to the page that asks next.
  check.catch(() => undefined);
  try {
    return await Promise.race([check.then(() => true), late]);
  } finally {
    timer.abort();
  }
};
