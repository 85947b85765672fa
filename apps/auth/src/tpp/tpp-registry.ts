import type { NatsConnection } from '@nats-io/transport-node';
import { type NewTpp, tppBucket, type TppRecord, type TppRole } from '@xs2a/contracts/auth.contract';
import type { Failure } from '@xs2a/domain/failure/failures';
import { callFailed } from '@xs2a/messaging/call-failed';
import type { Logger } from '@xs2a/observability/logger';
import { type NamedAttempt, type Once, once } from '@xs2a/postgres/once';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { newId, randomToken } from '@xs2a/runtime/ids';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { BucketMirror } from '../bucket-mirror.js';
import { type AuthMethod, authMethods, newTpp } from './new-tpp.js';

export interface Tpp extends TppRecord {
  readonly authMethod: AuthMethod;
  /** SHA-256 of the secret, hex; absent when it proves itself without one. */
  readonly secretHash?: string;
  readonly jwks?: NewTpp['jwks'];
}
/** What a TPP is told when it is registered. */
export interface RegisteredTpp {
  readonly clientId: string;
  readonly clientSecret?: string;
}
type Registration = RegisteredTpp | { readonly failures: readonly Failure[] };

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

  /** Checks and registers; the secret is answered to this attempt and its repeats only, and kept as a hash. */
  async register(body: unknown, attempt: NamedAttempt | undefined): Promise<Once<Registration>> {
    const { pool, clock } = this.parts;
    let added: Tpp | undefined;
    const outcome = await inTransaction(pool, async (client) =>
      once<Registration>(
        client,
        { attempt, nowMs: clock.nowMs() },
        (answer) => 'clientId' in answer,
        async () => {
          const checked = await newTpp(body);
          if ('failures' in checked) return checked;
          const secret = newClient(checked.valid);
          added = secret.tpp;
          if (!(await this.write(client, added))) throw new Error('a new client id exists already');
          return secret.told;
        },
      ),
    );
    if (added !== undefined) await this.mirror.put(added.clientId, recordOf(added));
    return outcome;
  }

  /** Answers whether it was new; one that is there already stays as it is. */
  async insert(tpp: Tpp): Promise<boolean> {
    const isNew = await this.write(this.parts.pool, tpp);
    if (isNew) await this.mirror.put(tpp.clientId, recordOf(tpp));
    return isNew;
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

  private async write(database: Pick<Pool, 'query'> | ClientBase, tpp: Tpp): Promise<boolean> {
    const { rowCount } = await database.query({
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
    return rowCount === 1;
  }

  private async records(): Promise<ReadonlyMap<string, TppRecord>> {
    const { rows } = await this.parts.pool.query<TppRow>('SELECT * FROM tpp');
    return new Map(rows.map((row) => [row.client_id, recordOf(tppOf(row))]));
  }
}

/** A client of its own for a TPP, and what the TPP is told of it. */
const newClient = (wanted: NewTpp): { readonly tpp: Tpp; readonly told: RegisteredTpp } => {
  const authMethod = authMethods.find((method) => method === wanted.tokenEndpointAuthMethod);
  const clientId = `tpp-${newId()}`;
  const method = authMethod ?? 'client_secret_basic';
  const clientSecret = method.startsWith('client_secret') ? randomToken(32) : undefined;
  return {
    tpp: {
      ...wanted,
      clientId,
      status: 'active',
      authMethod: method,
      secretHash: clientSecret && secretHashOf(clientSecret),
    },
    told: { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) },
  };
};

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
