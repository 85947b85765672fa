import { Inject, Injectable } from '@nestjs/common';
import type { Standby } from '@xs2a/doctor/standbys';
import { type Replication, readReplication } from '@xs2a/postgres/replication';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** The connected standbys of the PostgreSQL server, and the settings that determine which standbys commits wait for. */
export interface Standbys extends Replication {
  readonly standbys: readonly Standby[];
}

/** Reads the standbys through the SQL function `console.standbys()`, because the console itself may not read their state and lag. */
@Injectable()
export class StandbyReader {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async read(): Promise<Standbys> {
    const [replication, { rows }] = await Promise.all([
      readReplication(this.pool),
      this.pool.query<Standby>({
        name: 'standbys',
        text: `SELECT name, state, sync_state AS "syncState", behind_bytes AS "behindBytes", lag_ms AS "lagMs"
          FROM console.standbys()`,
      }),
    ]);
    return { ...replication, standbys: rows };
  }
}
