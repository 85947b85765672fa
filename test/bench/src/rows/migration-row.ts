import { backfill } from '@xs2a/migrations/backfill';
import { indexBesideLoad } from '@xs2a/migrations/index-beside-load';
import { notNullBesideLoad } from '@xs2a/migrations/not-null-beside-load';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { Measurement, type Measured } from '../load/measure.js';
import { BenchWorld } from '../world/bench-world.js';
import { withClient } from '../world/with-client.js';
import type { Prepared } from '../row.js';
import { postPayments, readStatus } from './payment-rows.js';

const postsPerSecond = 50;
const readsPerSecond = 100;
const connections = 8;
const statusesRead = 1000;
const perStatement = 50_000;

type Session = Parameters<typeof backfill>[0];
const schema = 'payments';
const table = 'payment_view';
const column = 'begun_in';
const down = async (): Promise<void> => undefined;
const fill = async (session: Session, name: string): Promise<unknown> =>
  backfill(session, {
    name,
    table: `${schema}.${table}`,
    key: 'stream_id',
    keyType: 'uuid',
    set: `${column} = extract(year FROM uuid_extract_timestamp(t.stream_id))`,
    where: `t.${column} IS NULL`,
  });

// The first release: it adds the column and writes it.
class Column1800000000001 {
  readonly down = down;
  async up(runner: Session): Promise<void> {
    await runner.query(`ALTER TABLE ${schema}.${table} ADD COLUMN ${column} int`);
  }
}
class Filled1800000000002 {
  readonly down = down;
  readonly transaction = false;
  async up(runner: Session): Promise<void> {
    await fill(runner, 'first');
  }
}
class Index1800000000003 {
  readonly down = down;
  readonly transaction = false;
  async up(runner: Session): Promise<void> {
    await indexBesideLoad(runner, {
      schema,
      table,
      name: `payment_${column}`,
      columns: `(${column}, stream_id)`,
    });
  }
}
/** Sets a default: new rows have a value then, as they have when instances of the first release insert them. */
class Written1800000000004 {
  readonly down = down;
  async up(runner: Session): Promise<void> {
    await runner.query(`ALTER TABLE ${schema}.${table} ALTER ${column} SET DEFAULT 2026`);
  }
}
// The next release: it forbids NULL in the column.
class FilledAgain1800000000005 {
  readonly down = down;
  readonly transaction = false;
  async up(runner: Session): Promise<void> {
    await fill(runner, 'again');
  }
}
class Required1800000000006 {
  readonly down = down;
  readonly transaction = false;
  async up(runner: Session): Promise<void> {
    await notNullBesideLoad(runner, { schema, table, column });
  }
}
const steps = [
  Column1800000000001,
  Filled1800000000002,
  Index1800000000003,
  Written1800000000004,
  FilledAgain1800000000005,
  Required1800000000006,
] as const;

/** The columns that differ from row to row; all others are copied from one payment for which nothing is due. */
const own: Readonly<Record<string, string>> = {
  stream_id: "uuidv7(interval '-1 year' + interval '1 year' * n / $3::int)",
  state: "'{}'",
  status: "'RJCT'",
  unsigned_until: 'NULL',
  tpp_id: "'tpp-' || n % 200",
};

/** Rows of the status view alone, of the last year, with a state that nobody reads: as many as the disk has room for. */
const fillView = async (client: Client, { payments = 1_000_000, say }: FigureOptions): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'payments.payment_view'::regclass
     AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => own[name] ?? `model.${name}`);
  for (let done = 0; done < payments; done += perStatement) {
    await client.query(
      `INSERT INTO payments.payment_view (${names.join(', ')}) SELECT ${values.join(', ')}
       FROM (SELECT * FROM payments.payment_view LIMIT 1) AS model, generate_series($1::int, $2::int) AS n`,
      [done + 1, Math.min(payments, done + perStatement), payments],
    );
    if (done % 1_000_000 === 0) say(`  ${done} payments are in place`);
  }
  await client.query('VACUUM (ANALYZE) payments.payment_view');
};

interface Besides {
  readonly post: Measured;
  readonly read: Measured;
}
/** POST and GET status at a steady pace while the work goes on; every answer counts. */
const besideRequests = async (
  world: BenchWorld,
  [posts, reads]: readonly [Prepared, Prepared],
  work: () => Promise<unknown>,
): Promise<Besides> => {
  const done = new AbortController();
  const ask = async (prepared: Prepared, pace: number): Promise<Measured> => {
    const times = { warmUpSeconds: 1, seconds: 2 };
    const plan = { ...world.entrance, connections, ...times, once: false, ...prepared, pace };
    const load = new Measurement(plan, world.parts);
    try {
      await load.warmUp(times.warmUpSeconds);
      for (;;) {
        const measured = await load.turn(times.seconds);
        if (done.signal.aborted) return measured;
      }
    } finally {
      load.end();
    }
  };
  const [post, read] = await Promise.all([
    ask(posts, postsPerSecond),
    ask(reads, readsPerSecond),
    work().finally(() => done.abort()),
  ]);
  return { post, read };
};

const describeLoad = (when: string, { post, read }: Besides): string =>
  `${when}: ${[['POST payment', post] as const, ['GET status', read] as const]
    .map(
      ([name, { answered, p50, p99, longest }]) =>
        `${name} ${answered} answered, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(0)}, longest ${longest.toFixed(0)} ms`,
    )
    .join('; ')}`;

const migrate = async (options: FigureOptions): Promise<Found> => {
  const world = await BenchWorld.start(options);
  try {
    return await withClient(world.sandbox.databaseUrl('postgres'), async (client): Promise<Found> => {
      const load = [await postPayments(world), await readStatus(world, statusesRead)] as const;
      await fillView(client, options);
      const { rows: before } = await client.query<{ size: string }>(
        "SELECT pg_size_pretty(pg_total_relation_size('payments.payment_view')) AS size",
      );
      await besideRequests(world, load, async () => wait(options.warmUpSeconds * 1000));
      const quiet = await besideRequests(world, load, async () => wait(options.seconds * 1000));
      const took: string[] = [];
      const url = world.sandbox.databaseUrl('xs2a_owner');
      const busy = await besideRequests(world, load, async () => {
        for (const [index, step] of steps.entries()) {
          const begun = performance.now();
          await runMigrations({ url, schema, migrations: steps.slice(0, index + 1) });
          took.push(`${step.name.replace(/\d+$/, '')} ${((performance.now() - begun) / 1000).toFixed(1)} s`);
          options.say(`  ${took.at(-1)}`);
        }
      });
      const unexpected = [quiet, busy]
        .flatMap(({ post, read }) => [post, read])
        .reduce((sum, one) => sum + one.unexpected, 0);
      const { rows: left } = await client.query<{ size: string; unfilled: string }>(
        `SELECT pg_size_pretty(pg_total_relation_size('payments.payment_view')) AS size,
          (SELECT count(*) FROM payments.payment_view WHERE begun_in IS NULL) AS unfilled`,
      );
      return {
        value: Math.max(busy.post.longest, busy.read.longest),
        notes: [
          `${options.payments ?? 1_000_000} payments in the status view, ${before[0]?.size} before and ${left[0]?.size} after`,
          took.join(', '),
          describeLoad('quiet', quiet),
          describeLoad('while it was migrated', busy),
        ],
        ...(unexpected > 0
          ? {
              problem: `${unexpected} requests failed: ${busy.post.firstUnexpected ?? busy.read.firstUnexpected}`,
            }
          : {}),
        ...(left[0]?.unfilled === '0' ? {} : { problem: `${left[0]?.unfilled} rows have no value` }),
      };
    });
  } finally {
    await world.stop();
  }
};

export const migrationRow: FigureRow = {
  name: 'migration',
  title: 'longest request while the status view of payments is migrated',
  targets: { sandbox: { atMost: 1800, unit: 'ms' } },
  measure: migrate,
};
