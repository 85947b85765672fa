import { gauge } from '@xs2a/observability/metrics';
import type { Pool } from 'pg';

let pools: readonly Pool[] = [];
const isOpen = ({ ended }: Pool): boolean => !ended;

const sum = (count: (pool: Pool) => number): number =>
  pools.filter(isOpen).reduce((total, pool) => total + count(pool), 0);

gauge(
  'xs2a_pool_connections',
  'Connections to PostgreSQL, by whether a statement or transaction uses them',
  ['state'],
  (connections) => {
    connections.set(
      { state: 'busy' },
      sum(({ totalCount, idleCount }) => totalCount - idleCount),
    );
    connections.set(
      { state: 'idle' },
      sum(({ idleCount }) => idleCount),
    );
  },
);
gauge('xs2a_pool_max_connections', 'Connections to PostgreSQL that this process may open', [], (allowed) =>
  allowed.set(sum(({ options }) => options.max)),
);
gauge('xs2a_pool_waiting', 'Statements and transactions that wait for a connection', [], (waiting) =>
  waiting.set(sum(({ waitingCount }) => waitingCount)),
);

/** Includes the pool in the gauges until it is closed. */
export const measurePool = (pool: Pool): void => {
  pools = [...pools.filter(isOpen), pool];
};
