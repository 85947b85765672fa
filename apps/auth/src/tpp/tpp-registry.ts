import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { type NewTpp, tppBucket, type TppRecord, type TppView } from '@xs2a/contracts/auth.contract';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import {
  type OwnedKey,
  type IdempotentOutcome,
  checkKey,
  executeIdempotently,
} from '@xs2a/postgres/idempotent-execution';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { newId, randomToken } from '@xs2a/runtime/ids';
import { CONFIG, LOGGER, POOL, STREAMS } from '@xs2a/runtime/tokens';
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { BucketMirror } from '../bucket-mirror.js';
import type { AuthConfig } from '../config.js';
import { ADMISSION } from '../tokens.js';
import { authMethods } from './auth-methods.js';
import { newTpp } from './new-tpp.js';
import type { Admission } from './tpp-certificate.js';
import {
  findRow,
  insertRedirectUri,
  insertRow,
  listRows,
  lockRow,
  updateSecret,
  updateStatus,
} from './tpp-rows.js';
import { toRecord, toTpp, toView, type Tpp } from './tpp.js';

/** The response to a successful TPP registration. */
export interface RegisteredTpp {
  readonly clientId: string;
  readonly clientSecret?: string;
}
type Registration = RegisteredTpp | { readonly failures: readonly Failure[] };
type NewSecret = { readonly clientSecret: string } | { readonly failures: readonly Failure[] };

/** Client ids are also valid bucket keys; a text in any other format was never issued as a client id. */
const isClientId = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{1,70}$/.test(text);

/** The redirect URIs that a TPP may have; a registration has at most 10. */
const maxRedirectUris = 20;

export const notPresentSecret = fail(
  'fieldMalformed',
  'clientSecret',
  'This is not the present secret of your TPP.',
);

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** True if the secret matches the hash. Runs in constant time. */
export const isSecret = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'));

/**
 * The TPPs registered with the bank. The table is the source of truth; the bucket {@link tppBucket} is the
 * gateways' copy of it.
 */
@Injectable()
export class TppRegistry {
  private readonly mirror: BucketMirror;

  /** Idempotency keys and body hashes are hashed with `HASH_KEYS` before they are stored. */
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(STREAMS) nats: NatsConnection,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
    @Inject(ADMISSION) private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Pick<AuthConfig, 'HASH_KEYS'>,
  ) {
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
    const row = await findRow(this.pool, clientId);
    return row && toTpp(row);
  }

  /**
   * Validates and registers a TPP. The secret is stored only as a hash, and returned only to this request and to
   * repeats of it.
   */
  async register(
    body: unknown,
    idempotencyKey: OwnedKey | undefined,
  ): Promise<IdempotentOutcome<Registration>> {
    let added: Tpp | undefined;
    const outcome = await inTransaction(this.pool, async (client) =>
      executeIdempotently<Registration>(
        client,
        this.underKey(idempotencyKey),
        (answer) => 'clientId' in answer,
        async () => {
          const checked = await newTpp(body, this.admission);
          if ('failures' in checked) return checked;
          const { tpp, answer } = newClient(checked.valid);
          if (!(await this.add(client, tpp))) throw new Error('the new client id already exists');
          added = tpp;
          return answer;
        },
      ),
    );
    if (added !== undefined) await this.mirror.publish(added.clientId);
    return outcome;
  }

  /**
   * Returns the reason why {@link register} and {@link replaceSecret} would refuse any body under this idempotency key.
   */
  async checkKey(idempotencyKey: OwnedKey | undefined): ReturnType<typeof checkKey> {
    return inTransaction(this.pool, async (client) => checkKey(client, this.underKey(idempotencyKey)));
  }

  private underKey(key: OwnedKey | undefined) {
    return { key, nowMs: this.clock.nowMs(), hashKeys: this.config.HASH_KEYS };
  }

  /** Inserts the TPP unless it exists already. Returns true if it was inserted. */
  async insert(tpp: Tpp): Promise<boolean> {
    const isNew = await this.add(this.pool, tpp);
    if (isNew) await this.mirror.publish(tpp.clientId);
    return isNew;
  }

  /**
   * Blocking a TPP permanently ends its grants and, through {@link TppRecord.tokensFrom}, its access tokens.
   * Throws CallFailed resourceUnknown.
   */
  async setStatus(clientId: string, status: TppRecord['status']): Promise<TppView> {
    if (!isClientId(clientId)) throw callFailed('resourceUnknown');
    const { pool, clock } = this;
    const row = await inTransaction(pool, async (client) => {
      await lockRow(client, clientId);
      // Computed under the lock, so that it covers the tokens that were issued while waiting for it.
      const tokensFrom = status === 'blocked' ? nextSecond(clock) : undefined;
      const changed = await updateStatus(client, { clientId, status, tokensFrom });
      if (changed === undefined) throw callFailed('resourceUnknown');
      if (status === 'blocked') await endGrants(client, clientId);
      return changed;
    });
    await this.mirror.publish(clientId);
    // Token times have a resolution of one second. Tokens issued in the second of the block are invalid, so
    // no new token may be issued in that second.
    const waitMs = (row.tokensFrom?.getTime() ?? 0) - clock.nowMs();
    // A timer may fire up to a millisecond early.
    if (status === 'active' && waitMs > 0) await pause(Math.min(waitMs, 1000) + 1);
    return toView(row);
  }

  /**
   * Replaces the client secret and returns the new one. Access tokens stay valid. Throws CallFailed resourceUnknown, and
   * fieldMalformed for a TPP that authenticates without a secret.
   */
  async rotateSecret(clientId: string): Promise<string> {
    if (!isClientId(clientId)) throw callFailed('resourceUnknown');
    const secret = randomToken(32);
    if (await updateSecret(this.pool, clientId, hashSecret(secret))) return secret;
    if ((await findRow(this.pool, clientId)) === undefined) throw callFailed('resourceUnknown');
    throw callFailed('fieldMalformed', 'clientId', 'This TPP authenticates without a secret.');
  }

  /**
   * Replaces the client secret of the TPP, unless `check` returns failures. Only this request and its repeats under the
   * same idempotency key receive the new secret. Of parallel requests that present the same secret, exactly one
   * replaces the secret.
   */
  async replaceSecret(
    { clientId, secretHash }: Tpp,
    idempotencyKey: OwnedKey | undefined,
    check: () => readonly Failure[],
  ): Promise<IdempotentOutcome<NewSecret>> {
    return inTransaction(this.pool, async (client) =>
      executeIdempotently<NewSecret>(
        client,
        this.underKey(idempotencyKey),
        (answer) => 'clientSecret' in answer,
        async () => {
          const failures = check();
          if (failures.length > 0) return { failures };
          const clientSecret = randomToken(32);
          const isReplaced = await updateSecret(client, clientId, hashSecret(clientSecret), secretHash);
          return isReplaced ? { clientSecret } : { failures: [notPresentSecret] };
        },
      ),
    );
  }

  /**
   * Adds a redirect URI in the form that registration allows, and returns the TPP; a URI that it already has changes nothing.
   * Throws CallFailed resourceUnknown, and fieldMalformed for a TPP with {@link maxRedirectUris} URIs.
   */
  async addRedirectUri(clientId: string, redirectUri: string): Promise<Tpp> {
    const row = await insertRedirectUri(this.pool, { clientId, redirectUri, max: maxRedirectUris });
    const tpp = row === undefined ? await this.find(clientId) : toTpp(row);
    if (tpp === undefined) throw callFailed('resourceUnknown');
    if (!tpp.redirectUris.includes(redirectUri))
      throw callFailed(
        'fieldMalformed',
        'redirectUri',
        `You have ${maxRedirectUris} redirect URIs, the maximum.`,
      );
    // Also for a URI that another call has just stored: its record may not be published yet.
    await this.mirror.publish(clientId);
    return tpp;
  }

  /** Lists all TPPs, oldest first. */
  async list(): Promise<TppView[]> {
    return (await listRows(this.pool)).map(toView);
  }

  private async add(connection: Pick<PoolClient, 'query'>, tpp: Tpp): Promise<boolean> {
    return insertRow(connection, tpp, new Date(this.clock.nowMs()));
  }

  private async records(clientIds?: readonly string[]): Promise<ReadonlyMap<string, TppRecord>> {
    const rows = await listRows(this.pool, clientIds);
    return new Map(rows.map((row) => [row.clientId, toRecord(toTpp(row))]));
  }
}

/** Deletes the codes, refresh tokens and grants of a TPP. */
const endGrants = async (client: PoolClient, clientId: string): Promise<void> => {
  await client.query(
    'DELETE FROM oidc_model WHERE grant_id IN (SELECT grant_id FROM grant_binding WHERE client_id = $1)',
    [clientId],
  );
  await client.query('DELETE FROM grant_binding WHERE client_id = $1', [clientId]);
};

const nextSecond = (clock: Clock): Date => new Date((Math.floor(clock.nowMs() / 1000) + 1) * 1000);

/** Creates a TPP with its client credentials, and the response to its registration. */
const newClient = (wanted: NewTpp): { readonly tpp: Tpp; readonly answer: RegisteredTpp } => {
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
      secretHash: clientSecret && hashSecret(clientSecret),
    },
    answer: { clientId, clientSecret },
  };
};
