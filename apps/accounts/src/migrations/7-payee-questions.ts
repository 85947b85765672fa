import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The limit of questions per bank holds in every minute, not in each minute that begins with a question (contract 15). */
export class PayeeQuestions1795888800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When another bank (BIC, 8 characters) asked about payees in the last minute. Times are those of the bank's clock.
      CREATE TABLE accounts.payee_question (
        agent text PRIMARY KEY,
        at timestamptz[] NOT NULL
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON accounts.payee_question TO xs2a_accounts;
      DROP TABLE accounts.payee_asker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts.payee_asker (
        agent text PRIMARY KEY,
        since timestamptz NOT NULL,
        questions int NOT NULL
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON accounts.payee_asker TO xs2a_accounts;
      DROP TABLE accounts.payee_question;
    `);
  }
}
