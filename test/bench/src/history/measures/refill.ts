import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/published-event';
import { connectStreams } from '@xs2a/nats/connection';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { createLogger } from '@xs2a/observability/logger';
import { waitForReaders } from '../log-readers.js';
import type { Measured } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';

const rounds = 3;

interface Refilled {
  readonly events: number;
  readonly seconds: number;
}

/**
 * Wipes the stream of payments while its service is stopped, and measures from the first message that the relay then stores to the last.
 * The relay stores the newest `STREAM_REFILL_EVENTS` events.
 */
const refill = async ({ world }: HistoryWorld): Promise<Refilled> => {
  const { services, natsUrl } = world.sandbox;
  const nats = await connectStreams(natsUrl(), 'bench', createLogger('bench', 'silent'));
  try {
    const { streams } = await jetstreamManager(nats);
    await services.payments.stop();
    await streams.delete(eventStreams.payments);
    await makeAssets(nats);
    await services.payments.start();
    await waitForReaders(world);
    const { state } = await streams.info(eventStreams.payments);
    const ms = Date.parse(state.last_ts) - Date.parse(state.first_ts);
    return { events: state.messages, seconds: ms / 1000 };
  } finally {
    await nats.drain();
  }
};

const quickest = (refills: readonly Refilled[]): Refilled =>
  refills.reduce((best, one) => (one.seconds < best.seconds ? one : best));

export const measureRefill = async ([few, many]: readonly [
  HistoryWorld,
  HistoryWorld,
]): Promise<Measured> => {
  const refills: Record<HistoryWorld['name'], Refilled[]> = { few: [], many: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const history of [few, many]) refills[history.name].push(await refill(history));
  const [ofFew, ofMany] = [quickest(refills.few), quickest(refills.many)];
  const cost = ({ events, seconds }: Refilled): number => (seconds * 1e6) / events;
  const rate = (one: Refilled): string => `${one.events} events, ${Math.round(1e6 / cost(one))}/s`;
  return {
    name: 'wiped stream filled again',
    few: cost(ofFew),
    many: cost(ofMany),
    isLinear: false,
    note: `${rate(ofFew)} → ${rate(ofMany)}; the newest ones alone, however many there are`,
  };
};
