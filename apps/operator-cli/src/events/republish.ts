import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { RelayLog } from '@xs2a/event-store/publishing/relay-log';
import { RelayStream } from '@xs2a/event-store/publishing/jetstream-copy';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { LeaderLock } from '@xs2a/postgres/leader-lock';
import { defineCommand } from '../command-line/define-command.js';
import { flag } from '../command-line/options.js';
import type { Connections } from '../connections.js';
import { chosenResources } from './resource-option.js';
import { counted, type Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { xs2a } from '../command-line/own-name.js';

/** Recreates a published copy as an empty one. Returns the number of events in the old copy, or 0 if there was none. */
const emptyCopy = async (connections: Connections, resource: EventResource): Promise<number> => {
  const nats = await connections.nats();
  const { streams } = await jetstreamManager(nats);
  const name = eventStreams[resource];
  try {
    const { state, config } = await streams.info(name);
    await streams.delete(name);
    const { refused } = await makeAssets(nats, {
      [resource]: config.max_bytes > 0 ? config.max_bytes : undefined,
    });
    if (refused.length > 0)
      throw new Refusal(`JetStream does not have enough storage: ${refused.join(', ')}`);
    return state.messages;
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (!isMissing) throw error;
    await makeAssets(nats);
    return 0;
  }
};

/**
 * Publishes every event of the database to an empty copy, in the same way as the relay publishes new events.
 * Returns the number of events published.
 */
const fillCopy = async (
  lock: LeaderLock,
  { nats, resource, output }: { nats: NatsConnection; resource: EventResource; output: Output },
): Promise<number> => {
  const log = await RelayLog.open(lock.client);
  const stream = await RelayStream.open(nats, resource);
  const total = await log.head();
  const show = output.measure();
  let done = 0;
  for (
    let events = await log.read(0);
    events.length > 0;
    events = await log.read(events.at(-1)?.pos ?? total)
  ) {
    await stream.publish(events);
    done += events.length;
    show(done, total);
  }
  return done;
};

/** How long to wait for the lock, in milliseconds. A service's relay holds the lock as long as it is running. */
const lockMs = 1000;

/** The command for a published copy that belongs to another database or lacks events. */
export const republish = defineCommand({
  name: 'republish',
  help: 'publishes every event of the database again; stop the services first',
  options: {
    resource: chosenResources('only events of this resource (default: both)'),
    yes: flag('confirms that the database is correct and the published copy is not'),
  },
  run: async function* ({ connections, output, options }) {
    if (!options.yes)
      throw new Refusal(
        `The published copy would be removed, and events that only it holds would be lost. To confirm, with the services stopped: ${xs2a('events republish --yes')}`,
      );
    for (const resource of options.resource) {
      const lock = await LeaderLock.acquire(connections.pool(resource), `relay.${resource}`, {
        stop: AbortSignal.timeout(lockMs),
      });
      if (lock === undefined)
        throw new Refusal(`The service ${resource} is running: stop the services first.`);
      try {
        const removed = await emptyCopy(connections, resource);
        const nats = await connections.nats();
        yield { resource, removed, published: await fillCopy(lock, { nats, resource, output }) };
      } finally {
        lock.release();
      }
    }
  },
  text: ({ resource, removed, published }) =>
    `✓ ${eventStreams[resource]} (${counted(removed, 'event')}) was removed and published again with all ${counted(published, 'event')} of the database`,
});
