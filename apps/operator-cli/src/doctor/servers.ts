import { jetstreamManager } from '@nats-io/jetstream';
import { Clock } from '@xs2a/runtime/clock';
import { connectionsNeeded } from '@xs2a/runtime/database/connection-budget';
import { type Connections, oneRow } from '../connections.js';
import { type Check, failed, mendBy, type Outcome, passed } from './check.js';
import { certificatesCheck } from './certificates.js';
import { gatewayCheck } from './gateway.js';
import { holidaysCheck } from './holidays.js';
import { archiveDueCheck } from '../archive/due-check.js';
import { masterKeysCheck } from './master-keys.js';
import { monthsCheck } from './months.js';
import { natsAccessCheck } from './nats-access.js';
import { replicationCheck } from './replication.js';
import { tables } from '../migrate/tables.js';
import { durationText } from '@xs2a/doctor/durations';
import { xs2a } from '../command-line/own-name.js';

const maxSkewMs = 1000;
const needed = connectionsNeeded(tables.length);

const postgres = async (connections: Connections): Promise<Outcome> => {
  try {
    const { version, used, allowed } = await oneRow<{ version: string; used: number; allowed: number }>(
      connections.pool('payments'),
      `SELECT current_setting('server_version') AS version, (SELECT count(*) FROM pg_stat_activity) AS used,
        current_setting('max_connections')::int AS allowed`,
    );
    const text = `PostgreSQL ${version.split(' ')[0]}, ${used} of ${allowed} connections`;
    const repair = mendBy(connections, 'psql "$DATABASE_URL" -c "TABLE pg_stat_activity"');
    if (used > allowed * 0.9) return failed(text, repair);
    if (allowed >= needed) return passed(text);
    const lacks = `${text}; two instances of each service and a rolling update need ${needed}`;
    const raise = `psql "$DATABASE_URL" -c "ALTER SYSTEM SET max_connections = ${needed}"   (as superuser; then restart PostgreSQL, or lower DATABASE_POOL)`;
    return passed(lacks, mendBy(connections, raise));
  } catch (error) {
    const text = `no answer: ${error instanceof Error ? error.message || error.name : String(error)}`;
    return failed(text, mendBy(connections, 'pg_isready --dbname="$DATABASE_URL"'));
  }
};

const nats = async (connections: Connections): Promise<Outcome> => {
  try {
    const connection = await connections.nats();
    const before = performance.now();
    const info = await (await jetstreamManager(connection)).getAccountInfo();
    const took = durationText(performance.now() - before);
    const version = connection.info?.version ?? '';
    return passed(`nats-server ${version}, ${info.streams} streams, JetStream answers in ${took}`);
  } catch (error) {
    const text = `no answer: ${error instanceof Error ? error.message || error.name : String(error)}`;
    return failed(text, mendBy(connections, 'nats --server "$NATS_URL" server check jetstream'));
  }
};

const migrations = async (connections: Connections): Promise<Outcome> => {
  const pending: string[] = [];
  let all = 0;
  for (const { schema, migrations } of tables) {
    const pool = connections.pool(schema);
    const { rows: found } = await pool.query<{ exists: boolean }>(
      "SELECT to_regclass('migration') IS NOT NULL AS exists",
    );
    const { rows } =
      found[0]?.exists === true
        ? await pool.query<{ name: string }>('SELECT name FROM migration')
        : { rows: [] };
    const ran = new Set(rows.map(({ name }) => name));
    all += migrations.length;
    pending.push(...migrations.map(({ name }) => name).filter((name) => !ran.has(name)));
  }
  if (pending.length === 0) return passed(`all ${all} have run`);
  const text = `${pending.length} of ${all} have not run: ${pending.join(', ')}`;
  return failed(text, mendBy(connections, xs2a('migrate')));
};

/** This machine's clock, without the sandbox's offset. */
const ownClock = new Clock(false);
const clock = async (connections: Connections): Promise<Outcome> => {
  const asked = ownClock.nowMs();
  const { now_ms: nowMs } = await oneRow<{ now_ms: number }>(
    connections.pool('payments'),
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms',
  );
  const answered = ownClock.nowMs();
  const skew = nowMs - (asked + answered) / 2;
  const offset = await connections.clockOffsetMs();
  const ahead = offset === 0 ? '' : `; the sandbox clock is ${durationText(offset)} ahead`;
  const text = `database and this machine differ by ${durationText(Math.abs(skew))}${ahead}`;
  const isOff = Math.abs(skew) > maxSkewMs + (answered - asked);
  return isOff ? failed(text, 'timedatectl status') : passed(text);
};

export const serverChecks: readonly Check[] = [
  { name: 'postgres', needs: [], run: postgres },
  replicationCheck,
  { name: 'nats', needs: [], run: nats },
  natsAccessCheck,
  certificatesCheck,
  gatewayCheck,
  { name: 'migrations', needs: ['postgres'], run: migrations },
  monthsCheck,
  archiveDueCheck,
  masterKeysCheck,
  holidaysCheck,
  { name: 'clock', needs: ['postgres', 'nats'], run: clock },
];
