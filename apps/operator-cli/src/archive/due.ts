import type { EventResource } from '@xs2a/contracts/event-streams';
import { resources } from '@xs2a/resources/resources';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from '../command-line/define-command.js';
import { option, wholeNumber } from '../command-line/options.js';
import { type Output, table } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import { bytesText } from '@xs2a/doctor/bytes';
import { readTimeZone } from '../events/read-models.js';
import { resourceNames } from '../events/resource-option.js';
import { type DueMonth, dueMonths } from './due-months.js';
import { type RetainedFile, retainedFiles } from './retained-files.js';
import { readRetention } from './retention-settings.js';

const showMonths = (output: Output, resource: EventResource, months: readonly DueMonth[]): void => {
  output.showRows(
    months.map((month) => ({ kind: 'month', resource, ...month })),
    table(
      months,
      {
        resource: () => resource,
        month: ({ month }) => month,
        since: ({ since }) => since,
        ended: ({ streams }) => streams,
        events: ({ events }) => events,
        open: ({ open }) => open,
        size: ({ bytes }) => bytesText(bytes),
        run: ({ month, problem }) =>
          problem === undefined
            ? xs2a(`archive month ${month} --resource ${resource} --to FOLDER`)
            : `${problem}: ${xs2a(`events verify`)}`,
      },
      `${resource}: no month may be archived.`,
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
  if (over.length > 0) return;
  const [next] = files.map(({ retainedUntil: day }) => day).sort();
  const more = next === undefined ? '' : ` The next one may be deleted after ${next}.`;
  output.say(`${resource}: no archived file is past its retention.${more}`);
};

/** The `--newest` option: the number of newest positions that are never archived. */
export const newestOption = (help: string) => option('<positions>', help, wholeNumber).or(10_000);

/** The command that lists what may be archived now, and which files have passed their retention period. */
export const due = defineCommand({
  name: 'due',
  help: 'the months that may be archived now, and the files whose retention is over',
  options: {
    newest: newestOption('as for `archive month`'),
    in: option('<folder>', 'shows only files in this folder'),
  },
  run: async ({ connections, output, options: { in: folder, newest }, interrupted }) => {
    const nowMs = await connections.nowMs();
    const timeZone = readTimeZone(connections);
    const signal = interrupted();
    for (const resource of resourceNames) {
      const pool = connections.pool(resource);
      const { archivedAfterMonths, retainedYears } = readRetention(resource);
      const tables = resources[resource];
      const months = await dueMonths(pool, { tables, nowMs, archivedAfterMonths, newest, signal });
      showMonths(output, resource, months);
      const files = await retainedFiles(pool, { nowMs, retainedYears, timeZone });
      const there = files.filter(({ file }) => folder === undefined || existsSync(join(folder, file)));
      showFiles(output, resource, there);
    }
  },
});
