import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import { replicasOf } from '@xs2a/messaging/replicas';
import type { Logger } from '@xs2a/observability/logger';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './clock.js';

/** Follows the sandbox clock's offset in its key-value bucket until `signal` aborts; begins anew when the watch ends. */
export const followSandboxClock = async (
  nats: NatsConnection,
  clock: Clock,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> => {
  let reported = false;
  while (!signal.aborted) {
    try {
      const bucket = await new Kvm(nats).create(clockBucket, { replicas: replicasOf(nats) });
      const watch = await bucket.watch({ key: clockKey });
      signal.addEventListener('abort', () => watch.stop(), { once: true });
      reported = false;
      for await (const entry of watch) {
        if (entry.operation === 'PUT') clock.raiseTo(Number(entry.string()));
      }
    } catch (error) {
      if (!reported && !signal.aborted)
        logger.warn({ error }, 'the sandbox clock cannot be followed; trying again');
      reported = true;
    }
    if (!signal.aborted) await pause(500, undefined, { signal }).catch(() => undefined);
  }
};

/** Tells every service the offset. */
export const publishClockOffset = async (nats: NatsConnection, offsetMs: number): Promise<void> => {
  const bucket = await new Kvm(nats).create(clockBucket, { replicas: replicasOf(nats) });
  await bucket.put(clockKey, String(offsetMs));
};
