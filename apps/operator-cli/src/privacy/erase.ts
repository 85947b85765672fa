import type { EventResource } from '@xs2a/contracts/event-streams';
import { requestErasure, recordRequest } from '@xs2a/custody/personal-data/erasures';
import type { ErasureStatus } from '@xs2a/custody/personal-data/erase-streams';
import { userInfo } from 'node:os';
import type { Connections } from '../connections.js';
import { defineCommand } from '../command-line/define-command.js';
import { flag, severalOf } from '../command-line/options.js';
import { counted } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import { resourceNames } from '../events/resource-option.js';
import { clearPsus } from './other-schemas.js';
import {
  checkReason,
  findAsked,
  type Found,
  personOptions,
  readAsked,
  recordOptions,
} from './person-options.js';
import {
  countStatuses,
  type ErasureCounts,
  erasePage,
  readAllStatuses,
  pagesOf,
  readErasureOptions,
} from './stream-pages.js';

const list = (values: readonly string[]): string => values.map((value) => `\n    ${value}`).join('');

interface Erased extends ErasureCounts, Pick<Found, 'shared' | 'unreadable'> {
  readonly resource: EventResource;
  readonly dryRun: boolean;
}

const countsText = (counts: Erased): string => {
  const { resource, dryRun: isDry, erased, open, retained, plain, shared, unreadable } = counts;
  const later = `${xs2a('privacy due --erase')} erases them`;
  const lines = [
    erased > 0 && `${erased} ${isDry ? 'would be erased' : 'erased'}`,
    open > 0 && `${open} not ended yet: ${later} once they have`,
    ...retained.map(({ until, streams }) => `${streams} kept by law until ${until}: ${later} after that day`),
    plain.length > 0 &&
      `${counted(plain.length, 'stream')} from before personal data was encrypted: cannot be erased:${list(plain)}`,
    shared.length > 0 &&
      `${shared.length} also signed by others: not erased; name them with --stream to erase them:${list(shared)}`,
    unreadable.length > 0 &&
      `${counted(unreadable.length, 'stream')} cannot be read, so it is not known whose they are:${list(unreadable)}`,
  ].filter((line) => line !== false);
  return lines.length === 0
    ? `${resource}: nothing found.`
    : lines.map((line) => `${resource}: ${line}`).join('\n');
};

const isOpen = ({ status }: ErasureStatus): boolean => status === 'open';

/** Logs the request, then erases what may be erased now; the rest stays marked for erasure. */
const eraseFound = async (
  connections: Connections,
  resource: EventResource,
  found: Found,
  statuses: readonly ErasureStatus[],
  request: { readonly operator: string; readonly reason: string; readonly despiteRetention: boolean },
): Promise<ErasureStatus[]> => {
  const pool = connections.pool(resource);
  const streamIds = statuses.flatMap(({ status, streamId }) =>
    status === 'unknown' || status === 'plain' || status === 'erased' ? [] : [streamId],
  );
  const recorded = await recordRequest(pool, {
    at: new Date(await connections.nowMs()),
    act: 'erase',
    asked: found.tags,
    streams: streamIds.length,
    ...request,
  });
  await requestErasure(pool, streamIds, recorded);
  const erasing = await readErasureOptions(connections, resource);
  const done = statuses.filter(({ status }) => status === 'plain');
  for (const page of pagesOf(streamIds)) done.push(...(await erasePage(connections, page, erasing)));
  return done;
};

export const erase = defineCommand({
  name: 'erase',
  help: 'erases a person’s data: what has ended and is past its retention now, the rest later',
  options: {
    ...personOptions,
    stream: severalOf('<id>', 'ids of payments, consents or signing baskets'),
    ...recordOptions,
    dryRun: flag('shows what would be erased, and erases nothing'),
    despiteRetention: flag('erases what has ended even before the end of its legal retention'),
  },
  run: async function* ({ connections, output, options, interrupted }) {
    const signal = interrupted();
    const asked = readAsked(options);
    const { dryRun, despiteRetention, reason, operator = userInfo().username } = options;
    checkReason(reason, asked);
    const openConsents: string[] = [];
    for (const resource of resourceNames) {
      const found = await findAsked(connections, resource, { asked, signal });
      const before = await readAllStatuses(connections, resource, found.streamIds, despiteRetention);
      const request = { operator, reason, despiteRetention };
      const statuses = dryRun ? before : await eraseFound(connections, resource, found, before, request);
      const { shared, unreadable } = found;
      if (resource === 'consents')
        openConsents.push(...shared, ...statuses.filter(isOpen).map(({ streamId }) => streamId));
      yield { resource, dryRun, ...countStatuses(statuses), shared, unreadable };
    }
    if (dryRun || asked.psuIds.length === 0) return;
    await clearPsus(connections, asked.psuIds, openConsents);
    output.say('Sessions, codes, grants and tokens of the PSU are removed.');
  },
  text: countsText,
  failed: ({ plain, shared, unreadable }) => plain.length + shared.length + unreadable.length > 0,
});
