import type { EventResource } from '@xs2a/contracts/event-streams';
import { release } from '@xs2a/event-store/recovery/lost-events';
import { resources } from '@xs2a/resources/resources';
import { hostname, userInfo } from 'node:os';
import { defineCommand } from '../command-line/define-command.js';
import { argument, flag, option, wholeNumber } from '../command-line/options.js';
import { type Connections, oneRow } from '../connections.js';
import { resourceNames } from './resource-option.js';
import { masked } from '@xs2a/resources/masking';
import { counted, table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';

/** A published event that is missing in the database. */
interface ShownLoss {
  readonly resource: EventResource;
  readonly streamId: string;
  readonly version: number;
  readonly pos: number;
  readonly type: string;
  readonly actor: string;
  readonly occurredAt: string;
  readonly foundAt: string;
  /**
   * `waits`: settlement of the stream is on hold; `released`: an operator has decided to continue; `noted`:
   * nothing is on hold.
   */
  readonly state: 'waits' | 'released' | 'noted';
  readonly releasedAt: string | null;
  readonly releasedBy: string | null;
  readonly reason: string | null;
  readonly data: unknown;
}

/** Lists the lost events of all streams or of one. Those that keep a stream on hold come first, then the newest. */
const losses = async (
  connections: Connections,
  { limit, streamId, waiting = false }: { limit: number; streamId?: string; waiting?: boolean },
): Promise<ShownLoss[]> => {
  const found: ShownLoss[] = [];
  for (const resource of resourceNames) {
    const { rows } = await connections.pool(resource).query<ShownLoss & { foundAt: Date }>(
      `SELECT $4 AS resource, stream_id AS "streamId", version, pos, type, actor, occurred_at AS "occurredAt",
         found_at AS "foundAt", released_at AS "releasedAt", released_by AS "releasedBy", reason, data,
         CASE WHEN released_at IS NOT NULL THEN 'released' WHEN holds THEN 'waits' ELSE 'noted' END AS state
       FROM lost_event WHERE ($2::uuid IS NULL OR stream_id = $2) AND (NOT $3 OR holds AND released_at IS NULL)
       ORDER BY holds AND released_at IS NULL DESC, found_at DESC, pos LIMIT $1`,
      [limit, streamId, waiting, resource],
    );
    found.push(...rows.map((row) => ({ ...row, data: masked(row.data) })));
  }
  return found;
};

/** The number of lost events because of which payments or consents are on hold. */
export const waitingLosses = async (connections: Connections, resource: EventResource): Promise<number> => {
  const sql = 'SELECT count(DISTINCT stream_id) FROM lost_event WHERE holds AND released_at IS NULL';
  return (await oneRow<{ count: number }>(connections.pool(resource), sql)).count;
};

const describeState = ({ state, releasedBy, reason }: ShownLoss): string =>
  state === 'released' ? `released by ${releasedBy}: ${reason}` : state;
const instant = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '');

const lossesText = (found: readonly ShownLoss[]): string =>
  table(
    found,
    {
      id: ({ streamId }) => streamId,
      event: ({ resource, type }) => `${resource}.${type}`,
      position: ({ pos }) => pos,
      happened: ({ occurredAt }) => instant(occurredAt),
      found: ({ foundAt }) => instant(foundAt),
      state: describeState,
    },
    'No lost events.',
  );

/** The current status in the database. */
const statusNow = async (
  connections: Connections,
  { resource, streamId }: ShownLoss,
): Promise<string | null> => {
  const { rows } = await connections
    .pool(resource)
    .query<{ type: string }>('SELECT type FROM events WHERE stream_id = $1 ORDER BY version', [streamId]);
  return resources[resource].statusesAfter(rows.map(({ type }) => type)).at(-1) ?? null;
};

const mustBeId = (id: string): void => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
    throw new Refusal(`${id} is not the id of a payment, consent or signing basket.`, 2);
};

const id = argument('id of a payment, order, bulk, basket or consent');

export const showLost = defineCommand({
  name: 'show',
  help: 'lost events of one resource with their data, and its state in the database',
  options: { id },
  run: async ({ connections, options }) => {
    mustBeId(options.id);
    const lost = await losses(connections, { limit: 1000, streamId: options.id });
    const [first] = lost;
    if (first === undefined) throw new Refusal(`No event of ${options.id} was lost.`);
    return { id: options.id, status: await statusNow(connections, first), lost };
  },
  text: ({ status, lost }) =>
    [
      lossesText(lost),
      ...lost.map((loss) => `${loss.type} by ${loss.actor}: ${JSON.stringify(loss.data)}`),
      `now: ${status ?? 'unknown to the database'}`,
    ].join('\n'),
});

export const releaseLost = defineCommand({
  name: 'release',
  help: 'accepts the state in the database and ignores the lost events',
  options: { id, reason: option('<text>', 'reason, for the record').required() },
  run: async ({ connections, options }) => {
    mustBeId(options.id);
    const reason = options.reason.trim();
    if (reason === '') throw new Refusal('Give a reason: --reason "…".', 2);
    const by = `${userInfo().username}@${hostname()}`;
    let released = 0;
    for (const resource of resourceNames)
      released += await release(connections.pool(resource), { streamId: options.id, by, reason });
    if (released === 0) throw new Refusal(`${options.id} is not blocked by a lost event.`);
    return { id: options.id, released, by, reason };
  },
  text: ({ id: streamId, released, by }) =>
    `✓ ${streamId} is released by ${by}: ${counted(released, 'lost event')} had held it up`,
});

export const listLost = defineCommand({
  name: 'list',
  help: 'all lost events, those that block a settlement first',
  options: {
    waiting: flag('only those that block a settlement'),
    limit: option('<count>', 'at most N of each resource', wholeNumber).or(50),
  },
  run: async ({ connections, options }) => losses(connections, options),
  text: lossesText,
});
