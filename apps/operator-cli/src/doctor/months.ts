import { type Connections, oneRow } from '../connections.js';
import { type Check, mendBy, type Outcome, passed } from './check.js';
import { xs2a } from '../command-line/own-name.js';

/**
 * The check warns if there are fewer than this many partitions for the coming months. The migration job creates
 * six on every run.
 */
const minAhead = 3;

const eventMonths = async (connections: Connections): Promise<Outcome> => {
  const ahead: { readonly resource: string; readonly months: number }[] = [];
  for (const resource of ['payments', 'consents'] as const) {
    const { months } = await oneRow<{ months: number }>(
      connections.pool(resource),
      `SELECT count(*) AS months FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = to_regclass('events') AND relname ~ '^events_[0-9]{4}_[0-9]{2}$'
         AND relname > to_char(now() AT TIME ZONE 'UTC', '"events_"YYYY_MM')`,
    );
    ahead.push({ resource, months });
  }
  const text = ahead.map(({ resource, months }) => `${resource} ${months} months ahead`).join(', ');
  const short = ahead.find(({ months }) => months < minAhead);
  return passed(text, short && mendBy(connections, xs2a('migrate')));
};

/**
 * Checks the partitions for the coming months. Events of a month without a partition go to the default partition,
 * from which months cannot be detached.
 */
export const monthsCheck: Check = { name: 'months', needs: ['postgres'], run: eventMonths };
