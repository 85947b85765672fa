import { createPool } from '@xs2a/postgres/pool';
import type { Pool } from 'pg';

const schemas = ['payments', 'consents', 'accounts', 'settlement', 'notifications'] as const;
export type Schema = (typeof schemas)[number];

/** Time limit for one check, in milliseconds. It allows for a machine on which everything else is restarting. */
const checkMs = 60_000;

/** The services' tables as seen by an operator, with one pool per schema. */
export class Schemas {
  private readonly pools = new Map<Schema, Pool>();

  /** `url`: the database URL, with a role that may read all schemas. */
  constructor(private readonly url: string) {}

  of(schema: Schema): Pool {
    const known = this.pools.get(schema);
    if (known !== undefined) return known;
    const url = new URL(this.url);
    url.searchParams.set('options', `-c search_path=${schema}`);
    const pool = createPool({
      url: url.href,
      name: `invariants-${schema}`,
      max: 4,
      transactionMs: checkMs,
      answerWithinMs: checkMs,
    });
    // The faults break connections on purpose. The query on a broken connection fails and reports the error
    // itself.
    pool.on('error', () => undefined);
    this.pools.set(schema, pool);
    return pool;
  }

  async end(): Promise<void> {
    await Promise.all([...this.pools.values()].map(async (pool) => pool.end()));
    this.pools.clear();
  }
}
