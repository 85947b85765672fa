import {
  lossAccepted,
  describeLoss,
  type Replication,
  replicationSettings,
} from '@xs2a/postgres/replication';
import { type Connections, oneRow } from '../connections.js';
import { type Check, failed, mendBy, type Outcome, passed } from './check.js';
import { durationText } from '@xs2a/doctor/durations';
import { counted } from '../command-line/output.js';

/** A row of `pg_stat_replication`; its values are null if the role may not see them (`pg_read_all_stats`). */
interface Standby {
  readonly name: string;
  readonly state: string | null;
  readonly sync_state: string | null;
  readonly behind_bytes: number | null;
  readonly lag_ms: number | null;
}

interface Found extends Replication {
  readonly standbys: readonly Standby[];
  /** The number of service sessions that accept the loss of acknowledged writes. */
  readonly accepting: number;
}

const readReplication = async (connections: Connections): Promise<Found> =>
  oneRow(
    connections.pool('payments'),
    `SELECT ${replicationSettings},
      (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE '% ' || $1) AS accepting,
      (SELECT coalesce(json_agg(json_build_object('name', application_name, 'state', state, 'sync_state', sync_state,
          'behind_bytes', pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn),
          'lag_ms', round(extract(epoch FROM flush_lag) * 1000)) ORDER BY application_name), '[]')
        FROM pg_stat_replication) AS standbys`,
    [lossAccepted],
  );

const standbyText = ({ name, state, sync_state, behind_bytes, lag_ms }: Standby): string => {
  if (state === null) return `${name}: not visible without pg_read_all_stats`;
  const lag = lag_ms === null ? '' : `, ${durationText(lag_ms)}`;
  return `${name} (${sync_state}, ${state}, ${behind_bytes ?? '?'} bytes${lag} behind)`;
};

/**
 * True if commits wait for this standby. They wait for the members of a quorum in the same way as for synchronous
 * standbys.
 */
const isWaitedFor = ({ state, sync_state }: Standby): boolean =>
  state === 'streaming' && (sync_state === 'sync' || sync_state === 'quorum');

const howTo = 'docs/how-to/fail-over.md';

/** Checks that acknowledged writes would survive the loss of the database server. */
const replication = async (connections: Connections): Promise<Outcome> => {
  const found = await readReplication(connections);
  const { standbys, accepting } = found;
  const list = standbys.length === 0 ? 'no standby is connected' : standbys.map(standbyText).join(', ');
  const loss = describeLoss(found);
  if (loss === undefined) {
    const isAttached = standbys.some(isWaitedFor) || standbys.some(({ state }) => state === null);
    if (isAttached) return passed(`synchronous: ${list}`);
    const text = `writes wait for a synchronous standby: ${list}`;
    return failed(text, 'psql "$DATABASE_URL" -c "TABLE pg_stat_replication"');
  }
  const text = `asynchronous: ${list}; ${loss}`;
  if (connections.hasSandboxRules)
    return standbys.length === 0
      ? passed('none; a sandbox needs no standby')
      : passed(`asynchronous: ${list}`);
  if (accepting > 0)
    return passed(
      `${text}; ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES=yes in ${counted(accepting, 'session')}`,
      `the steps of ${howTo}`,
    );
  return failed(
    `${text}; services would not restart with this setting`,
    mendBy(connections, `the steps of ${howTo}`),
  );
};

export const replicationCheck: Check = { name: 'replication', needs: ['postgres'], run: replication };
