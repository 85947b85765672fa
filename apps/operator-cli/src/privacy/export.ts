import { recordRequest } from '@xs2a/custody/personal-data/erasures';
import { BrokenArchive } from '@xs2a/custody/archive/archive-file';
import { withoutSpaces } from '@xs2a/domain/text/reason';
import { existsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Connections } from '../connections.js';
import { defineCommand } from '../command-line/define-command.js';
import { option, severalOf } from '../command-line/options.js';
import { counted } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { checkReason, personOptions, recordOptions } from './person-options.js';
import { resourceNames } from '../events/resource-option.js';
import { readHoldings } from './other-holdings.js';
import { type PersonStreams, type Reading, readPersonStreams } from './person-streams.js';
import { anotherPerson, withoutOthers } from './without-others.js';

const mustBeFree = (path: string): string => {
  if (existsSync(path)) throw new Refusal(`${path} already exists.`, 2);
  return resolve(path);
};

/** Reads the person's streams of all resources. Throws {@link Refusal} for an archive file that cannot be read. */
const readAll = async (connections: Connections, reading: Reading): Promise<PersonStreams[]> => {
  try {
    const all: PersonStreams[] = [];
    for (const resource of resourceNames) all.push(await readPersonStreams(connections, resource, reading));
    return all;
  } catch (error) {
    if (error instanceof BrokenArchive) throw new Refusal(error.message);
    throw error;
  }
};

const record = async (
  connections: Connections,
  found: readonly PersonStreams[],
  { operator = userInfo().username, reason }: { readonly operator?: string; readonly reason: string },
): Promise<void> => {
  for (const [index, resource] of resourceNames.entries()) {
    const { tags = [], streams = [] } = found[index] ?? {};
    const at = new Date(await connections.nowMs());
    const request = { at, operator, act: 'export', asked: tags, streams: streams.length, reason };
    await recordRequest(connections.pool(resource), request);
  }
};

/** Exports everything stored about a person as JSON. */
export const exportCommand = defineCommand({
  name: 'export',
  help: 'all data held about a person as readable JSON, for a data access request',
  options: {
    psu: personOptions.psu.required(),
    iban: personOptions.iban,
    archives: severalOf('<file>', 'archive files, written by `archive month`, to search as well'),
    ...recordOptions,
    out: option('<file>', 'a new file that only you may read (default: standard output)'),
  },
  run: async ({ connections, output, options, interrupted }) => {
    const { psu: psuIds, iban: ibans = [], archives: files = [], reason } = options;
    const missingFile = files.find((file) => !existsSync(file));
    if (missingFile !== undefined) throw new Refusal(`There is no ${missingFile}.`, 2);
    const asked = { psuIds, ibans: ibans.map(withoutSpaces) };
    checkReason(reason, asked);
    const path = options.out === undefined ? undefined : mustBeFree(options.out);
    const found = await readAll(connections, { asked, files, signal: interrupted() });
    const streams = found.flatMap((one) => one.streams);
    const archivedElsewhere = found.flatMap(({ archived }) => archived);
    const unreadable = found.flatMap((one) => one.unreadable);
    const exported = {
      madeAt: new Date(await connections.nowMs()).toISOString(),
      asked,
      streams: withoutOthers(streams, psuIds),
      others: await readHoldings(connections, {
        psuIds,
        streamIds: [...streams.map(({ id }) => id), ...archivedElsewhere],
      }),
      archivedElsewhere,
      unreadable,
      note: `PSU-IDs of other signers are ${anotherPerson}, and data that only they provided is omitted.`,
    };
    await record(connections, found, options);
    const text = JSON.stringify(exported, undefined, 2);
    if (path === undefined) output.show(exported, text);
    else {
      writeFileSync(path, `${text}\n`, { mode: 0o600, flag: 'wx' });
      output.show({ path, streams: streams.length }, `✓ ${counted(streams.length, 'stream')} in ${path}`);
    }
    if (archivedElsewhere.length + unreadable.length === 0) return;
    const missing = `${counted(archivedElsewhere.length, 'archived stream')} in none of the given files, ${unreadable.length} unreadable`;
    throw new Refusal(`The export is not complete: ${missing}. The export lists them.`);
  },
});
