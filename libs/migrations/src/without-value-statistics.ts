// PostgreSQL keeps the most frequent values of a column, and some others, in pg_statistic: also of rows that are gone.

interface Session {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

interface Columns {
  readonly schema: string;
  readonly table: string;
  /**
   * The columns, each with how many different values it has as a part of its rows, which the planner estimates by and which reveals
   * no value; null where no statement looks rows up by it.
   */
  readonly columns: Readonly<Record<string, number | null>>;
}

/**
 * Removes the values of columns from PostgreSQL's statistics and has none collected any more. Holds up neither readers nor writers.
 * `ANALYZE` skips the column from then on, so the planner keeps these numbers.
 */
export const withoutValueStatistics = async (
  session: Session,
  { schema, table, columns }: Columns,
): Promise<void> => {
  const at = `"${schema}"."${table}"`;
  for (const [column, distinct] of Object.entries(columns)) {
    await session.query(`ALTER TABLE ${at} ALTER COLUMN "${column}" SET STATISTICS 0`);
    await session.query('SELECT pg_clear_attribute_stats($1, $2, $3, false)', [schema, table, column]);
    if (distinct !== null)
      await session.query(
        `SELECT pg_restore_attribute_stats('schemaname', $1::text, 'relname', $2::text, 'attname', $3::text, 'inherited', false,
           'version', current_setting('server_version_num')::int, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', $4::real)`,
        [schema, table, column, -distinct],
      );
  }
};
