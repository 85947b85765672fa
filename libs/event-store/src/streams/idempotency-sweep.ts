import type { Logger } from '@xs2a/observability/logger';
import { Batches } from '@xs2a/postgres/batches';
import type { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';

const everyMs = 60_000;
const maxBatch = 10_000;

/** Removes all expired idempotency keys once a minute, even if the service is busy. */
export const idempotencySweep = ({
  keys,
  clock,
  logger,
}: {
  readonly keys: { prune(limit: number): Promise<number> };
  readonly clock: Clock;
  readonly logger: Logger;
}): Sweep => {
  const batches = new Batches(maxBatch);
  const run = async (): Promise<number> => batches.next(async (limit) => keys.prune(limit));
  return new Sweep({ name: 'idempotency keys', everyMs, clock, logger, run });
};
