import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/sweep';

const everyMs = 60_000;

/** Removes idempotency keys that no longer count, once a minute as many as there are: however busy the service is. */
export const attemptSweep = ({
  store,
  clock,
  logger,
}: {
  readonly store: { pruneAttempts(): Promise<number> };
  readonly clock: Clock;
  readonly logger: Logger;
}): Sweep =>
  new Sweep({ name: 'idempotency keys', everyMs, clock, logger, run: async () => store.pruneAttempts() });
