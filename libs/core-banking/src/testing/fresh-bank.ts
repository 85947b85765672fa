import type { Profile } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import { idempotencyTable } from '@xs2a/postgres/idempotent-execution';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import { type FixturesFile, parseFixtures } from '../sandbox/fixtures.js';
import { instantTables, reasonCodesTables } from '../sandbox/instant/instant.tables.js';
import { openSandboxBank, type SandboxBank } from '../sandbox/sandbox-bank.js';
import {
  corporateTppColumn,
  createdPsuTable,
  euroCustomerColumns,
  sandboxBankTables,
} from '../sandbox/sandbox-bank.tables.js';
import { switchOverTables } from '../sandbox/switch-over/switch-over.tables.js';

export interface FreshBank {
  readonly bank: SandboxBank;
  /** A connection pool that uses the service's role and privileges. */
  readonly pool: Pool;
  /** A connection pool that uses the owner of the tables, as operators' commands do. */
  readonly owner: Pool;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly fixtures: FixturesFile;
  readonly hashKeys: HashKeys;
  close(): Promise<void>;
}

const deploy = new URL('../../../../deploy/', import.meta.url);

/** A database that is slow while the bank is filled. */
interface SlowDatabase {
  /** Runs as the owner of the tables before the bank is filled. */
  readonly sql: string;
  /** As of the service's pool. */
  readonly transactionMs?: number;
  readonly answerWithinMs?: number;
}

/**
 * Starts a seeded sandbox bank on a separate PostgreSQL server, with the privileges that the service has in
 * production.
 */
export const freshBank = async (
  profileName: Profile['name'] = 'sandbox',
  slow?: SlowDatabase,
): Promise<FreshBank> => {
  const folder = await mkdtemp(join(tmpdir(), 'core-banking-'));
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  await prepareDatabases(server.url());
  await createTables(server.url('xs2a_owner'), slow?.sql);
  const profile = makeProfile(profileName);
  const fixtures = parseFixtures(await readFile(new URL('sandbox/sandbox-fixtures.json', deploy), 'utf8'));
  const pool = createPool({
    url: server.url('xs2a_accounts'),
    name: 'core-banking-test',
    max: 20,
    byKey: true,
    transactionMs: slow?.transactionMs,
    answerWithinMs: slow?.answerWithinMs,
  });
  const ownerUrl = new URL(server.url('xs2a_owner'));
  ownerUrl.searchParams.set('options', '-c search_path=accounts');
  const owner = createPool({ url: ownerUrl.href, name: 'core-banking-owner', max: 4 });
  const clock = new Clock(true);
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), owner.end()]);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const bank = await openSandboxBank({ pool, clock, profile, fixtures, hashKeys: testHashKeys });
    return { bank, hashKeys: testHashKeys, pool, owner, clock, profile, fixtures, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const createTables = async (ownerUrl: string, more = ''): Promise<void> => {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(sandboxBankTables);
  await owner.query(euroCustomerColumns);
  await owner.query(`${instantTables} ${reasonCodesTables}`);
  await owner.query(switchOverTables);
  await owner.query(`${createdPsuTable} ${corporateTppColumn}`);
  await owner.query(idempotencyTable('accounts', 'xs2a_accounts'));
  if (more !== '') await owner.query(more);
  await owner.end();
};
