import type { NatsConnection } from '@nats-io/transport-node';
import {
  countAccess,
  type CountAccess,
  createConsent,
  type CreateConsent,
  readConsentStatus,
  consentAuthorisation,
} from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { Failure } from '@xs2a/domain/failure/failures';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { addDays } from '@xs2a/domain/time/bank-calendar';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { connectStreams } from '@xs2a/nats/connection';
import { CallClient } from '@xs2a/calls/client';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { Clock } from '@xs2a/runtime/clock';
import { readConfig } from '@xs2a/runtime/config';
import { newId } from '@xs2a/runtime/ids';
import { startInProcess } from '@xs2a/runtime/testing/service-in-process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { config } from '../config.js';
import { ConsentsModule } from '../consents.module.js';
import { migrations, schema } from '../migrations/index.js';
import {
  account,
  accountsOfCorporate,
  accountsOfPsu,
  AccountsDoubleModule,
  corporates,
} from './accounts-double.js';

export const iban = 'BG80BNBG96611020345678';
export const secondIban = 'BG18RZBB91550123456789';

/**
 * Two instances of the service on real servers, a bank with accounts that the test defines, and a caller with its
 * own clock.
 */
export interface World {
  readonly callClient: CallClient;
  readonly clock: Clock;
  /** A pool with the privileges of the service's role. */
  readonly pool: Pool;
  readonly nats: NatsConnection;
  /** The database URL with the privileges of the schema's owner. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

const { PSU_ADDRESS_DAYS, TPP_STATISTICS_DAYS, CALL_STATISTICS_DAYS } = config;
/** How long call records are kept, unless a test specifies otherwise. */
export const kept = readConfig({ PSU_ADDRESS_DAYS, TPP_STATISTICS_DAYS, CALL_STATISTICS_DAYS }, {});

export const startWorld = async (
  instances = 2,
  profile = makeProfile('sandbox'),
  settings: Readonly<Record<string, unknown>> = {},
): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-consents-'));
  const [postgres, server] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), durable: false }),
    startNatsWithAssets({ dataDir: join(folder, 'nats') }),
  ]);
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  const databaseUrl = postgres.url('xs2a_consents');
  const services = await Promise.all([
    startInProcess({ name: 'accounts', module: AccountsDoubleModule, natsUrl: server.url }),
    ...Array.from({ length: instances }, async () =>
      startInProcess({
        name: 'consents',
        module: ConsentsModule,
        natsUrl: server.url,
        databaseUrl,
        byKey: true,
        profile,
        settings: { ...kept, ...settings },
      }),
    ),
  ]);
  const logger = createLogger('test', 'silent');
  const nats = await connectStreams(server.url, 'test', logger);
  const clock = new Clock(true);
  const pool = createPool({ url: databaseUrl, name: 'test' });
  return {
    callClient: new CallClient(nats, clock),
    clock,
    pool,
    nats,
    ownerUrl: postgres.url('xs2a_owner'),
    stop: async () => {
      for (const service of services) await service.stop();
      await pool.end();
      await nats.close();
      await Promise.all([postgres.stop(), server.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Returns the date this many days ahead, in the bank's time zone. */
export const daysAhead = ({ clock }: World, days: number): string =>
  addDays(clock.date('Europe/Sofia'), days);
export const moveClock = ({ clock }: World, seconds: number): void =>
  clock.raiseTo(clock.offsetMs + seconds * 1000);

/** Returns a POST /consents body with all three access types. */
export const consentBody = (world: World, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  access: { accounts: [{ iban }], balances: [{ iban }], transactions: [{ iban }] },
  recurringIndicator: true,
  validUntil: daysAhead(world, 30),
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
  ...more,
});

export const creation = (world: World, more: Partial<CreateConsent> = {}): CreateConsent => ({
  tppId: 'tpp-1',
  body: consentBody(world),
  idempotencyKey: { path: 'POST /consents', hash: 'a' },
  psuId: 'ivan',
  redirectUris: {},
  ...more,
});

/** Creates a consent that nobody has authorised yet. */
export const received = async (
  world: World,
  more: Partial<CreateConsent> = {},
): Promise<{ readonly tppId: string; readonly consentId: string; readonly authorisationId: string }> => {
  const { consentId, authorisationId } = await world.callClient.call(createConsent, creation(world, more));
  if (authorisationId === undefined) throw new Error('several persons have to sign it');
  return { tppId: more.tppId ?? 'tpp-1', consentId, authorisationId };
};

/** Creates a consent and authorises it as its PSU, who owns the account {@link iban}. */
export const validConsent = async (
  world: World,
  { tppId = 'tpp-1', psuId = `psu-${newId()}`, body = consentBody(world) } = {},
): Promise<{ readonly tppId: string; readonly psuId: string; readonly consentId: string }> => {
  if (!accountsOfPsu.has(psuId)) accountsOfPsu.set(psuId, [account(iban), account(secondIban)]);
  const { consentId, authorisationId } = await received(world, { tppId, psuId, body });
  const { status } = await world.callClient.call(consentAuthorisation.sign, {
    consentId,
    authorisationId,
    psuId,
  });
  if (status !== 'valid') throw new Error(`the consent became ${status}`);
  return { tppId, psuId, consentId };
};

/** The account of a corporate that requires two signatures. */
export const corporateIban = 'BG67XSBK92001000000021';
export const signers = ['georgi', 'elena', 'petar'] as const;

/**
 * Creates a consent that requires two signatures, because of its accounts or of PSU-Corporate-ID. Starts no
 * authorisation.
 */
export const forTwo = async (
  world: World,
  more: Partial<CreateConsent> = {},
): Promise<{ readonly tppId: string; readonly consentId: string }> => {
  corporates.set('acme', 2);
  accountsOfCorporate.set(corporateIban, 'acme');
  for (const psuId of signers) accountsOfPsu.set(psuId, [account(corporateIban, { corporateId: 'acme' })]);
  const reference = [{ iban: corporateIban }];
  const access = { accounts: reference, balances: reference, transactions: reference };
  const { consentId, authorisationId } = await world.callClient.call(
    createConsent,
    creation(world, { body: consentBody(world, { access }), ...more }),
  );
  if (authorisationId !== undefined) throw new Error('one person has to sign it');
  return { tppId: more.tppId ?? 'tpp-1', consentId };
};

/** Starts the authorisation of one of several signers; what {@link consentAuthorisation.sign} needs. */
export const started = async (
  { callClient }: World,
  { tppId, consentId }: { readonly tppId: string; readonly consentId: string },
  psuId: string,
): Promise<{ readonly consentId: string; readonly authorisationId: string; readonly psuId: string }> => {
  const idempotencyKey = { path: `POST /consents/${consentId}/authorisations`, hash: 'h', key: newId() };
  const start = { tppId, consentId, idempotencyKey, psuId, redirectUris: {} };
  const { authorisationId } = await callClient.call(consentAuthorisation.start, start);
  return { consentId, authorisationId, psuId };
};

/**
 * Counts a call, by default GET /accounts/{id}/transactions without the PSU. Returns the failure, or undefined if
 * the call was allowed.
 */
export const countCall = async (
  { callClient }: World,
  consent: { readonly tppId: string; readonly consentId: string },
  more: Partial<CountAccess> = {},
): Promise<Failure | undefined> =>
  catchFailure(
    callClient.call(countAccess, {
      tppId: consent.tppId,
      consentId: consent.consentId,
      endpoint: 'transactions',
      resourceId: `resource-${iban}`,
      psuPresent: false,
      callId: newId(),
      ...more,
    }),
  );

export const catchFailure = async (answer: Promise<unknown>): Promise<Failure | undefined> => {
  try {
    await answer;
    return undefined;
  } catch (error) {
    if (error instanceof CallFailed) return error.failures[0];
    throw error;
  }
};

export const readStatus = async (
  { callClient }: World,
  { tppId, consentId }: { readonly tppId: string; readonly consentId: string },
): Promise<ConsentStatus> => (await callClient.call(readConsentStatus, { tppId, consentId })).consentStatus;
