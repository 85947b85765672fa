import type { Pool, QueryConfig } from 'pg';

/**
 * Returns the same pool, but runs `work` once, after the first statement with that name has returned and before
 * its caller continues. Tests use this to cause a change between two statements of a check.
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
