import { ArchiveUnderWay } from '@xs2a/event-store/archive/archive-lock';
import type { EventResource } from '@xs2a/contracts/published-event';
import { BrokenArchive } from '@xs2a/event-store/archive/archive-file';
import { archivedMonths } from '@xs2a/event-store/archive/archived-months';
import type { ArchivedProjections } from '@xs2a/event-store/archive/archived-sums';
import { archiveMonth } from '@xs2a/event-store/archive/archive-month';
import { NotArchived } from '@xs2a/event-store/archive/archive-record';
import { findStream } from '@xs2a/event-store/archive/find-stream';
import { DamagedMonth } from '@xs2a/event-store/archive/month-streams';
import { LateEvent, NotExchanged } from '@xs2a/event-store/archive/exchange-partition';
import { type Month, parseMonth } from '@xs2a/event-store/archive/months';
import { restoreMonth } from '@xs2a/event-store/archive/restore-month';
import { verifyArchive } from '@xs2a/event-store/archive/verify-archive';
import { DamagedLog } from '@xs2a/event-store/archive/write-month';
import { keyRetention } from '@xs2a/event-store/personal-data/retain-keys';
import { rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import { resources } from '@xs2a/event-store/resources';
import { listStatusViews } from '@xs2a/invariants/projection-check';
import { Command, Option } from 'commander';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Connections } from '../connections.js';
import { CommandGroup } from '../command-line/command-group.js';
import { alone, within } from '../command-line/command-run.js';
import { masked } from '../command-line/masking.js';
import { wholeNumber } from '../command-line/option-values.js';
import { columns, counted, type Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { mustHaveMasterKeys } from '../personal-data.js';
import { readModels } from '../events/defined-read-models.js';
import { dueCommand } from './due.js';
import { readRetention } from './retention-settings.js';
import { readTimeZone } from '../events/read-models.js';
import { resourceNames } from '../events/tail.js';
import { readAnchor, type TrustedAnchor } from '../events/verification.js';
import { stateText } from './state-text.js';
import { findUnread } from './unread-notifications.js';

const readMonth = (text: string): Month => {
  const month = parseMonth(text);
  if (month === undefined) throw new Refusal('A month looks like 2027-03.', 2);
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

/** Turns what the archive refuses into a refusal of the command. */
const refusing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const isRefusal = refusals.some((kind) => error instanceof kind);
    if (!isRefusal || !(error instanceof Error)) throw error;
    throw new Refusal(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`);
  }
};

/** The projections that count what is archived: those of payments. */
const findProjections = (connections: Connections, resource: EventResource): ArchivedProjections => ({
  projections: resource === 'payments' ? readModels.paymentProjections(readTimeZone(connections)) : [],
  types: resources[resource].types,
});

const showProgress = (output: Output): ((done: number, total: number) => void) => {
  const begun = performance.now();
  return (done, total) => {
    const perSecond = (done * 1000) / (performance.now() - begun);
    output.progress({ done, total, perSecond, secondsLeft: (total - done) / perSecond });
    if (done === total) output.progressEnds();
  };
};

const monthCommand = (): Command =>
  new Command('month')
    .argument('<month>', 'e.g. 2027-03: when the payments or consents began')
    .description('moves what has ended to a file, while the service works; an interrupted run is repeated')
    .addOption(new Option('--resource <name>', 'which events').choices(resourceNames).makeOptionMandatory())
    .requiredOption('--to <folder>', 'where the file is written')
    .option('--newest <positions>', 'leaves so many of the newest positions', wholeNumber, 10_000)
    .option('--keep', 'leaves the detached table in the database')
    .action(
      within<{ resource: EventResource; to: string; newest: number; keep?: boolean }, [string]>(
        async ({ connections, output, options, interrupted }, text) => {
          const { resource, newest, keep = false } = options;
          const month = readMonth(text);
          const folder = mustExist(options.to);
          const { archivedAfterMonths, retainedYears } = readRetention(resource);
          const leaving = await keyRetention(connections.pool(resource), {
            views: resources[resource].views,
            masterKeys: await mustHaveMasterKeys(connections, resource),
            retainedYears,
            timeZone: readTimeZone(connections),
          });
          const archived = await refusing(async () =>
            archiveMonth(connections.pool(resource), {
              resource,
              month,
              folder,
              nowMs: await connections.nowMs(),
              newest,
              endedMonths: archivedAfterMonths,
              leaving,
              keep,
              projections: findProjections(connections, resource),
              firstUnread: async (upTo) => findUnread(connections, { resource, month, upTo }),
              signal: interrupted(),
              onProgress: showProgress(output),
            }),
          );
          const { streams, events, carried, file, sha256 } = archived;
          const stay = carried === 0 ? '' : `; ${counted(carried, 'stream')} had not ended and stay`;
          output.show(
            { resource, month: month.name, path: join(folder, file), sha256, streams, events, carried },
            `✓ ${resource} of ${month.name}: ${counted(events, 'event')} of ${counted(streams, 'stream')} are in ${join(folder, file)}${stay}\n  sha256: ${sha256}`,
          );
        },
      ),
    );

const verifyCommand = (): Command =>
  new Command('verify')
    .argument('<file>', 'that `archive month` wrote')
    .description('proves without a database that a file holds what was appended')
    .option(
      '--trust <anchor>',
      'an anchor of the log that you kept elsewhere, as `events verify` prints it; may be repeated',
      (text: string, before: readonly TrustedAnchor[]) => [...before, readAnchor(text)],
      [],
    )
    .action(async (file: string, options: { trust: readonly TrustedAnchor[] }, command: Command) =>
      alone<object>(async (_, output) => {
        const path = mustExist(file);
        const { head, manifest, anchors, trusted } = await refusing(async () =>
          verifyArchive(path, { trusted: options.trust }),
        );
        const { streams, events, firstPos, lastPos } = manifest;
        const agree = `${counted(anchors, 'anchor')} of the log${trusted > 0 ? ` and ${trusted} that you trust` : ''} agree`;
        output.show(
          { ...head, ...manifest, anchors, trusted },
          `✓ ${head.resource} of ${head.month}, part ${head.part}: ${counted(events, 'event')} of ${counted(streams, 'stream')}, positions ${firstPos} to ${lastPos}: as they were appended; ${agree}`,
        );
        return 0;
      })(command),
    );

const showCommand = (): Command =>
  new Command('show')
    .argument('<file>', 'that `archive month` wrote')
    .argument('<id>', 'of a payment, a consent or a signing basket')
    .description('the events of one stream in a file, personal data hidden')
    .action(async (file: string, id: string, _: object, command: Command) =>
      alone<object>(async (_options, output) => {
        const path = mustExist(file);
        const events = await refusing(async () => findStream(path, id));
        if (events.length === 0) throw new Refusal(`${id} is not in ${path}.`);
        const resource = resourceNames.find((name) =>
          events.every(({ type }) => type in resources[name].types),
        );
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
        output.show(
          { id, events: shown },
          columns(
            ['position', 'version', 'time', 'event', 'status', 'data'],
            shown.map((event) => [
              event.pos,
              event.version,
              event.occurredAt,
              event.type,
              event.status,
              JSON.stringify(event.data),
            ]),
          ),
        );
        return 0;
      })(command),
    );

const restoreCommand = (): Command =>
  new Command('restore')
    .argument('<file>', 'that `archive month` wrote for this database')
    .addOption(new Option('--resource <name>', 'which events').choices(resourceNames).makeOptionMandatory())
    .description('puts a file’s events back, while the service works; an interrupted run is repeated')
    .action(
      within<{ resource: EventResource }, [string]>(async ({ connections, output, options }, file) => {
        const { resource } = options;
        const path = mustExist(file);
        const pool = connections.pool(resource);
        const views = listStatusViews(
          readModels,
          resource,
          readTimeZone(connections),
          await mustHaveMasterKeys(connections, resource),
        );
        const { month, events } = await refusing(async () =>
          restoreMonth(pool, path, {
            projections: findProjections(connections, resource),
            onProgress: showProgress(output),
            rebuildViews: async ({ from, to }) => {
              for (const view of views) {
                const { left } = await rebuildInlineView(pool, view, { between: [from, to] });
                const [first] = left;
                if (first !== undefined)
                  throw new NotArchived(
                    `${first.streamId} and perhaps others cannot be read; their events are there, their status is not. Repeat the restore once they can.`,
                  );
              }
            },
          }),
        );
        output.show(
          { resource, month, events },
          `✓ ${resource} of ${month}: ${counted(events, 'event')} are in the database again`,
        );
      }),
    );

const listCommand = (): Command =>
  new Command('list').description('the files to which months were archived').action(
    within<object, []>(async ({ connections, output }) => {
      for (const resource of resourceNames) {
        const months = await archivedMonths(connections.pool(resource));
        const shown = months.map((month) => ({ resource, ...month }));
        output.show(
          shown,
          shown.length === 0
            ? `${resource}: no month is archived.`
            : columns(
                ['resource', 'month', 'part', 'written', 'file', 'streams', 'events', 'carried', 'state'],
                shown.map((one) => [
                  one.resource,
                  one.month,
                  one.part,
                  one.writtenAt.toISOString().slice(0, 10),
                  one.file,
                  one.streams,
                  one.events,
                  one.carried,
                  stateText(one),
                ]),
              ),
        );
      }
    }),
  );

/** `archive`: months of ended payments or consents as files. */
export const archiveCommand = (): Command => {
  const archive = new CommandGroup('archive').description('months of ended payments and consents, as files');
  for (const command of [
    dueCommand(),
    monthCommand(),
    verifyCommand(),
    showCommand(),
    restoreCommand(),
    listCommand(),
  ])
    archive.addCommand(command);
  return archive;
};
