import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { type EventResource, eventStreams } from '@xs2a/contracts/published-event';
import { Command, Option } from 'commander';
import { within } from './command-run.js';
import type { Connections } from './connections.js';
import { resourceNames } from './event-tail.js';
import { counted } from './output.js';
import { Refusal } from './refusal.js';

/** Removes a published copy; answers how many events it held, 0 when there was none. */
const removeCopy = async (connections: Connections, resource: EventResource): Promise<number> => {
  const { streams } = await jetstreamManager(await connections.nats());
  try {
    const { state } = await streams.info(eventStreams[resource]);
    await streams.delete(eventStreams[resource]);
    return state.messages;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return 0;
    throw error;
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
          const removed = await removeCopy(connections, resource);
          output.show(
            { resource, removed },
            `✓ ${eventStreams[resource]} (${counted(removed, 'event')}) is removed; its relay publishes all anew when it runs`,
          );
        }
      }),
    );
