import { type ChainedOperatorEvent, firstBroken } from './operator-chain.js';

/** Runs a statement in the schema `console` and returns its rows. */
export type Ask = <Row extends object>(sql: string, values: unknown[]) => Promise<Row[]>;

/** An action of the staff with its outcome. */
export interface ListedAction {
  /** Of its first row. */
  readonly seq: number;
  readonly actionId: string;
  readonly at: Date;
  readonly type: 'action-requested' | 'revealed';
  readonly via: 'console' | 'command';
  /** The identity provider's id of the person. */
  readonly staff: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly act: string;
  readonly target: string;
  readonly reason: string;
  /** Null while it has no end: it runs, or the console was killed. */
  readonly end: 'action-done' | 'action-failed' | null;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  /** True if a second person had to approve it. */
  readonly isForTwo: boolean;
  /** What the second person decided; null while it waits, or after its time. */
  readonly decision: 'approved' | 'refused' | null;
  readonly decidedAt: Date | null;
  /** The second person's name. */
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
}

export interface ActionFilter {
  /** The name or the id of a person. */
  readonly by?: string;
  readonly act?: string;
  /** Only actions that began before this row. */
  readonly before?: number;
}

const selectActions = `
  SELECT begun.seq, begun.action_id AS "actionId", begun.at, begun.type, begun.via, begun.staff, begun.name, begun.roles,
    begun.act, begun.target, begun.reason, ended.type AS "end", ended.at AS "endedAt",
    ended.outcome, begun.outcome IS NOT NULL AS "isForTwo", decided.type AS decision, decided.at AS "decidedAt",
    decided.name AS "decidedBy", decided.reason AS "decisionReason"
  FROM operator_event AS begun
  LEFT JOIN operator_event AS ended
    ON ended.action_id = begun.action_id AND ended.type IN ('action-done', 'action-failed')
  LEFT JOIN operator_event AS decided
    ON decided.action_id = begun.action_id AND decided.type IN ('approved', 'refused')
  WHERE begun.type IN ('action-requested', 'revealed')`;

/** Returns the newest actions that match, newest first. */
export const listActions = async (
  ask: Ask,
  { by, act, before }: ActionFilter,
  limit: number,
): Promise<readonly ListedAction[]> =>
  ask<ListedAction>(
    `${selectActions} AND ($1::text IS NULL OR begun.name = $1 OR begun.staff = $1) AND ($2::text IS NULL OR begun.act = $2)
       AND ($3::bigint IS NULL OR begun.seq < $3) ORDER BY begun.seq DESC LIMIT $4`,
    [by ?? null, act ?? null, before ?? null, limit],
  );

/** Returns the requests that wait for a second person, oldest first. Those from before `since` have expired. */
export const listWaiting = async (ask: Ask, since: Date, limit: number): Promise<readonly ListedAction[]> =>
  ask<ListedAction>(
    `${selectActions} AND begun.outcome IS NOT NULL AND decided.type IS NULL AND begun.at > $1 ORDER BY begun.seq LIMIT $2`,
    [since, limit],
  );

export const findAction = async (ask: Ask, actionId: string): Promise<ListedAction | undefined> =>
  (await ask<ListedAction>(`${selectActions} AND begun.action_id = $1`, [actionId]))[0];

const chainColumns = `event.seq, event.at, event.type, event.action_id AS "actionId", event.via, event.staff, event.name,
    event.roles, event.act, event.target, event.reason, event.outcome, event.prev_hash AS "prevHash", event.hash`;

const selectWithBefore = `
  SELECT ${chainColumns}, before.hash AS "hashBefore",
    event.seq = (SELECT min(seq) FROM operator_event) AS "isFirst"
  FROM operator_event AS event LEFT JOIN operator_event AS before ON before.seq = event.seq - 1
  WHERE event.action_id = ANY($1::uuid[]) ORDER BY event.seq`;

interface WithBefore extends ChainedOperatorEvent {
  readonly hashBefore: Buffer | null;
  readonly isFirst: boolean;
}

/**
 * Returns the first row of these actions that was changed, or that does not continue the row before it. Undefined if there is
 * none.
 */
export const firstBrokenOf = async (ask: Ask, actionIds: readonly string[]): Promise<number | undefined> =>
  (await ask<WithBefore>(selectWithBefore, [actionIds])).find(isBroken)?.seq;

const isBroken = ({ hashBefore, isFirst, ...event }: WithBefore): boolean => {
  if (hashBefore === null) return !isFirst || firstBroken([event]) !== undefined;
  return firstBroken([event], { seq: event.seq - 1, hash: hashBefore }) !== undefined;
};

/** What a verification of all rows found. */
export interface ChainState {
  readonly records: number;
  /** The oldest row that is kept; null if there is none. */
  readonly firstSeq: number | null;
  /** The first row that was changed or inserted, or before which a row is missing. */
  readonly brokenAt: number | null;
  /** The newest row that was verified, with its hash in hex: kept elsewhere, it proves later that none was removed. */
  readonly last: { readonly seq: number; readonly hash: string } | null;
}

const rowsAtOnce = 2000;
const selectChain = `SELECT ${chainColumns} FROM operator_event AS event WHERE seq > $1 ORDER BY seq LIMIT $2`;

/** Verifies all rows, from the oldest that is kept to the newest. */
export const verifyActions = async (ask: Ask): Promise<ChainState> => {
  let [records, firstSeq]: [number, number | null] = [0, null];
  let last: ChainedOperatorEvent | undefined;
  for (;;) {
    const events = await ask<ChainedOperatorEvent>(selectChain, [last?.seq ?? 0, rowsAtOnce]);
    firstSeq ??= events[0]?.seq ?? null;
    const brokenAt = firstBroken(events, last);
    records += events.length;
    if (brokenAt !== undefined) return { records, firstSeq, brokenAt, last: linkOf(last) };
    last = events.at(-1) ?? last;
    if (events.length < rowsAtOnce) return { records, firstSeq, brokenAt: null, last: linkOf(last) };
  }
};

const linkOf = (event: ChainedOperatorEvent | undefined): ChainState['last'] =>
  event === undefined ? null : { seq: event.seq, hash: event.hash.toString('hex') };

/** Says in one sentence what a verification found. */
export const chainText = ({ records, firstSeq, brokenAt }: ChainState): string => {
  if (brokenAt !== null)
    return `The chain is broken at record ${brokenAt}: it was changed or inserted, or the record before it was removed.`;
  if (firstSeq === null) return 'There are no records yet.';
  const from = firstSeq === 1 ? '' : `, from record ${firstSeq} on; earlier ones are not kept`;
  return `The chain of ${records} ${records === 1 ? 'record' : 'records'} is complete${from}.`;
};
