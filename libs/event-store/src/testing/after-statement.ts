import type { Pool, QueryConfig } from 'pg';

/**
 * Returns the same pool, which does `work` once: after the first statement of that name was answered, and before its caller continues. What
 * happens between two statements of a check, a test can let happen there.
 */
export const afterStatement = (pool: Pool, name: string, work: () => Promise<unknown>): Pool => {
  let isDone = false;
  const query = async (statement: string | QueryConfig, values?: unknown[]): Promise<unknown> => {
    const result = await pool.query(statement, values);
    if (!isDone && typeof statement === 'object' && statement.name === name) {
      isDone = true;
      await work();
    }
    return result;
  };
  return new Proxy(pool, {
    get: (target, property) => (property === 'query' ? query : Reflect.get(target, property, target)),
  });
};
