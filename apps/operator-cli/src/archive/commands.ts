import { ArchiveUnderWay } from '@xs2a/custody/archive/archive-lock';
import { BrokenArchive } from '@xs2a/custody/archive/archive-file';
import { archivedMonths } from '@xs2a/event-store/months/archived-months';
import { archiveMonth } from '@xs2a/custody/archive/archive-month';
import { NotArchived } from '@xs2a/custody/archive/archive-record';
import { findStream } from '@xs2a/custody/archive/find-stream';
import { DamagedMonth } from '@xs2a/custody/archive/month-streams';
import { LateEvent, NotExchanged } from '@xs2a/custody/archive/exchange-partition';
import { type Month, parseMonth } from '@xs2a/event-store/months/months';
import { restoreMonth } from '@xs2a/custody/archive/restore-month';
import { verifyArchive } from '@xs2a/custody/archive/verify-archive';
import { DamagedLog } from '@xs2a/custody/archive/write-month';
import { keyRetention } from '@xs2a/custody/personal-data/retain-keys';
import { rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import { resources } from '@xs2a/resources/resources';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineCommand, group } from '../command-line/define-command.js';
import { masked } from '@xs2a/resources/masking';
import { argument, flag, option } from '../command-line/options.js';
import { counted, table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { due, newestOption } from './due.js';
import { readRetention } from './retention-settings.js';
import { readModels, readTimeZone, statusViews } from '../events/read-models.js';
import { oneResource, resourceNames } from '../events/resource-option.js';
import { trustOption } from '../events/verification.js';
import { stateText } from './state-text.js';
import { findUnread } from './unread-notifications.js';

const readMonth = (text: string): Month => {
  const month = parseMonth(text);
  if (month === undefined) throw new Refusal('A month must have the form 2027-03.', 2);
  return month;
};

const mustExist = (path: string): string => {
  if (!existsSync(path)) throw new Refusal(`There is no ${path}.`, 2);
  return resolve(path);
};

const refusals = [
  ArchiveUnderWay,
  NotArchived,
  NotExchanged,
  BrokenArchive,
  DamagedLog,
  DamagedMonth,
  LateEvent,
];

/** Converts errors of the archive to refusals of the command. */
const refusing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const isRefusal = refusals.some((kind) => error instanceof kind);
    if (!isRefusal || !(error instanceof Error)) throw error;
    throw new Refusal(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`);
  }
};

const file = argument('file that `archive month` wrote');

const month = defineCommand({
  name: 'month',
  help: 'moves closed streams to a file while the services run; repeat an interrupted run',
  options: {
    month: argument('the month in which the payments or consents began, such as 2027-03'),
    resource: oneResource,
    to: option('<folder>', 'where the file is written').required(),
    newest: newestOption('keeps this many of the newest positions in the database'),
    keep: flag('keeps the detached table in the database'),
  },
  run: async ({ connections, output, options, interrupted }) => {
    const { resource, newest, keep } = options;
    const bounds = readMonth(options.month);
    const folder = mustExist(options.to);
    const { archivedAfterMonths, retainedYears } = readRetention(resource);
    const pool = connections.pool(resource);
    const leaving = await keyRetention(pool, {
      views: resources[resource].views,
      masterKeys: await connections.mustHaveMasterKeys(resource),
      retainedYears,
      timeZone: readTimeZone(connections),
    });
    const archived = await refusing(async () =>
      archiveMonth(pool, {
        resource: resources[resource],
        // Only payments have projections.
        projections: resource === 'payments' ? readModels.paymentProjections(readTimeZone(connections)) : [],
        month: bounds,
        folder,
        nowMs: await connections.nowMs(),
        newest,
        endedMonths: archivedAfterMonths,
        leaving,
        keep,
        firstUnread: async (upTo) => findUnread(connections, { resource, month: bounds, upTo }),
        signal: interrupted(),
        onProgress: output.measure(),
      }),
    );
    const { streams, events, carried, sha256 } = archived;
    return {
      resource,
      month: bounds.name,
      path: join(folder, archived.file),
      sha256,
      streams,
      events,
      carried,
    };
  },
  text: ({ resource, month: name, path, sha256, streams, events, carried }) => {
    const stay = carried === 0 ? '' : `; ${counted(carried, 'stream')} not closed yet, kept in the database`;
    return `✓ ${resource} of ${name}: ${counted(events, 'event')} of ${counted(streams, 'stream')} are in ${path}${stay}\n  sha256: ${sha256}`;
  },
});

const verify = defineCommand({
  name: 'verify',
  help: 'verifies, without a database, that a file holds the events as they were appended',
  options: {
    file,
    trust: trustOption('an anchor of the log that you kept elsewhere, as `events verify` prints it'),
  },
  isLocal: true,
  run: async ({ options }) => {
    const path = mustExist(options.file);
    const { head, manifest, anchors, trusted } = await refusing(async () =>
      verifyArchive(path, { trusted: options.trust }),
    );
    return { ...head, ...manifest, anchors, trusted };
  },
  text: ({ resource, month: name, part, streams, events, firstPos, lastPos, anchors, trusted }) => {
    const agree = `${counted(anchors, 'anchor')} of the log${trusted > 0 ? ` and ${trusted} that you trust` : ''} agree`;
    return `✓ ${resource} of ${name}, part ${part}: ${counted(events, 'event')} of ${counted(streams, 'stream')}, positions ${firstPos} to ${lastPos}: as they were appended; ${agree}`;
  },
});

const show = defineCommand({
  name: 'show',
  help: 'the events of one stream in a file, with personal data hidden',
  options: { file, id: argument('id of a payment, a consent or a signing basket') },
  isLocal: true,
  run: async ({ options: { file: given, id } }) => {
    const path = mustExist(given);
    const events = await refusing(async () => findStream(path, id));
    if (events.length === 0) throw new Refusal(`${id} is not in ${path}.`);
    const resource = resourceNames.find((name) => events.every(({ type }) => type in resources[name].types));
    const statuses =
      resource === undefined ? [] : resources[resource].statusesAfter(events.map(({ type }) => type));
    const shown = events.map(({ pos, version, type, occurredAt, data }, index) => ({
      pos,
      version,
      occurredAt,
      type,
      status: statuses[index] ?? '',
      data: masked(data),
    }));
    return { id, events: shown };
  },
  text: ({ events }) =>
    table(events, {
      position: ({ pos }) => pos,
      version: ({ version }) => version,
      time: ({ occurredAt }) => occurredAt,
      event: ({ type }) => type,
      status: ({ status }) => status,
      data: ({ data }) => JSON.stringify(data),
    }),
});

const restore = defineCommand({
  name: 'restore',
  help: 'restores the events of a file while the services run; repeat an interrupted run',
  options: { file: argument('file that `archive month` wrote for this database'), resource: oneResource },
  run: async ({ connections, output, options: { file: given, resource } }) => {
    const path = mustExist(given);
    const pool = connections.pool(resource);
    const views = await statusViews(connections, resource);
    const { month: name, events } = await refusing(async () =>
      restoreMonth(pool, path, {
        onProgress: output.measure(),
        rebuildViews: async ({ from, to }) => {
          for (const view of views) {
            const { left } = await rebuildInlineView(pool, view, { between: [from, to] });
            const [first] = left;
            if (first !== undefined)
              throw new NotArchived(
                `${first.streamId} and perhaps others cannot be read: their events are restored, but their status is not. Repeat the restore once they can be read.`,
              );
          }
        },
      }),
    );
    return { resource, month: name, events };
  },
  text: ({ resource, month: name, events }) =>
    `✓ ${resource} of ${name}: ${counted(events, 'event')} are in the database again`,
});

const list = defineCommand({
  name: 'list',
  help: 'the files to which months were archived',
  run: async function* ({ connections }) {
    for (const resource of resourceNames) {
      const months = await archivedMonths(connections.pool(resource));
      yield { resource, months: months.map((one) => ({ resource, ...one })) };
    }
  },
  json: ({ months }) => months,
  text: ({ resource, months }) =>
    table(
      months,
      {
        resource: () => resource,
        month: (one) => one.month,
        part: ({ part }) => part,
        written: ({ writtenAt }) => writtenAt.toISOString().slice(0, 10),
        file: (one) => one.file,
        streams: ({ streams }) => streams,
        events: ({ events }) => events,
        carried: ({ carried }) => carried,
        state: stateText,
      },
      `${resource}: no month is archived.`,
    ),
});

/** The command group for archives: files with the closed payments or consents of one month. */
export const archive = group('archive', 'archives of closed payments and consents, one file per month', [
  due,
  month,
  verify,
  show,
  restore,
  list,
]);
