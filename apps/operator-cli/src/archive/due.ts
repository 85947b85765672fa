import type { EventResource } from '@xs2a/contracts/published-event';
import { archivedTables } from '@xs2a/event-store/archive/archived-tables';
import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { within } from '../command-line/command-run.js';
import { wholeNumber } from '../command-line/option-values.js';
import { columns, type Output } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import { bytesText } from '../doctor/storage.js';
import { readTimeZone } from '../events/read-models.js';
import { resourceNames } from '../events/tail.js';
import { type DueMonth, dueMonths } from './due-months.js';
import { type RetainedFile, retainedFiles } from './retained-files.js';
import { readRetention } from './retention-settings.js';

const showMonths = (output: Output, resource: EventResource, months: readonly DueMonth[]): void => {
  if (output.json) {
    for (const month of months) output.show({ kind: 'month', resource, ...month }, '');
    return;
  }
  if (months.length === 0) {
    output.show(undefined, `${resource}: no month may be archived.`);
    return;
  }
  output.show(
    undefined,
    columns(
      ['resource', 'month', 'since', 'ended', 'events', 'open', 'size', 'run'],
      months.map(({ month, since, streams, events, open, bytes, problem }) => [
        resource,
        month,
        since,
        streams,
        events,
        open,
        bytesText(bytes),
        problem === undefined
          ? xs2a(`archive month ${month} --resource ${resource} --to FOLDER`)
          : `${problem}: ${xs2a(`events verify`)}`,
      ]),
    ),
  );
};

const showFiles = (output: Output, resource: EventResource, files: readonly RetainedFile[]): void => {
  const over = files.filter(({ isOver }) => isOver);
  for (const { isOver: _, ...file } of over)
    output.show(
      { kind: 'file', resource, ...file },
      `${resource}: ${file.file} had to be kept until ${file.retainedUntil}: delete it and every copy of it`,
    );
  if (over.length > 0 || output.json) return;
  const [next] = files.map(({ retainedUntil: day }) => day).sort();
  const more = next === undefined ? '' : ` The next one may be deleted after ${next}.`;
  output.show(undefined, `${resource}: no archived file is past its retention.${more}`);
};

/** `archive due`: what may be archived now, and which files are past their retention. */
export const dueCommand = (): Command =>
  new Command('due')
    .description('the months that may be archived now, and the files whose retention is over')
    .option('--newest <positions>', 'as for `archive month`', wholeNumber, 10_000)
    .option('--in <folder>', 'shows only files in this folder')
    .action(
      within<{ in?: string; newest: number }, []>(async ({ connections, output, options, interrupted }) => {
        const { in: folder, newest } = options;
        const nowMs = await connections.nowMs();
        const timeZone = readTimeZone(connections);
        const signal = interrupted();
        for (const resource of resourceNames) {
          const pool = connections.pool(resource);
          const { archivedAfterMonths, retainedYears } = readRetention(resource);
          const tables = archivedTables[resource];
          const months = await dueMonths(pool, { tables, nowMs, archivedAfterMonths, newest, signal });
          showMonths(output, resource, months);
          const files = await retainedFiles(pool, { nowMs, retainedYears, timeZone });
          const there = files.filter(({ file }) => folder === undefined || existsSync(join(folder, file)));
          showFiles(output, resource, there);
        }
      }),
    );
