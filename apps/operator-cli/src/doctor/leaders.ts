import type { Pulse } from '@xs2a/contracts/pulse.contract';
import type { ServiceName } from '@xs2a/contracts/services';
import { isLive } from '@xs2a/postgres/session-lock';
import { type Connections, oneRow, type Schema } from '../connections.js';
import { type Check, failed, type Outcome, passed, restart } from './check.js';
import { settled } from './settled.js';

interface Leaders {
  /**
   * The host of the leading instance, or the name of a program that holds the lock without leading; undefined if
   * nobody holds the lock.
   */
  readonly active?: string;
  readonly leads: boolean;
  /** The number of instances that are waiting for the lock. */
  readonly standby: number;
}

/**
 * Finds the instance of a service that holds a lock in the service's schema, and the instances that wait for it.
 * Instances are recognised as sessions with the service's role.
 */
const findLeaders = async (connections: Connections, schema: Schema, lock: string): Promise<Leaders> => {
  const { name, standby } = await oneRow<{ name: string | null; standby: number }>(
    connections.pool(schema),
    `SELECT (SELECT s.application_name FROM session_lock l, pg_stat_get_activity(l.pid) AS s WHERE l.name = $1 AND ${isLive('l')}) AS name,
      (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = $2
        AND starts_with(application_name, $1 || ' standby ')) AS standby`,
    [lock, `xs2a_${schema}`],
  );
  if (name === null) return { leads: false, standby };
  const prefix = `${lock} active `;
  return name.startsWith(prefix)
    ? { active: name.slice(prefix.length), leads: true, standby }
    : { active: name, leads: false, standby };
};

/** A task that only one instance of a service does at a time. */
interface LedTask {
  readonly check: string;
  readonly schema: Schema;
  readonly service: ServiceName;
  readonly lock: string;
  /** What the leader does, as the end of a sentence. */
  readonly work: string;
}
const ledTasks: readonly LedTask[] = [
  {
    check: 'leader payments',
    schema: 'payments',
    service: 'payments',
    lock: 'relay.payments',
    work: 'publishes payments',
  },
  {
    check: 'leader consents',
    schema: 'consents',
    service: 'consents',
    lock: 'relay.consents',
    work: 'publishes consents',
  },
  {
    check: 'leader notifications',
    schema: 'notifications',
    service: 'notifications',
    lock: 'notifications',
    work: 'sends notifications',
  },
  {
    check: 'leader settlement',
    schema: 'settlement',
    service: 'settlement-worker',
    lock: 'settlement',
    work: 'settles payments',
  },
];

/** Checks that each task has a leader, and that the leader is one of the instances that send pulses. */
export const leaderChecks = (running: readonly Pulse[]): readonly Check[] =>
  ledTasks.map((task) => ({
    name: task.check,
    needs: ['postgres', 'nats', task.service],
    run: async (connections) => checkLeader(connections, task, running),
  }));

const checkLeader = async (
  connections: Connections,
  { schema, service, lock, work }: LedTask,
  running: readonly Pulse[],
): Promise<Outcome> => {
  // While the leader changes, there is briefly none.
  const { value, good } = await settled(
    async () => findLeaders(connections, schema, lock),
    ({ leads }) => leads,
  );
  const { active, standby } = value;
  const holder = active === undefined ? '' : `; ${active} holds the lock`;
  if (!good) return failed(`no instance ${work}${holder}; ${standby} standby`, restart(connections, service));
  // PostgreSQL cuts the name of a session, which contains the host, after 63 bytes.
  const isRunning = running.some(
    (pulse) => pulse.service === service && active !== undefined && pulse.host.startsWith(active),
  );
  if (!isRunning)
    return failed(`${active} ${work}, but sends no pulse; ${standby} standby`, restart(connections, service));
  return passed(`${active} ${work}; ${standby} standby`);
};
