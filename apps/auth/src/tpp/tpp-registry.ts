import type { NatsConnection } from '@nats-io/transport-node';
import { type NewTpp, tppBucket, type TppRecord, type TppRole } from '@xs2a/contracts/auth.contract';
import { callFailed } from '@xs2a/messaging/call-failed';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { newId, randomToken } from '@xs2a/runtime/ids';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { BucketMirror } from '../bucket-mirror.js';

/** How a TPP proves itself at the token endpoint (contract 4). `none`: a public client, PKCE is required of it. */
export const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export type AuthMethod = (typeof authMethods)[number];

export interface Tpp extends TppRecord {
  readonly authMethod: AuthMethod;
  /** SHA-256 of the secret, hex; absent when it proves itself without one. */
  readonly secretHash?: string;
  readonly jwks?: NewTpp['jwks'];
}
interface TppRow {
  readonly client_id: string;
  readonly name: string;
  readonly secret_hash: string | null;
  readonly roles: TppRole[];
  readonly redirect_uris: string[];
  readonly jwks: NewTpp['jwks'] | null;
  readonly auth_method: AuthMethod;
  readonly status: TppRecord['status'];
}

/** Also what a key of the bucket may be; anything else never was a client id. */
const isClientId = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{1,70}$/.test(text);

export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Is it the secret that was hashed? Takes the same time whatever it is. */
export const isSecret = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(secretHashOf(secret), 'hex'), Buffer.from(hash, 'hex'));

export interface RegistryParts {
  readonly pool: Pool;
  readonly nats: NatsConnection;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The TPPs that the bank knows. The table is the truth; the bucket {@link tppBucket} is what gateways see of it. */
export class TppRegistry {
  private readonly mirror: BucketMirror;

  constructor(private readonly parts: RegistryParts) {
    const { nats, logger } = parts;
    this.mirror = new BucketMirror({ nats, logger, bucket: tppBucket, entries: () => this.records() });
  }

  start(): void {
    this.mirror.start();
  }

  stop(): void {
    this.mirror.stop();
  }

  async find(clientId: string): Promise<Tpp | undefined> {
    if (!isClientId(clientId)) return undefined;
    const { rows } = await this.parts.pool.query<TppRow>({
      name: 'tpp-find',
      text: 'SELECT * FROM tpp WHERE client_id = $1',
      values: [clientId],
    });
    return rows[0] && tppOf(rows[0]);
  }

  /** The secret is answered once and kept as a hash. */
  async register(tpp: NewTpp): Promise<{ readonly clientId: string; readonly clientSecret?: string }> {
    const authMethod =
      authMethods.find((method) => method === tpp.tokenEndpointAuthMethod) ?? 'client_secret_basic';
    const clientId = `tpp-${newId()}`;
    const clientSecret = authMethod.startsWith('client_secret') ? randomToken(32) : undefined;
    const added = await this.insert({
      ...tpp,
      clientId,
      status: 'active',
      authMethod,
      secretHash: clientSecret && secretHashOf(clientSecret),
    });
    if (!added) throw new Error('a new client id exists already');
    return { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
  }

  /** Answers whether it was new; one that is there already stays as it is. */
  async insert(tpp: Tpp): Promise<boolean> {
    const { rowCount } = await this.parts.pool.query({
      name: 'tpp-insert',
      text: `INSERT INTO tpp (client_id, name, secret_hash, roles, redirect_uris, jwks, auth_method, status, registered_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (client_id) DO NOTHING`,
      values: [
        tpp.clientId,
        tpp.name,
        tpp.secretHash ?? null,
        tpp.roles,
        tpp.redirectUris,
        tpp.jwks === undefined ? null : JSON.stringify(tpp.jwks),
        tpp.authMethod,
        tpp.status,
        this.parts.clock.now(),
      ],
    });
    if (rowCount !== 1) return false;
    await this.mirror.put(tpp.clientId, recordOf(tpp));
    return true;
  }

  /** Throws CallFailed resourceUnknown. */
  async setStatus(clientId: string, status: TppRecord['status']): Promise<void> {
    if (!isClientId(clientId)) throw callFailed('resourceUnknown');
    const { rows } = await this.parts.pool.query<TppRow>({
      name: 'tpp-set-status',
      text: 'UPDATE tpp SET status = $2 WHERE client_id = $1 RETURNING *',
      values: [clientId, status],
    });
    if (rows[0] === undefined) throw callFailed('resourceUnknown');
    await this.mirror.put(clientId, recordOf(tppOf(rows[0])));
  }

  private async records(): Promise<ReadonlyMap<string, TppRecord>> {
    const { rows } = await this.parts.pool.query<TppRow>('SELECT * FROM tpp');
    return new Map(rows.map((row) => [row.client_id, recordOf(tppOf(row))]));
  }
}

const tppOf = (row: TppRow): Tpp => ({
  clientId: row.client_id,
  name: row.name,
  status: row.status,
  roles: row.roles,
  redirectUris: row.redirect_uris,
  authMethod: row.auth_method,
  secretHash: row.secret_hash ?? undefined,
  jwks: row.jwks ?? undefined,
});

const recordOf = ({ clientId, name, status, roles, redirectUris }: Tpp): TppRecord => ({
  clientId,
  name,
  status,
  roles,
  redirectUris,
});
