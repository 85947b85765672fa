import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { NatsConnection } from '@nats-io/transport-node';
import { type NewTpp, tppBucket, type TppRecord, type TppView } from '@xs2a/contracts/auth.contract';
import type { Failure } from '@xs2a/domain/failure/failures';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import {
  type OwnedKey,
  type IdempotentOutcome,
  checkKey,
  executeIdempotently,
} from '@xs2a/postgres/idempotent-execution';
import { Clock } from '@xs2a/runtime/clock';
import { newId, randomToken } from '@xs2a/runtime/ids';
import { CONFIG, LOGGER, POOL, STREAMS } from '@xs2a/runtime/tokens';
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type EntityManager, In, Repository } from 'typeorm';
import { BucketMirror } from '../bucket-mirror.js';
import type { AuthConfig } from '../config.js';
import { connectionIn } from '../data-source.js';
import { ADMISSION } from '../tokens.js';
import { authMethods } from './auth-methods.js';
import { newTpp } from './new-tpp.js';
import type { Admission } from './tpp-certificate.js';
import { TppEntity } from './tpp.entity.js';
import { newRow, toRecord, toTpp, toView, type Tpp } from './tpp.js';

/** The response to a successful TPP registration. */
export interface RegisteredTpp {
  readonly clientId: string;
  readonly clientSecret?: string;
}
type Registration = RegisteredTpp | { readonly failures: readonly Failure[] };

/** Client ids are also valid bucket keys; a text in any other format was never issued as a client id. */
const isClientId = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{1,70}$/.test(text);

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** True if the secret matches the hash. Runs in constant time. */
export const isSecret = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'));

/** Selects a row with the column names of {@link TppEntity}. */
const findTpp = `
  SELECT client_id AS "clientId", name, secret_hash AS "secretHash", roles, redirect_uris AS "redirectUris", jwks,
         auth_method AS "authMethod", status, organization_identifier AS "organizationIdentifier",
         tokens_from AS "tokensFrom", version, registered_at AS "registeredAt"
  FROM tpp WHERE client_id = $1`;

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
    @InjectRepository(TppEntity) private readonly tpps: Repository<TppEntity>,
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

  /** Uses a named statement instead of TypeORM, because every token request calls it (docs/adr/0004). */
  async find(clientId: string): Promise<Tpp | undefined> {
    if (!isClientId(clientId)) return undefined;
    const { rows } = await this.pool.query<TppEntity>({
      name: 'tpp-find',
      text: findTpp,
      values: [clientId],
    });
    return rows[0] && toTpp(rows[0]);
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
    const outcome = await this.tpps.manager.transaction(async (manager) =>
      executeIdempotently<Registration>(
        await connectionIn(manager),
        this.underKey(idempotencyKey),
        (answer) => 'clientId' in answer,
        async () => {
          const checked = await newTpp(body, this.admission);
          if ('failures' in checked) return checked;
          const client = newClient(checked.valid);
          added = client.tpp;
          if (!(await this.add(manager, added))) throw new Error('the new client id already exists');
          return client.answer;
        },
      ),
    );
    if (added !== undefined) await this.mirror.publish(added.clientId);
    return outcome;
  }

  /** Returns why {@link register} would refuse a body with this idempotency key, whatever the body is. */
  async checkKey(idempotencyKey: OwnedKey | undefined): ReturnType<typeof checkKey> {
    return this.tpps.manager.transaction(async (manager) =>
      checkKey(await connectionIn(manager), this.underKey(idempotencyKey)),
    );
  }

  private underKey(key: OwnedKey | undefined) {
    return { key, nowMs: this.clock.nowMs(), hashKeys: this.config.HASH_KEYS };
  }

  /** Inserts the TPP unless it exists already. Returns true if it was inserted. */
  async insert(tpp: Tpp): Promise<boolean> {
    const isNew = await this.add(this.tpps.manager, tpp);
    if (isNew) await this.mirror.publish(tpp.clientId);
    return isNew;
  }

  /**
   * Blocking a TPP permanently ends its grants and, through {@link TppRecord.tokensFrom}, its access tokens.
   * Throws CallFailed resourceUnknown.
   */
  async setStatus(clientId: string, status: TppRecord['status']): Promise<TppView> {
    if (!isClientId(clientId)) throw callFailed('resourceUnknown');
    const { tpps, clock } = this;
    const row = await tpps.manager.transaction(async (manager) => {
      const found = await manager.findOne(TppEntity, {
        where: { clientId },
        lock: { mode: 'pessimistic_write' },
      });
      if (found === null) throw callFailed('resourceUnknown');
      if (status === 'blocked') await endGrants(manager, clientId);
      const tokensFrom = status === 'blocked' ? nextSecond(clock) : found.tokensFrom;
      const change = { status, tokensFrom, version: found.version + 1 };
      await manager.update(TppEntity, { clientId }, change);
      return { ...found, ...change };
    });
    await this.mirror.publish(clientId);
    // Token times have a resolution of one second. Tokens issued in the second of the block are invalid, so
    // no new token may be issued in that second.
    const waitMs = (row.tokensFrom?.getTime() ?? 0) - clock.nowMs();
    // A timer may fire up to a millisecond early.
    if (status === 'active' && waitMs > 0) await pause(Math.min(waitMs, 1000) + 1);
    return toView(row);
  }

  /** Lists all TPPs, oldest first. */
  async list(): Promise<TppView[]> {
    const rows = await this.tpps.find({ order: { registeredAt: 'ASC', clientId: 'ASC' } });
    return rows.map(toView);
  }

  private async add(manager: EntityManager, tpp: Tpp): Promise<boolean> {
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(TppEntity)
      .values(newRow(tpp, new Date(this.clock.nowMs())))
      .orIgnore()
      .returning('client_id')
      .execute();
    return Array.isArray(raw) && raw.length === 1;
  }

  private async records(clientIds?: readonly string[]): Promise<ReadonlyMap<string, TppRecord>> {
    const rows = await this.tpps.findBy(clientIds === undefined ? {} : { clientId: In(clientIds) });
    return new Map(rows.map((row) => [row.clientId, toRecord(toTpp(row))]));
  }
}

/** Deletes the codes, refresh tokens and grants of a TPP. */
const endGrants = async (manager: EntityManager, clientId: string): Promise<void> => {
  await manager.query(
    'DELETE FROM oidc_model WHERE grant_id IN (SELECT grant_id FROM grant_binding WHERE client_id = $1)',
    [clientId],
  );
  await manager.query('DELETE FROM grant_binding WHERE client_id = $1', [clientId]);
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
