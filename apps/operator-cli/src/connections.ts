import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import {
  connectAs,
  parseCredentials,
  type NatsCredentials,
  parseStreamCredentials,
} from '@xs2a/nats/connection';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { flag, optional, readConfig, text, url } from '@xs2a/runtime/config';
import { defaultDataDir, root } from '@xs2a/sandbox/layout';
import { runningSandbox } from '@xs2a/sandbox/running-sandbox';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Refusal } from './command-line/refusal.js';

const schemas = ['payments', 'consents', 'accounts', 'auth', 'settlement', 'notifications'] as const;
export type Schema = (typeof schemas)[number];

/** NATS accepted no connection; the message is that of the NATS client. */
export class NatsAway extends Error {
  override readonly name = 'NatsAway';
}

/** The path of a profile's file. */
export const profileFile = (profile: string): string => join(root, `deploy/profiles/${profile}.json`);

/** The operator's connections: to the sandbox that runs, or to what DATABASE_URL (the owner's) and NATS_URL name. */
export class Connections {
  /** Pools by their PostgreSQL settings. */
  private readonly pools = new Map<string, Pool>();
  private readonly connections = new Map<'calls' | 'streams', Promise<NatsConnection>>();

  private constructor(
    readonly ownerDatabaseUrl: string,
    readonly natsUrl: string,
    /** The public address of the gateway, where it is known. */
    readonly baseUrl: string | undefined,
    /** False: the connections are to servers that DATABASE_URL and NATS_URL name. */
    readonly isSandbox: boolean,
    /** The servers are judged as a sandbox's: it may have no standby and Debian's nats-server. */
    readonly hasSandboxRules: boolean,
    /** A file in deploy/profiles, without its ending. */
    readonly profile: string,
  ) {}

  /** Throws {@link Refusal} when there is nothing to connect to, ConfigError when a variable is wrong. Connects to nothing yet. */
  static find(): Connections {
    const env = readConfig({ DATABASE_URL: optional(url()), NATS_URL: optional(url()) });
    if (env.DATABASE_URL !== undefined && env.NATS_URL !== undefined) {
      const { PROFILE: profile, SANDBOX } = readConfig({ PROFILE: text('production'), SANDBOX: flag(false) });
      if (!existsSync(profileFile(profile)))
        throw new Refusal(`There is no profile ${profile}.json in deploy/profiles.`, 2);
      return new Connections(env.DATABASE_URL, env.NATS_URL, undefined, false, SANDBOX, profile);
    }
    if (env.DATABASE_URL !== undefined || env.NATS_URL !== undefined) {
      throw new Refusal(
        'One of DATABASE_URL and NATS_URL is set: set both, or neither to work with the sandbox.',
        2,
      );
    }
    const running = runningSandbox(defaultDataDir);
    if (running === undefined) {
      throw new Refusal('No sandbox is running, and DATABASE_URL and NATS_URL are not set. Run: npm start');
    }
    const { ownerDatabaseUrl, natsUrl, baseUrl, profile } = running;
    return new Connections(ownerDatabaseUrl, natsUrl, baseUrl, true, true, profile);
  }

  /** A pool with the rights of the owner of all schemas, and one of them as the search path. */
  pool(schema: Schema): Pool {
    return this.poolWith(`search_path=${schema}`);
  }

  /** Like {@link pool}, but read-only, and planned along indexes whatever number of rows PostgreSQL estimates. */
  reader(schema: Schema): Pool {
    return this.poolWith(
      `search_path=${schema}`,
      'default_transaction_read_only=on',
      'enable_seqscan=off',
      'enable_bitmapscan=off',
    );
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

  /** Connects to the event streams and key-value buckets. Throws {@link NatsAway}. */
  async nats(): Promise<NatsConnection> {
    return this.connection('streams', parseStreamCredentials(this.natsUrl));
  }

  /** Connects for calls to services, with the operator's permissions. Throws {@link NatsAway}. */
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

  /** The offset of the sandbox clock from real time; 0 where there is none. */
  async clockOffsetMs(): Promise<number> {
    const nats = await this.nats();
    for await (const bucket of new Kvm(nats).list()) {
      if (bucket.bucket !== clockBucket) continue;
      const entry = await (await new Kvm(nats).open(clockBucket)).get(clockKey);
      return entry === null ? 0 : Number(entry.string());
    }
    return 0;
  }

  /** The bank's now, in epoch milliseconds. */
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
