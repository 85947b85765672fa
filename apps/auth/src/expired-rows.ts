import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/sweep';
import type { Pool } from 'pg';
import type { GrantRevocations } from './oauth/grant-revocations.js';
import { interactionSeconds } from './oauth/provider.js';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * Max PSU-IDs kept with which nobody ever signed in, about 10 MB. Somebody who wants a count of failures forgotten has to make
 * up as many, which takes longer than the lock that the count would lead to.
 */
const maxUnknownPsus = 100_000;

export interface ExpiryParts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly revocations: Pick<GrantRevocations, 'sweep'>;
}

/**
 * Removes what has expired. Tokens and codes stay a day longer, so that a late refresh token is told it expired. Anybody can
 * have authorization requests and failures of made-up PSU-IDs stored, so these go sooner: an interaction when it expires, a
 * pushed request when no interaction that it began can be open any more (its row says whether it was decided), and the
 * failures after a day. A customer's count of failures is forgotten after 30 quiet days.
 */
export const removeExpired = async (
  { pool, clock, revocations }: ExpiryParts,
  maxUnknown = maxUnknownPsus,
): Promise<void> => {
  const now = new Date(clock.nowMs());
  const [yesterday, monthAgo] = [1, 30].map((days) => new Date(clock.nowMs() - days * dayMs));
  await pool.query('DELETE FROM artefact WHERE expires_at < $1', [yesterday]);
  await pool.query("DELETE FROM artefact WHERE expires_at < $1 AND model = 'Interaction'", [now]);
  await pool.query("DELETE FROM artefact WHERE expires_at < $1 AND model = 'PushedAuthorizationRequest'", [
    new Date(clock.nowMs() - interactionSeconds * 1000),
  ]);
  await pool.query('DELETE FROM grant_binding WHERE expires_at < $1', [yesterday]);
  await pool.query('DELETE FROM page_session WHERE expires_at < $1', [now]);
  await pool.query('DELETE FROM challenge WHERE expires_at < $1', [yesterday]);
  await pool.query('DELETE FROM psu_sca WHERE language IS NULL AND changed_at < $1', [monthAgo]);
  await pool.query(
    `DELETE FROM psu_sca WHERE NOT is_known AND (locked_until IS NULL OR locked_until < $1)
       AND (changed_at < $2
         OR psu_id IN (SELECT psu_id FROM psu_sca WHERE NOT is_known ORDER BY changed_at DESC OFFSET $3))`,
    [now, yesterday, maxUnknown],
  );
  await pool.query('DELETE FROM known_browser WHERE changed_at < $1', [monthAgo]);
  await revocations.sweep();
};

/** Runs {@link removeExpired} once a minute, and when the clock moves. */
export const sweepExpired = ({ logger, ...parts }: ExpiryParts & { readonly logger: Logger }): Sweep =>
  new Sweep({
    name: 'expired-rows',
    everyMs: 60_000,
    clock: parts.clock,
    logger,
    run: async () => {
      await removeExpired(parts);
      return 0;
    },
  });
