import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventResource, eventStreams } from '@xs2a/contracts/published-event';
import { RelayLog } from '@xs2a/event-store/publishing/relay-log';
import { RelayStream } from '@xs2a/event-store/publishing/jetstream-copy';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { LeaderLock } from '@xs2a/postgres/leader-lock';
import { Command, Option } from 'commander';
import { within } from '../command-line/command-run.js';
import type { Connections } from '../connections.js';
import { resourceNames } from './tail.js';
import { counted, type Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { xs2a } from '../command-line/own-name.js';

/** Creates a published copy again, empty. Returns the number of events that the old one held, 0 when there was none. */
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
    if (refused.length > 0) throw new Refusal(`JetStream has too little space for it: ${refused.join(', ')}`);
    return state.messages;
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (!isMissing) throw error;
    await makeAssets(nats);
    return 0;
  }
};

/** Publishes every event of the database to an empty copy, as its relay would the newest; answers how many. */
const fillCopy = async (
  lock: LeaderLock,
  { nats, resource, output }: { nats: NatsConnection; resource: EventResource; output: Output },
): Promise<number> => {
  const log = await RelayLog.open(lock.client);
  const stream = await RelayStream.open(nats, resource);
  const total = await log.head();
  const begun = performance.now();
  let done = 0;
  for (
    let events = await log.read(0);
    events.length > 0;
    events = await log.read(events.at(-1)?.pos ?? total)
  ) {
    await stream.publish(events);
    done += events.length;
    const perSecond = (done * 1000) / (performance.now() - begun);
    output.progress({ done, total, perSecond, secondsLeft: (total - done) / perSecond });
  }
  output.progressEnds();
  return done;
};

/** The relay of a service has the lock for as long as it works. */
const lockMs = 1000;

/** `events republish`: for a published copy that is of another database, or lacks events. */
export const republishCommand = (): Command =>
  new Command('republish')
    .description('publishes every event of the database again; stop the services first')
    .addOption(new Option('--resource <name>', 'only these events (default: both)').choices(resourceNames))
    .option('--yes', 'confirms that the database is right and the copy is not')
    .action(
      within<{ resource?: EventResource; yes?: boolean }, []>(async ({ connections, output, options }) => {
        if (options.yes !== true) {
          throw new Refusal(
            `The published copy would be removed: what it holds and the database does not is lost. To confirm, with the services stopped: ${xs2a('events republish --yes')}`,
          );
        }
        for (const resource of options.resource === undefined ? resourceNames : [options.resource]) {
          const lock = await LeaderLock.acquire(connections.pool(resource), `relay.${resource}`, {
            stop: AbortSignal.timeout(lockMs),
          });
          if (lock === undefined) {
            throw new Refusal(`The service ${resource} is running: stop the services first.`);
          }
          try {
            const removed = await emptyCopy(connections, resource);
            const nats = await connections.nats();
            const published = await fillCopy(lock, { nats, resource, output });
            output.show(
              { resource, removed, published },
              `✓ ${eventStreams[resource]} (${counted(removed, 'event')}) was removed and published again with all ${counted(published, 'event')} of the database`,
            );
          } finally {
            lock.release();
          }
        }
      }),
    );
