import { entryDetails } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries are kept in the form in which they are told. Until now every profile was one of a bank in Sofia. */
export class EntryDetails1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(entryDetails('Europe/Sofia'));
  }

  /** The names and accounts of counterparties would have to be read out of the texts again. */
  async down(): Promise<void> {
    throw new Error('this migration cannot be reverted: restore a backup from before it');
  }
}
