import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { type EventResource, eventStreams } from '@xs2a/contracts/published-event';
import { makeAssets } from '@xs2a/messaging/jetstream-assets';
import { Command, Option } from 'commander';
import { within } from './command-run.js';
import type { Connections } from './connections.js';
import { resourceNames } from './event-tail.js';
import { counted } from './output.js';
import { Refusal } from './refusal.js';

/** Makes a published copy anew, empty; answers how many events the old one held, 0 when there was none. */
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
    if (refused.length > 0) throw new Refusal(`JetStream has no room for it: ${refused.join(', ')}`);
    return state.messages;
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (!isMissing) throw error;
    await makeAssets(nats);
    return 0;
  }
};

/** `events republish`: for a database that was restored to an earlier moment than its published copies. */
export const republishCommand = (): Command =>
  new Command('republish')
    .description('removes the published copy, so that the relay publishes every event of the database again')
    .addOption(new Option('--resource <name>', 'only these events (default: both)').choices(resourceNames))
    .option('--yes', 'the database is right, and the copy is not: that is meant')
    .action(
      within<{ resource?: EventResource; yes?: boolean }, []>(async ({ connections, output, options }) => {
        if (options.yes !== true) {
          throw new Refusal(
            'The published copy would be removed: what it holds and the database does not is lost. If that is meant, with the services stopped: npm run xs2a -- events republish --yes',
          );
        }
        for (const resource of options.resource === undefined ? resourceNames : [options.resource]) {
          const removed = await emptyCopy(connections, resource);
          output.show(
            { resource, removed },
            `✓ ${eventStreams[resource]} (${counted(removed, 'event')}) is removed; its relay publishes all anew when it runs`,
          );
        }
      }),
    );
