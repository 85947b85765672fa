import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import type { Pool } from 'pg';
import type { ConsentStore } from '../store/consent-store.js';
import {
  countCalls,
  type CountRequest,
  type CountResult,
  type CountRow,
  toCountResult,
} from './count-calls.js';

export interface CallCounter {
  /** Counts a call; returns undefined if the TPP has no such consent. */
  count(request: CountRequest): Promise<CountResult | undefined>;
}

/** Counts each call in a separate statement. */
export class PlainCallCounter implements CallCounter {
  constructor(
    private readonly pool: Pool,
    private readonly store: ConsentStore,
  ) {}

  async count(request: CountRequest): Promise<CountResult | undefined> {
    const [result] = await this.countTogether([request]);
    if (result instanceof Error) throw result;
    return result;
  }

  /**
   * Counts a batch in one statement; the batch has at most one call per counter. Returns, for each call, its
   * result or, if its consent cannot be read now, the error. It does not throw that error, because the other calls
   * are already counted and must not fail too.
   */
  async countTogether(batch: readonly CountRequest[]): Promise<(CountResult | Error | undefined)[]> {
    const { rows } = await this.pool.query<CountRow>(countCalls(batch));
    const changed = rows.filter(({ state }) => state !== null);
    const states = await this.readStates(changed);
    const results = new Map(
      rows.map((row) => {
        const state = states[changed.indexOf(row)];
        return [row.n, state instanceof Error ? state : toCountResult(row, state)];
      }),
    );
    return batch.map((_request, index) => results.get(index + 1));
  }

  private async readStates(rows: readonly CountRow[]): Promise<readonly (ConsentState | Error)[]> {
    try {
      return (await this.store.many.readReadableStates(rows)).map((state) => state ?? dependencyDown());
    } catch (error) {
      const reason = error instanceof Error ? error : new Error('reading states failed', { cause: error });
      return rows.map(() => reason);
    }
  }
}
