import { type AssetReport, makeAssetsAt, type StreamBounds } from '@xs2a/nats/jetstream-assets';
import { setTimeout as wait } from 'node:timers/promises';

const withinMs = 30_000;

/**
 * Creates the missing streams and buckets as soon as JetStream responds or, in a cluster, as soon as the nodes
 * have elected a leader.
 */
export const makeAssetsWhenUp = async (
  url: string,
  bounds: StreamBounds,
  signal: AbortSignal,
): Promise<AssetReport> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await makeAssetsAt(url, bounds, { inboxes: true });
    } catch (error) {
      if (performance.now() > end || signal.aborted)
        throw new Error('JetStream does not create the streams', { cause: error });
      await wait(100);
    }
  }
};
