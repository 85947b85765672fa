import { notificationStates } from '@xs2a/contracts/notifications.contract';
import { findNotifications } from '@xs2a/notifications/queue/find-notifications';
import { replayDead } from '@xs2a/notifications/queue/replay-dead';
import { once } from 'node:events';
import { recorded } from '../actions/recorded.js';
import { defineCommand, group } from '../command-line/define-command.js';
import {
  allArguments,
  countUpTo,
  flag,
  httpStatus,
  option,
  uuid,
  wholeNumber,
} from '../command-line/options.js';
import { counted } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { recordOptions } from '../privacy/person-options.js';
import { notificationsText, replayedText } from './notification-texts.js';

const filter = {
  tpp: option('<client id>', 'only those of this TPP'),
  resource: option('<id>', 'only those of this payment, consent or signing basket', uuid),
  limit: option('<count>', 'at most this many', countUpTo(10_000)).or(50),
};

const list = defineCommand({
  name: 'list',
  help: 'notifications, oldest first; without --state, those not yet delivered',
  options: { ...filter, state: option('<state>', 'only notifications in this state', notificationStates) },
  run: async ({ connections, options: { state, tpp: tppId, resource: resourceId, limit } }) =>
    findNotifications(connections.reader('notifications'), {
      states: state === undefined ? ['waiting', 'failing'] : [state],
      tppId,
      resourceId,
      limit,
    }),
  text: notificationsText,
});

const deadLetters = defineCommand({
  name: 'dead-letters',
  help: 'notifications that the receiver did not accept within 24 hours',
  options: filter,
  run: async ({ connections, options: { tpp: tppId, resource: resourceId, limit } }) =>
    findNotifications(connections.reader('notifications'), { states: ['dead'], tppId, resourceId, limit }),
  text: notificationsText,
});

const replay = defineCommand({
  name: 'replay',
  help: 'sends dead letters again, for up to another 24 hours',
  options: {
    notifications: allArguments('ids of dead letters'),
    all: flag('all dead letters'),
    tpp: option('<client id>', 'all dead letters of this TPP'),
    ...recordOptions,
  },
  run: async ({ connections, options: { notifications: asked, all, tpp, ...record } }) => {
    const ids = asked.length === 0 ? undefined : asked.map(uuid);
    if ([ids !== undefined, all, tpp !== undefined].filter(Boolean).length !== 1)
      throw new Refusal('Name the dead letters to send again, or use --all or --tpp.', 2);
    const replayed: string[] = [];
    // Each notification that was named is a separate action, so that its record says which one was sent again.
    for (const target of ids ?? [tpp ?? 'all TPPs'])
      await recorded(connections, { act: 'replay-notifications', target, ...record }, async () => {
        const pool = connections.pool('notifications');
        const sent = await replayDead(pool, { ids: ids === undefined ? undefined : [target], tpp });
        replayed.push(...sent);
        return { result: sent, outcome: `${counted(sent.length, 'notification')} will be sent again.` };
      });
    return { replayed };
  },
  text: ({ replayed }, { notifications: asked }) => replayedText(asked.map(uuid), replayed),
  failed: ({ replayed }, { notifications: asked }) => replayed.length < asked.length,
});

const listen = defineCommand({
  name: 'listen',
  help: 'receives notifications on this machine, shows them and verifies their signatures; Ctrl-C stops it',
  options: {
    port: option(
      '<port>',
      'port on 127.0.0.1; sandbox-tpp-2 has a redirect URI on the default port',
      wholeNumber,
    ).or(8091),
    baseUrl: option('<url>', 'the bank whose keys verify the signatures').or('http://127.0.0.1:8080'),
    answer: option('<status>', 'the status to answer with, to test retries', httpStatus).or(204),
  },
  isLocal: true,
  run: async function* ({ output, options, interrupted }) {
    const signal = interrupted();
    const { listenForNotifications } = await import('./listener.js');
    const receiver = await listenForNotifications(options, output);
    yield { listening: receiver.url };
    if (!signal.aborted) await once(signal, 'abort');
    await receiver.stop();
  },
  text: ({ listening }) => `Listening. Send TPP-Notification-URI: ${listening}/`,
});

/** The command group for the status notifications that are sent to TPPs. */
export const notifications = group(
  'notifications',
  'status notifications to TPPs: waiting, failing, delivered',
  [list, deadLetters, replay, listen],
);
