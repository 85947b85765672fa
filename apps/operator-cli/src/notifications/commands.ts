import { type Command, Option } from 'commander';
import { CommandGroup } from '../command-line/command-group.js';
import { alone, within } from '../command-line/command-run.js';
import {
  type NotificationState,
  notificationStates,
  notificationsText,
  queuedNotifications,
  replayDead,
  replayedText,
} from './queue.js';
import { countUpTo, httpStatus, uuid, wholeNumber } from '../command-line/option-values.js';
import { Refusal } from '../command-line/refusal.js';

const limit = (command: Command): Command =>
  command
    .option('--tpp <client id>', 'only those of this TPP')
    .option('--limit <count>', 'at most so many', countUpTo(10_000), 50);

/** `xs2a notifications`: the status notifications that are sent to TPPs. */
export const notificationsCommand = (): Command => {
  const notifications = new CommandGroup('notifications').description(
    'status notifications to TPPs: waiting, failing, delivered',
  );
  limit(notifications.command('list'))
    .description('notifications, the oldest first; without --state those that are not delivered')
    .addOption(new Option('--state <state>', 'only these').choices(notificationStates))
    .action(
      within<{ state?: NotificationState; tpp?: string; limit: number }, []>(
        async ({ connections, output, options: { state, ...filter } }) => {
          const states = state === undefined ? (['waiting', 'failing'] as const) : [state];
          const all = await queuedNotifications(connections, { ...filter, states });
          output.show(all, notificationsText(all));
        },
      ),
    );
  limit(notifications.command('dead-letters'))
    .description('notifications that nobody took for 24 hours')
    .action(
      within<{ tpp?: string; limit: number }, []>(async ({ connections, output, options }) => {
        const all = await queuedNotifications(connections, { ...options, states: ['dead'] });
        output.show(all, notificationsText(all));
      }),
    );
  notifications
    .command('replay')
    .argument('[notifications...]', 'dead letters, by their ids')
    .option('--all', 'all that there are')
    .option('--tpp <client id>', 'all of this TPP')
    .description('has dead letters sent again, for another 24 hours')
    .action(
      within<{ all?: boolean; tpp?: string }, string[]>(
        async ({ connections, output, options: { all, tpp } }, ...texts) => {
          const ids = texts.length === 0 ? undefined : texts.map(uuid);
          if ([ids !== undefined, all === true, tpp !== undefined].filter(Boolean).length !== 1)
            throw new Refusal('Name the dead letters to send again, or say --all, or --tpp.', 2);
          const replayed = await replayDead(connections, { ids, tpp });
          output.show({ replayed }, replayedText(ids, replayed));
          return ids !== undefined && replayed.length < ids.length ? 1 : 0;
        },
      ),
    );
  notifications
    .command('listen')
    .description(
      'receives notifications on this machine, shows them and verifies their signatures; Ctrl-C ends it',
    )
    .option(
      '--port <port>',
      'of 127.0.0.1; sandbox-tpp-2 has a redirect URI at the default',
      wholeNumber,
      8091,
    )
    .option('--base-url <url>', 'the bank, whose keys verify', 'http://127.0.0.1:8080')
    .option('--answer <status>', 'what each is answered with, to see retries', httpStatus, 204)
    .action(
      alone<{ port: number; baseUrl: string; answer: number }>(async (options, output) => {
        const { listenForNotifications } = await import('./listener.js');
        const { url } = await listenForNotifications(options, output);
        output.show({ listening: url }, `Listening. Send TPP-Notification-URI: ${url}/`);
        return 0;
      }),
    );
  return notifications;
};
