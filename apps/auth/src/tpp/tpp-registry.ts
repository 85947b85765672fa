import type { NatsConnection } from '@nats-io/transport-node';
import { type NewTpp, tppBucket, type TppRecord, type TppView } from '@xs2a/contracts/auth.contract';
import type { Failure } from '@xs2a/domain/failure/failures';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import { type NamedAttempt, type Once, once } from '@xs2a/postgres/once';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { newId, randomToken } from '@xs2a/runtime/ids';
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { BucketMirror } from '../bucket-mirror.js';
import { authMethods } from './auth-methods.js';
import { newTpp } from './new-tpp.js';
import type { Admission } from './tpp-certificate.js';
import { recordOf, type Tpp, tppOf, type TppRow, viewOf } from './tpp.js';

/** The answer to a TPP that has been registered. */
export interface RegisteredTpp {
  readonly clientId: string;
  readonly clientSecret?: string;
}
type Registration = RegisteredTpp | { readonly failures: readonly Failure[] };

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
  /** Whom the bank registers. */
  readonly admission: Admission;
}

/** The TPPs that the bank knows. The table is the truth; the bucket {@link tppBucket} is what gateways see of it. */
export class TppRegistry {
  private readonly mirror: BucketMirror;

  constructor(private readonly parts: RegistryParts) {
    const { nats, logger } = parts;
    this.mirror = new BucketMirror({
      nats,
      logger,
      bucket: tppBucket,
      entries: (clientIds) => this.records(clientIds),
    });
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
          const checked = await newTpp(body, this.parts.admission);
          if ('failures' in checked) return checked;
          const secret = newClient(checked.valid);
          added = secret.tpp;
          if (!(await this.write(client, added))) throw new Error('a new client id exists already');
          return secret.told;
        },
      ),
    );
    if (added !== undefined) await this.mirror.tell(added.clientId);
    return outcome;
  }

  /** Answers whether it was new; one that is there already stays as it is. */
  async insert(tpp: Tpp): Promise<boolean> {
    const isNew = await this.write(this.parts.pool, tpp);
    if (isNew) await this.mirror.tell(tpp.clientId);
    return isNew;
  }

  /**
   * Blocking ends what the TPP holds, for good: its grants, and by {@link TppRecord.tokensFrom} its access tokens.
   * Throws CallFailed resourceUnknown.
   */
  async setStatus(clientId: string, status: TppRecord['status']): Promise<TppView> {
    if (!isClientId(clientId)) throw callFailed('resourceUnknown');
    const row = await inTransaction(this.parts.pool, async (client) =>
      status === 'blocked' ? this.block(client, clientId) : this.unblock(client, clientId),
    );
    if (row === undefined) throw callFailed('resourceUnknown');
    await this.mirror.tell(clientId);
    // Tokens tell seconds: those of the second in which it was blocked are dead, so no new one may come in it.
    const waitMs = (row.tokens_from?.getTime() ?? 0) - this.parts.clock.nowMs();
    // A timer may fire up to a millisecond early.
    if (status === 'active' && waitMs > 0) await pause(Math.min(waitMs, 1000) + 1);
    return viewOf(row);
  }

  /** All of them, the oldest first. */
  async list(): Promise<TppView[]> {
    const { rows } = await this.parts.pool.query<TppRow>(
      'SELECT * FROM tpp ORDER BY registered_at, client_id',
    );
    return rows.map(viewOf);
  }

  private async block(client: ClientBase, clientId: string): Promise<TppRow | undefined> {
    const nextSecond = (Math.floor(this.parts.clock.nowMs() / 1000) + 1) * 1000;
    const { rows } = await client.query<TppRow>(
      `UPDATE tpp SET status = 'blocked', tokens_from = $2, version = version + 1 WHERE client_id = $1 RETURNING *`,
      [clientId, new Date(nextSecond)],
    );
    await client.query(
      'DELETE FROM artefact WHERE grant_id IN (SELECT grant_id FROM grant_binding WHERE client_id = $1)',
      [clientId],
    );
    await client.query('DELETE FROM grant_binding WHERE client_id = $1', [clientId]);
    return rows[0];
  }

  private async unblock(client: ClientBase, clientId: string): Promise<TppRow | undefined> {
    const { rows } = await client.query<TppRow>(
      `UPDATE tpp SET status = 'active', version = version + 1 WHERE client_id = $1 RETURNING *`,
      [clientId],
    );
    return rows[0];
  }

  private async write(database: Pick<Pool, 'query'> | ClientBase, tpp: Tpp): Promise<boolean> {
    const { rowCount } = await database.query({
      name: 'tpp-insert',
      text: `INSERT INTO tpp (client_id, name, secret_hash, roles, redirect_uris, jwks, auth_method, status, registered_at,
                               organization_identifier)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (client_id) DO NOTHING`,
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
        tpp.organizationIdentifier ?? null,
      ],
    });
    return rowCount === 1;
  }

  private async records(clientIds?: readonly string[]): Promise<ReadonlyMap<string, TppRecord>> {
    const { rows } = await this.parts.pool.query<TppRow>({
      name: 'tpp-records',
      text: 'SELECT * FROM tpp WHERE $1::text[] IS NULL OR client_id = ANY ($1)',
      values: [clientIds ?? null],
    });
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
      version: 1,
      authMethod: method,
      secretHash: clientSecret && secretHashOf(clientSecret),
    },
    told: { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) },
  };
};
