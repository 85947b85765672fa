import { withoutValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
ALTER TABLE auth.psu_sca
  ADD COLUMN unlocked_at timestamptz,
  ADD COLUMN reports_unlock boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN auth.psu_sca.unlocked_at IS
  'when an operator last lifted a lock; failures in known browsers before that no longer count';
COMMENT ON COLUMN auth.psu_sca.reports_unlock IS
  'true: the pages report the lifted lock to the PSU, until the PSU has completed an SCA';

-- Locks that an operator lifted. A row never changes, except that its PSU-ID is removed.
CREATE TABLE auth.sca_unlock (
  unlock_id uuid PRIMARY KEY,
  psu_id text,
  at timestamptz NOT NULL,
  operator text NOT NULL,
  reason text NOT NULL,
  locked_until timestamptz NOT NULL
);
CREATE INDEX sca_unlock_of_psu ON auth.sca_unlock (psu_id, at) WHERE psu_id IS NOT NULL;
COMMENT ON COLUMN auth.sca_unlock.psu_id IS 'null once it was erased or its retention has ended';
COMMENT ON COLUMN auth.sca_unlock.locked_until IS 'when the lock would have ended';
CREATE FUNCTION auth.sca_unlock_stays() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = to_jsonb(OLD) || '{"psu_id": null}' THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'rows of sca_unlock are never changed';
  END $$;
CREATE TRIGGER stays BEFORE UPDATE OR DELETE ON auth.sca_unlock
  FOR EACH ROW EXECUTE FUNCTION auth.sca_unlock_stays();
GRANT SELECT, INSERT, UPDATE (psu_id) ON auth.sca_unlock TO xs2a_auth;
`;

/** Locks of SCA that an operator lifted (contract 12). */
export class ScaUnlocks1795777200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
    await withoutValueStatistics(runner, { schema: 'auth', table: 'sca_unlock', columns: { psu_id: 0.5 } });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE auth.sca_unlock;
      DROP FUNCTION auth.sca_unlock_stays();
      ALTER TABLE auth.psu_sca DROP COLUMN unlocked_at, DROP COLUMN reports_unlock;
    `);
  }
}
