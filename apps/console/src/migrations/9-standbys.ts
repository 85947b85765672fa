import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the function `console.standbys()`, which returns the state and the lag of each standby. PostgreSQL shows them only to roles
 * with pg_read_all_stats. The function runs with this right of the schemas' owner, so that the console needs no right to read other
 * statistics of the server.
 */
export class Standbys1797100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION console.standbys() RETURNS TABLE (
        name text, state text, sync_state text, behind_bytes bigint, lag_ms bigint
      ) LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT application_name, state, sync_state, pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::bigint,
          round(extract(epoch FROM flush_lag) * 1000)::bigint
        FROM pg_stat_replication ORDER BY application_name
      $$;
      REVOKE EXECUTE ON FUNCTION console.standbys() FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION console.standbys() TO xs2a_console;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION console.standbys()');
  }
}
