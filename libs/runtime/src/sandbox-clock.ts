import type { NatsConnection } from '@nats-io/transport-node';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import { BucketFollower } from '@xs2a/nats/bucket-follower';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from './clock.js';

/** Follows the sandbox clock's offset in its key-value bucket until `signal` aborts. */
export const followSandboxClock = (
  nats: NatsConnection,
  clock: Clock,
  logger: Logger,
  signal: AbortSignal,
): void => {
  const learn = (offset: string | undefined): void => {
    if (offset !== undefined) clock.raiseTo(Number(offset));
  };
  const follower = new BucketFollower({
    nats,
    bucket: clockBucket,
    logger,
    onAll: (entries) => learn(entries.get(clockKey)),
    onChange: (key, offset) => {
      if (key === clockKey) learn(offset);
    },
  });
  follower.start();
  signal.addEventListener('abort', () => follower.stop(), { once: true });
};
