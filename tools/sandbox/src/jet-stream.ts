import { jetstreamManager } from '@nats-io/jetstream';
import { connectOnce } from '@xs2a/messaging/connection';
import { setTimeout as wait } from 'node:timers/promises';

const withinMs = 30_000;

/** Resolves when a cluster's JetStream answers: its nodes have found each other and chosen one that leads. */
export const jetStreamIsUp = async (url: string): Promise<void> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      const nats = await connectOnce(url, 'runner');
      try {
        await (await jetstreamManager(nats)).getAccountInfo();
        return;
      } finally {
        await nats.close();
      }
    } catch (error) {
      if (performance.now() > end)
        throw new Error('the NATS cluster did not choose a leader', { cause: error });
      await wait(100);
    }
  }
};
