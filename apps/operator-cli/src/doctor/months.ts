import { type Connections, oneRow } from '../connections.js';
import { type Check, mendBy, type Outcome, passed } from './check.js';
import { xs2a } from '../command-line/own-name.js';

/** Fewer partitions for coming months than this make the check warn: the migration job makes six at every run. */
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

/** Checks the partitions of coming months. Events whose month has no partition go to the default one, which cannot be detached month by month. */
export const monthsCheck: Check = { name: 'months', needs: ['postgres'], run: eventMonths };
