import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the limits of the verification of payee are counted in (contract 15). Times are those of the bank's clock. */
export class PayeeLimits1795885200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When the holder of an account was disclosed, or a PSU learned of a holder. The subject is an HMAC.
      CREATE TABLE accounts.payee_disclosure (
        subject bytea PRIMARY KEY,
        at timestamptz[] NOT NULL
      );
      -- How many questions another bank (BIC, 8 characters) has asked since a moment in the last minute.
      CREATE TABLE accounts.payee_asker (
        agent text PRIMARY KEY,
        since timestamptz NOT NULL,
        questions int NOT NULL
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON accounts.payee_disclosure, accounts.payee_asker TO xs2a_accounts;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE accounts.payee_disclosure, accounts.payee_asker');
  }
}
