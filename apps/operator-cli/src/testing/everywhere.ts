import { publishedEvents } from '@xs2a/event-store/verification/published-copy';
import { connectAs } from '@xs2a/nats/connection';
import { parseStreamCredentials } from '@xs2a/nats/nats-url';
import { send } from '@xs2a/sandbox/tpp/http';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';

/** The bank's own register of customers, in the sandbox: it is the core bank's, and what this product forgets is not in it. */
const register = new Set(['accounts.psu', 'accounts.signer', 'accounts.account']);

/** The places where one of these texts stands readable: tables, published events, logs and metrics; each once, in order. */
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

/** Every row of every table as text, as a dump has it. */
const lookIntoTables = async (sandbox: Sandbox, look: Look): Promise<void> => {
  const pool = new Pool({ connectionString: sandbox.databaseUrl('postgres'), max: 1 });
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT nspname || '.' || relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE relkind = 'r' AND nspname !~ '^pg_' AND nspname <> 'information_schema'`,
    );
    if (tables.length < 50) throw new Error(`only ${tables.length} tables were found`);
    for (const { name } of tables.filter(({ name: table }) => !register.has(table))) {
      const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      for (const { row } of rows) look(name, row);
    }
  } finally {
    await pool.end();
  }
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
