import type { WaitingApproval, WaitingApprovals } from '@xs2a/contracts/console/waiting-approvals.contract';
import { awaitedOf, listSigners, type Signable } from '@xs2a/domain/sca/authorisations';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import type { Pool } from 'pg';

interface Asked {
  readonly pool: Pool;
  readonly psuId: string;
  /** The current time as an ISO instant; approvals that expired before it are left out. */
  readonly now: string;
  readonly limit: number;
}
type Waiting = Signable & { readonly tppId: string; readonly expiresAt: string };
interface Store<State> {
  readonly many: { readReadableStates(rows: readonly StateRow[]): Promise<(State | undefined)[]> };
}
interface Row extends StateRow {
  /** The time of the first event. Null if the state of the resource contains the time of the POST, so the events are not searched. */
  readonly created_at: Date;
}
/** Which status view to search for waiting approvals, and how to interpret the state in its rows. */
interface Read<State> {
  readonly view: string;
  readonly kindOf: (state: State) => WaitingApproval['kind'];
  /** Returns the time of the POST from a state. If this function is absent, the time of the first event is used. */
  readonly createdAtOf?: (state: State) => string;
}

/** SQL for the time of a stream's first event. It searches every partition of `events`, because the month is not known. */
const firstEventAt = '(SELECT occurred_at FROM events e WHERE e.stream_id = v.stream_id AND e.version = 1)';

/**
 * Returns the SQL statement that reads the rows of a status view that wait for the PSU `$1`, newest first, at most `$2` rows. It scans
 * the index of all waiting rows (`waiting-approval-indexes.ts` of each service). The index is small, because an approval expires after
 * `authorisationSeconds` of the profile (15 minutes). With 100,000 waiting rows among a million rows, the statement takes 1.0 s from
 * memory and 1.7 s from disk (on a busy machine with two cores).
 */
export const waitingStatement = <State>({ view, createdAtOf }: Omit<Read<State>, 'kindOf'>): string =>
  `SELECT stream_id, version, state, ${streamKeyOf('v')} AS stream_key,
     ${createdAtOf === undefined ? firstEventAt : 'NULL'} AS created_at
   FROM ${view} v WHERE awaited IS NOT NULL AND awaited ? $1 ORDER BY stream_id DESC LIMIT $2`;

/**
 * Returns the resources in a service's status view that a PSU can still approve. `isCut` is true if the statement reached its limit,
 * because further rows may exist; this also applies if some of the rows that were read have expired.
 */
export const readWaiting = async <State extends Waiting>(
  { pool, psuId, now, limit }: Asked,
  read: Read<State>,
  { many }: Store<State>,
): Promise<WaitingApprovals> => {
  const { rows } = await pool.query<Row>({
    name: `waiting-${read.view}`,
    text: waitingStatement(read),
    values: [psuId, limit],
  });
  const states = await many.readReadableStates(rows);
  const approvals = rows.flatMap(({ stream_id: id, created_at: createdAt }, index) => {
    const state = states[index];
    if (state === undefined || hasPassed(state.expiresAt, now)) return [];
    const authorisation = awaitedOf(state, psuId);
    if (authorisation === undefined) return [];
    return [
      {
        kind: read.kindOf(state),
        id,
        tppId: state.tppId,
        createdAt: read.createdAtOf === undefined ? createdAt.toISOString() : read.createdAtOf(state),
        expiresAt: state.expiresAt,
        scaStatus: authorisation.scaStatus,
        signatures: { given: listSigners(state).length, required: state.signaturesRequired },
      },
    ];
  });
  return { approvals, ...(rows.length === limit ? { isCut: true } : {}) };
};

/** Merges the lists of several services into the newest `limit` approvals. `isCut` is true if the merged list may be incomplete. */
export const newestWaiting = (found: readonly WaitingApprovals[], limit: number): WaitingApprovals => {
  const sorted = found
    .flatMap(({ approvals }) => approvals)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  const isCut = sorted.length > limit || found.some((list) => list.isCut === true);
  return { approvals: sorted.slice(0, limit), ...(isCut ? { isCut } : {}) };
};
