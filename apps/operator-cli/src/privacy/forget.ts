import type { EventResource } from '@xs2a/contracts/published-event';
import { askToForget, recordRequest } from '@xs2a/event-store/personal-data/erasures';
import { judgeStreams, type ErasureStatus } from '@xs2a/event-store/personal-data/forget-streams';
import { Command } from 'commander';
import { userInfo } from 'node:os';
import type { Connections } from '../connections.js';
import { within } from '../command-line/command-run.js';
import { counted, type Output } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import { resourceNames } from '../events/tail.js';
import { clearPsus } from './other-schemas.js';
import {
  type Asked,
  checkReason,
  findAsked,
  type Found,
  type PersonOptions,
  readAsked,
} from './person-options.js';
import { countStatuses, forgetPage, pagesOf, readForgetting, type ErasureCounts } from './stream-pages.js';

interface ForgetOptions extends PersonOptions {
  readonly reason: string;
  readonly operator?: string;
  readonly dryRun?: boolean;
  readonly despiteRetention?: boolean;
}

const list = (values: readonly string[]): string => values.map((value) => `\n    ${value}`).join('');

const countsText = (
  resource: EventResource,
  { forgotten, open, retained, plain }: ErasureCounts,
  { shared, unreadable }: Found,
  isDry: boolean,
): string => {
  const later = `${xs2a('privacy due --forget')} forgets them`;
  const lines = [
    forgotten > 0 && `${forgotten} ${isDry ? 'would be forgotten' : 'forgotten'}`,
    open > 0 && `${open} not ended yet: ${later} once they have`,
    ...retained.map(({ until, streams }) => `${streams} kept by law until ${until}: ${later} after that day`),
    plain.length > 0 &&
      `${counted(plain.length, 'stream')} from before personal data were encrypted, cannot be forgotten:${list(plain)}`,
    shared.length > 0 &&
      `${shared.length} signed by others, too: left as they are; name them with --stream to forget them:${list(shared)}`,
    unreadable.length > 0 &&
      `${counted(unreadable.length, 'stream')} cannot be read, so whose they are is not known:${list(unreadable)}`,
  ].filter((line) => line !== false);
  return lines.length === 0
    ? `${resource}: nothing found.`
    : lines.map((line) => `${resource}: ${line}`).join('\n');
};

const judgeAll = async (
  connections: Connections,
  resource: EventResource,
  streamIds: readonly string[],
  despiteRetention: boolean,
): Promise<ErasureStatus[]> => {
  const forgetting = await readForgetting(connections, resource, despiteRetention);
  const statuses: ErasureStatus[] = [];
  for (const page of pagesOf(streamIds))
    statuses.push(...(await judgeStreams(connections.pool(resource), page, forgetting)));
  return statuses;
};

const isOpen = ({ status }: ErasureStatus): boolean => status === 'open';

/** Writes down what is asked, then forgets what may be forgotten now; the rest stays marked. */
const forgetFound = async (
  connections: Connections,
  resource: EventResource,
  {
    found,
    statuses,
    options: { operator = userInfo().username, reason, despiteRetention = false },
  }: { readonly found: Found; readonly statuses: readonly ErasureStatus[]; readonly options: ForgetOptions },
): Promise<ErasureStatus[]> => {
  const pool = connections.pool(resource);
  const streamIds = statuses.flatMap(({ status, streamId }) =>
    status === 'unknown' || status === 'plain' || status === 'forgotten' ? [] : [streamId],
  );
  const request = await recordRequest(pool, {
    at: new Date(await connections.nowMs()),
    operator,
    act: 'forget',
    asked: found.tags,
    streams: streamIds.length,
    reason,
    despiteRetention,
  });
  await askToForget(pool, streamIds, request);
  const forgetting = await readForgetting(connections, resource);
  const done = statuses.filter(({ status }) => status === 'plain');
  for (const page of pagesOf(streamIds)) done.push(...(await forgetPage(connections, page, forgetting)));
  return done;
};

const forget = async (
  connections: Connections,
  output: Output,
  options: ForgetOptions,
  signal: AbortSignal,
): Promise<number> => {
  const asked: Asked = readAsked(options);
  const { dryRun: isDry = false, despiteRetention = false } = options;
  checkReason(options.reason, asked);
  let left = 0;
  const openConsents: string[] = [];
  for (const resource of resourceNames) {
    const found = await findAsked(connections, resource, { asked, signal, onRead: () => undefined });
    const judged = await judgeAll(connections, resource, found.streamIds, despiteRetention);
    const statuses = isDry
      ? judged
      : await forgetFound(connections, resource, { found, statuses: judged, options });
    const counts = countStatuses(statuses);
    const { shared, unreadable } = found;
    if (resource === 'consents')
      openConsents.push(...shared, ...statuses.filter(isOpen).map(({ streamId }) => streamId));
    left += counts.plain.length + unreadable.length + shared.length;
    output.show(
      { resource, dryRun: isDry, ...counts, shared, unreadable },
      countsText(resource, counts, found, isDry),
    );
  }
  if (!isDry && asked.psuIds.length > 0) {
    await clearPsus(connections, asked.psuIds, openConsents);
    if (!output.json) output.show(undefined, 'Sessions, codes, grants and tokens of the PSU are removed.');
  }
  return left === 0 ? 0 : 1;
};

/** `privacy forget`. */
export const forgetCommand = (): Command =>
  new Command('forget')
    .option('--psu <id...>', 'of the person at the bank')
    .option('--iban <iban...>', 'accounts of the person: what was initiated from them, or opens them')
    .option('--stream <id...>', 'single payments, consents or signing baskets')
    .requiredOption('--reason <text>', 'why, for the record; name no person')
    .option('--operator <name>', 'who does it, for the record (default: the user of the system)')
    .option('--dry-run', 'says what would be forgotten, and forgets nothing')
    .option('--despite-retention', 'what has ended is forgotten before the law’s time is over')
    .description('forgets a person: what has ended and is past its retention now, the rest when it is')
    .action(
      within<ForgetOptions, []>(async ({ connections, output, options, interrupted }) =>
        forget(connections, output, options, interrupted()),
      ),
    );
