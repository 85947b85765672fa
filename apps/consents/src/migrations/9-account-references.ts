import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state in the view of consents names the accounts asked for by reference, as the events now do, not by IBAN alone. */
export class AccountReferences1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rewriteAccess("jsonb_build_object('iban', named.value)"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(rewriteAccess("named.value->'iban'"));
  }
}

/** Rewrites every member of the arrays in `access`. */
const rewriteAccess = (member: string): string => `
  UPDATE consents.consent_view SET state = jsonb_set(state::jsonb, '{access}', (
    SELECT coalesce(jsonb_object_agg(asked.key, (
      SELECT coalesce(jsonb_agg(${member} ORDER BY named.ordinality), '[]')
      FROM jsonb_array_elements(asked.value) WITH ORDINALITY named
    )), '{}')
    FROM jsonb_each(state::jsonb->'access') asked
  ))::json`;
