import {
  lossAccepted,
  describeLoss,
  type Replication,
  replicationSettings,
} from '@xs2a/postgres/replication';
import { type Connections, oneRow } from '../connections.js';
import { type Check, failed, mendBy, type Outcome, passed } from './check.js';
import { isWaitedFor, type Standby, standbyLag } from '@xs2a/doctor/standbys';
import { counted } from '../command-line/output.js';

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
      (SELECT coalesce(json_agg(json_build_object('name', application_name, 'state', state, 'syncState', sync_state,
          'behindBytes', pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn),
          'lagMs', round(extract(epoch FROM flush_lag) * 1000)) ORDER BY application_name), '[]')
        FROM pg_stat_replication) AS standbys`,
    [lossAccepted],
  );

const standbyText = (standby: Standby): string => {
  const { name, state, syncState } = standby;
  if (state === null) return `${name}: not visible without pg_read_all_stats`;
  return `${name} (${syncState}, ${state}, ${standbyLag(standby)} behind)`;
};

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
