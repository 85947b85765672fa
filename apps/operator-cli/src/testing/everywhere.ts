import { publishedEvents } from '@xs2a/event-store/verification/published-copy';
import { connectAs } from '@xs2a/nats/connection';
import { parseStreamCredentials } from '@xs2a/nats/nats-url';
import { makeLayout } from '@xs2a/sandbox/layout';
import { send } from '@xs2a/tpp-client/http';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';

/** The sandbox's customer register, which belongs to the core bank and is not erased by this product. */
const register = new Set(['accounts.psu', 'accounts.created_psu', 'accounts.signer', 'accounts.account']);

/**
 * Returns the places where any of these texts is readable (tables, statistics, published events, logs, metrics),
 * each once, in order.
 */
export const placesOf = async (sandbox: Sandbox, texts: readonly string[]): Promise<string[]> => {
  const places = new Set<string>();
  const look = (place: string, text: string): void => {
    if (texts.some((one) => text.includes(one))) places.add(place);
  };
  await lookIntoTables(sandbox, look);
  await lookIntoStreams(sandbox, look);
  const logs = join(sandbox.dataDir, 'logs');
  for (const name of readdirSync(logs)) look(`log ${name}`, readFileSync(join(logs, name), 'utf8'));
  for (const [name, url] of Object.entries(sandbox.healthUrls))
    look(`metrics of ${name}`, (await send('GET', `${url}/metrics`)).text);
  return [...places].sort();
};

type Look = (place: string, text: string) => void;

const asSuperuser = async <Result>(
  sandbox: Sandbox,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> => {
  const pool = new Pool({ connectionString: sandbox.databaseUrl('postgres'), max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

/** Searches every row of every table as text, as in a dump. */
const lookIntoTables = async (sandbox: Sandbox, look: Look): Promise<void> =>
  asSuperuser(sandbox, async (pool) => {
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT nspname || '.' || relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE relkind = 'r' AND nspname !~ '^pg_' AND nspname <> 'information_schema'`,
    );
    if (tables.length < 50) throw new Error(`only ${tables.length} tables were found`);
    for (const { name } of tables.filter(({ name: table }) => !register.has(table))) {
      const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      for (const { row } of rows) look(name, row);
    }
    await lookIntoStatistics(pool, look);
  });

/** Searches the column values that `ANALYZE` stores, which remain after their rows are deleted. */
const lookIntoStatistics = async (pool: Pool, look: Look): Promise<void> => {
  const { rows } = await pool.query<{ place: string; row: string }>(
    `SELECT 'statistics of ' || schemaname || '.' || tablename || '.' || attname AS place, s::text AS row
     FROM pg_stats s WHERE schemaname !~ '^pg_' AND schemaname <> 'information_schema'
     UNION ALL
     SELECT 'statistics of ' || schemaname || '.' || statistics_name, s::text FROM pg_stats_ext s
     UNION ALL
     SELECT 'statistics of ' || schemaname || '.' || statistics_name, s::text FROM pg_stats_ext_exprs s`,
  );
  for (const { place, row } of rows)
    if (!register.has(place.replace(/^statistics of (\w+\.\w+).*$/, '$1'))) look(place, row);
};

/** Runs `ANALYZE` on every table, as autovacuum may do at any time. */
export const analyzeAll = async (sandbox: Sandbox): Promise<void> =>
  asSuperuser(sandbox, async (pool) => {
    await pool.query('ANALYZE');
    const { rows } = await pool.query(
      "SELECT FROM pg_stats WHERE schemaname !~ '^pg_' AND most_common_vals IS NOT NULL LIMIT 50",
    );
    if (rows.length < 50) throw new Error(`only ${rows.length} columns have statistics`);
  });

/** Returns the texts that occur in PostgreSQL's files: in tables (including dead rows), indexes or WAL. */
export const textsInFiles = async <Text extends string | Buffer>(
  sandbox: Sandbox,
  texts: readonly Text[],
): Promise<Text[]> => {
  await asSuperuser(sandbox, async (pool) => pool.query('CHECKPOINT'));
  const found = new Set<Text>();
  const folder = makeLayout(sandbox.dataDir).postgres;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    for (const text of texts) if (bytes.includes(text)) found.add(text);
  }
  return texts.filter((text) => found.has(text));
};

const lookIntoStreams = async (sandbox: Sandbox, look: Look): Promise<void> => {
  const nats = await connectAs(parseStreamCredentials(sandbox.natsUrl()), { name: 'test' });
  try {
    for (const resource of ['payments', 'consents'] as const) {
      let events = 0;
      for await (const { event } of publishedEvents(nats, resource, {
        from: 1,
        to: Number.MAX_SAFE_INTEGER,
      })) {
        events += 1;
        look(`stream ${resource}`, JSON.stringify(event));
      }
      if (events === 0) throw new Error(`no event of ${resource} was published`);
    }
  } finally {
    await nats.close();
  }
};
