import type { Logger } from '@xs2a/observability/logger';
import type { Pool } from 'pg';
import { withAppendBatching } from '../accelerators/with-append-batching.js';
import { type AppendGuard, type Appender, PlainAppender } from './append.js';
import type { InlineView } from './inline-view.js';

interface AppenderOptions {
  readonly pool: Pool;
  readonly view: InlineView<never>;
  readonly guard?: AppendGuard;
  readonly appendBatching?: boolean;
  readonly logger: Logger;
}

/**
 * Creates the appender of a store. Guarded appends use a statement of their own, so that the condition costs the
 * others nothing.
 */
export const createAppender = (options: AppenderOptions, onAppended: () => void): Appender => {
  const { pool, view, guard, appendBatching = true, logger } = options;
  const create = (condition?: AppendGuard): Appender => {
    const plain = new PlainAppender(pool, { view, guard: condition }, onAppended);
    return appendBatching ? withAppendBatching(plain, logger) : plain;
  };
  const ordinary = create();
  const guarded = guard && create(guard);
  return {
    append: async (row) => {
      if (!row.isGuarded) return ordinary.append(row);
      if (guarded === undefined) throw new TypeError('a guarded append needs a store with a guard');
      return guarded.append(row);
    },
  };
};
