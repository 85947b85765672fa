import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import { connectAs } from '@xs2a/nats/connection';
import { parseCredentials, type NatsCredentials, parseStreamCredentials } from '@xs2a/nats/nats-url';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import type { EventResource } from '@xs2a/contracts/event-streams';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import {
  databaseUrl,
  flag,
  masterKeys,
  natsUrl,
  optional,
  readConfig,
  text,
  url,
} from '@xs2a/runtime/config';
import { withMasterKeys } from '@xs2a/runtime/kms/open-master-keys';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Refusal } from './command-line/refusal.js';
import { root } from '@xs2a/runtime/release';

const schemas = [
  'payments',
  'consents',
  'accounts',
  'auth',
  'settlement',
  'notifications',
  'console',
] as const;
export type Schema = (typeof schemas)[number];

/** Thrown when no connection to NATS could be established. Contains the error message of the NATS client. */
export class NatsAway extends Error {
  override readonly name = 'NatsAway';
}

const settings = {
  /** The database URL of the owner of all schemas. */
  DATABASE_URL: optional(databaseUrl()),
  /** The NATS URL of the user `operator`; for `migrate`, the user `migration` is sufficient. */
  NATS_URL: optional(natsUrl()),
  /** The public address of the gateway, used by `doctor`. */
  BASE_URL: optional(url()),
  /** The name of a file in deploy/profiles, without its extension. */
  PROFILE: text('production'),
  /**
   * True if the servers belong to a sandbox, in which unencrypted connections, a missing standby and Debian's
   * nats-server are accepted.
   */
  SANDBOX: flag(false),
  /** The data folder of the sandbox that runs these servers; set by `npm run xs2a`. */
  SANDBOX_DATA_DIR: optional(text()),
};

/**
 * Finds the profile of the bank: PROFILE_FILE, as in the services, or one of the profiles included with the
 * command.
 */
const findProfile = (): string => {
  const { PROFILE_FILE: given, ...env } = process.env;
  const { PROFILE: profile } = readConfig({ PROFILE: settings.PROFILE }, env);
  const file = given ?? join(root, `deploy/profiles/${profile}.json`);
  if (existsSync(file)) return file;
  const missing = `There is no profile ${profile}.json in deploy/profiles.`;
  throw new Refusal(given === undefined ? missing : `PROFILE_FILE: there is no file ${file}.`, 2);
};

const masterKeysSetting = (resource: EventResource): string => `${resource.toUpperCase()}_MASTER_KEYS`;

const readMasterKeys = async (resource: EventResource): Promise<MasterKeys | undefined> => {
  const name = masterKeysSetting(resource);
  const env = await withMasterKeys(process.env, `${resource.toUpperCase()}_`);
  return readConfig({ [name]: optional(masterKeys()) }, env)[name];
};

const patienceMs = 600_000;

/** Returns the only row of a query that always returns exactly one. */
export const oneRow = async <Row extends object>(
  pool: Pool,
  sql: string,
  values?: readonly unknown[],
): Promise<Row> => {
  const [row] = (await pool.query<Row>(sql, values && [...values])).rows;
  if (row === undefined) throw new Error('the query has no row');
  return row;
};

/** The operator's connections to the servers in DATABASE_URL and NATS_URL. */
export class Connections {
  /** The pools, by their PostgreSQL settings. */
  private readonly pools = new Map<string, Pool>();
  private readonly connections = new Map<'calls' | 'streams', Promise<NatsConnection>>();
  private readonly opening = new Map<EventResource, Promise<MasterKeys | undefined>>();

  private constructor(
    readonly ownerDatabaseUrl: string,
    readonly natsUrl: string,
    /** The gateway's address, if it is known. */
    readonly baseUrl: string | undefined,
    /** The path of the profile file. */
    readonly profileFile: string,
    /**
     * True if the servers are checked according to the rules for a sandbox, which accept a missing standby and
     * Debian's nats-server.
     */
    readonly hasSandboxRules: boolean,
    /** The data folder of this checkout's sandbox; undefined if the servers are those in DATABASE_URL and NATS_URL. */
    readonly sandboxDataDir: string | undefined,
  ) {}

  /**
   * Finds the servers without connecting to them. Throws {@link Refusal} if no servers are configured, and
   * ConfigError if a variable is invalid.
   */
  static find(): Connections {
    const { PROFILE: _, ...others } = settings;
    const found = readConfig(others);
    const { DATABASE_URL: database, NATS_URL: nats, SANDBOX_DATA_DIR: dataDir } = found;
    if (database !== undefined && nats !== undefined)
      return new Connections(database, nats, found.BASE_URL, findProfile(), found.SANDBOX, dataDir);
    if (database !== undefined || nats !== undefined)
      throw new Refusal('Only one of DATABASE_URL and NATS_URL is set; both are required.', 2);
    if (dataDir === undefined) throw new Refusal('DATABASE_URL and NATS_URL are not set.', 2);
    throw new Refusal('No sandbox is running, and DATABASE_URL and NATS_URL are not set. Run: npm start');
  }

  /** True if the servers belong to the sandbox that runs in this checkout. */
  get isSandbox(): boolean {
    return this.sandboxDataDir !== undefined;
  }

  /** Returns a pool with the permissions of the owner of all schemas, and with one schema as the search path. */
  pool(schema: Schema): Pool {
    return this.poolWith(`search_path=${schema}`);
  }

  /** Returns a pool like {@link pool} that is read-only and uses indexes regardless of PostgreSQL's row estimates. */
  reader(schema: Schema): Pool {
    return this.poolWith(
      `search_path=${schema}`,
      'default_transaction_read_only=on',
      'enable_seqscan=off',
      'enable_bitmapscan=off',
    );
  }

  /** Returns a pool like {@link pool} for statements that read whole tables, each of which may take ten minutes. */
  patientPool(schema: Schema): Pool {
    const key = `patient ${schema}`;
    const known = this.pools.get(key);
    if (known !== undefined) return known;
    const owner = new URL(this.ownerDatabaseUrl);
    owner.searchParams.set('options', `-c search_path=${schema}`);
    const limits = { transactionMs: patienceMs, answerWithinMs: patienceMs };
    const pool = createPool({ url: owner.href, name: 'xs2a-cli', max: 4, ...limits });
    this.pools.set(key, pool);
    return pool;
  }

  private poolWith(...settings: readonly string[]): Pool {
    const options = settings.map((setting) => `-c ${setting}`).join(' ');
    const known = this.pools.get(options);
    if (known !== undefined) return known;
    const owner = new URL(this.ownerDatabaseUrl);
    owner.searchParams.set('options', options);
    const pool = createPool({ url: owner.href, name: 'xs2a-cli', max: 4 });
    this.pools.set(options, pool);
    return pool;
  }

  /**
   * Returns the master keys of a service, with which its personal data is decrypted; undefined if no keys are
   * configured. If the settings name a KMS, asks it to decrypt them. Throws ConfigError, and KeysNotOpened if the KMS does not
   * decrypt the keys.
   */
  async masterKeys(resource: EventResource): Promise<MasterKeys | undefined> {
    const opening = this.opening.get(resource) ?? readMasterKeys(resource);
    this.opening.set(resource, opening);
    return opening;
  }

  /** Returns the same master keys, but throws {@link Refusal} if none are configured. */
  async mustHaveMasterKeys(resource: EventResource): Promise<MasterKeys> {
    const keys = await this.masterKeys(resource);
    const name = masterKeysSetting(resource);
    if (keys === undefined)
      throw new Refusal(`Personal data of ${resource} is encrypted. Set ${name} or ${name}_FILE.`, 2);
    return keys;
  }

  /** Connects to the event streams and key-value buckets. Throws {@link NatsAway}. */
  async nats(): Promise<NatsConnection> {
    return this.connection('streams', parseStreamCredentials(this.natsUrl));
  }

  /**
   * Connects to NATS with the operator's permissions, in order to call services. Throws {@link NatsAway} if NATS
   * cannot be reached.
   */
  async calls(): Promise<NatsConnection> {
    return this.connection('calls', parseCredentials(this.natsUrl));
  }

  private async connection(
    account: 'calls' | 'streams',
    credentials: NatsCredentials,
  ): Promise<NatsConnection> {
    const known = this.connections.get(account);
    if (known !== undefined) return known;
    const connecting = connectAs(credentials, {
      name: 'xs2a-cli',
      timeout: 3000,
      noAsyncTraces: true,
      maxReconnectAttempts: -1,
    }).catch((error: unknown) => {
      throw new NatsAway(error instanceof Error ? error.message : String(error));
    });
    this.connections.set(account, connecting);
    return connecting;
  }

  /** The offset of the sandbox clock from real time; 0 if there is no sandbox clock. */
  async clockOffsetMs(): Promise<number> {
    const nats = await this.nats();
    for await (const bucket of new Kvm(nats).list()) {
      if (bucket.bucket !== clockBucket) continue;
      const entry = await (await new Kvm(nats).open(clockBucket)).get(clockKey);
      return entry === null ? 0 : Number(entry.string());
    }
    return 0;
  }

  /** The bank's current time in epoch milliseconds. */
  async nowMs(): Promise<number> {
    const clock = new Clock(true);
    clock.raiseTo(await this.clockOffsetMs());
    return clock.nowMs();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.pools.values()].map(async (pool) => pool.end()));
    await Promise.allSettled([...this.connections.values()].map(async (nats) => (await nats).close()));
  }
}
