import {
  type Ask,
  chainText,
  listActions,
  type ListedAction,
  verifyActions,
} from '@xs2a/console/actions/action-reader';
import { type Act, acts } from '@xs2a/console/actions/acts';
import { InvalidArgumentError } from 'commander';
import { defineCommand, group } from '../command-line/define-command.js';
import { countUpTo, option } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import type { Connections } from '../connections.js';

const asker =
  (connections: Connections): Ask =>
  async <Row extends object>(sql: string, values: unknown[]) =>
    (await connections.reader('console').query<Row>(sql, values)).rows;

const position = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError('Use the value at the end of the previous page.');
  return Number(text);
};

const outcomeText = ({ type, end, outcome, isForTwo, decision, decidedBy }: ListedAction): string => {
  if (decision === 'refused') return `refused by ${decidedBy}`;
  if (isForTwo && decision === null) return 'waits for approval, up to 24 hours';
  if (type === 'revealed' && end !== 'action-failed') return `shown${outcome === null ? '' : `: ${outcome}`}`;
  if (end === null) return 'no outcome: it runs, or the console ended before it did';
  return `${end === 'action-done' ? 'done' : 'failed'}: ${outcome ?? ''}`;
};

const list = defineCommand({
  name: 'list',
  help: 'who did or revealed what, when and why, newest first; times are real, also in the sandbox',
  options: {
    by: option('<name>', 'only actions of this person: the name, or the id at the identity provider'),
    act: option(
      '<action>',
      `only these actions: ${Object.keys(acts).join(', ')}`,
      Object.keys(acts) as Act[],
    ),
    before: option('<record>', 'only older actions: continues the page that ended with it', position),
    limit: option('<count>', 'only the newest N', countUpTo(10_000)).or(50),
  },
  run: async ({ connections, options: { limit, ...filter } }) => {
    const found = await listActions(asker(connections), filter, limit + 1);
    const actions = found.slice(0, limit);
    return { actions, next: found.length > limit ? (actions.at(-1)?.seq ?? null) : null };
  },
  text: ({ actions, next }) =>
    [
      table(
        actions,
        {
          time: ({ at }) => at.toISOString(),
          record: ({ seq }) => seq,
          person: ({ name }) => name,
          roles: ({ via, roles }) => (via === 'command' ? 'by command' : roles.join(' ')),
          action: ({ act }) => act,
          target: ({ target }) => target,
          outcome: outcomeText,
          reason: ({ reason }) => reason,
        },
        'No such actions.',
      ),
      ...(next === null ? [] : [`For older ones: --before ${next}`]),
    ].join('\n'),
});

const verify = defineCommand({
  name: 'verify',
  help: 'verifies the hash chain of the recorded actions; exits with code 1 if a record was changed or removed',
  run: async ({ connections }) => verifyActions(asker(connections)),
  text: (state) => {
    const { brokenAt, last } = state;
    const newest = last === null ? '' : `\nrecord ${last.seq} has the hash ${last.hash}`;
    return `${brokenAt === null ? '✓' : '✗'} ${chainText(state)}${newest}`;
  },
  failed: ({ brokenAt }) => brokenAt !== null,
});

/** The command group for the recorded actions of the staff. */
export const actions = group(
  'actions',
  'what the staff did and revealed: docs/how-to/operate-the-console.md',
  [list, verify],
);
