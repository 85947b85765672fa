import { Inject, Injectable } from '@nestjs/common';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { StatementQueue } from '@xs2a/postgres/statement-queue';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { ConsentStore } from '../store/consent-store.js';
import { type Asked, claimStatement, type Seen, seenIn, type SeenRow, windowOf } from './claim-statement.js';

const maxBatch = 64;

/**
 * Asks about consents, many in one statement. A statement writes once to each window; a second call there waits for the
 * first.
 */
@Injectable()
export class ClaimQueue {
  private readonly queue: StatementQueue<Asked, Seen | undefined>;

  constructor(@Inject(POOL) pool: Pool, store: ConsentStore) {
    this.queue = new StatementQueue({
      maxBatch,
      keysOf: windowsOf,
      run: async (batch) => {
        const { rows } = await pool.query<SeenRow>(claimStatement(batch));
        const brought = rows.filter(({ state }) => state !== null);
        const states = await readStates(store, brought);
        const seen = new Map(
          rows.map((row) => {
            const state = states[brought.indexOf(row)];
            return [row.n, state instanceof Error ? state : seenIn(row, state)];
          }),
        );
        return batch.map((_asked, index) => seen.get(index + 1));
      },
    });
  }

  /** Asks about a consent; undefined when the TPP has no such consent. */
  async ask(asked: Asked): Promise<Seen | undefined> {
    return this.queue.add(asked);
  }
}

/** The states, or why one cannot be read now: the other calls of the batch are counted already and must not fail with it. */
const readStates = async (
  store: ConsentStore,
  rows: readonly SeenRow[],
): Promise<readonly (ConsentState | Error)[]> => {
  try {
    return (await store.readableStatesOf(rows)).map((state) => state ?? dependencyDown());
  } catch (error) {
    const reason = error instanceof Error ? error : new Error('states cannot be read', { cause: error });
    return rows.map(() => reason);
  }
};

/** The key of the window that a question writes to; none: it writes nothing. */
const windowsOf = (asked: Asked): string[] => {
  const key = windowOf(asked);
  return key === undefined ? [] : [`${key.consentId}/${key.endpoint}/${key.resourceId}`];
};
