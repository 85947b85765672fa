import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { bankConnectionName, connectBank } from '@xs2a/core-banking/nats/connect-bank';
import { ConfigError, type ConfigOf, readCoreBank } from '@xs2a/runtime/config';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { Provider } from 'oidc-provider';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { config } from './config.js';
import { dataSourceOn } from './data-source.js';
import { sweepExpired } from './expired-rows.js';
import { ConsentAuthority } from './oauth/grants/consent-authority.js';
import { FundsGrants } from './oauth/grants/funds-grants.js';
import { GrantBindings } from './oauth/grants/grant-bindings.js';
import { GrantRevocations } from './oauth/grants/grant-revocations.js';
import { IntrospectionController } from './oauth/tokens/introspection.controller.js';
import { IssuedTokens } from './oauth/tokens/issued-tokens.js';
import { notificationSigner } from './oauth/tokens/notification-signatures.js';
import { pairwiseSubjects } from './oauth/grants/pairwise-subject.js';
import { profileRules } from './oauth/profile-rules.js';
import { createProvider } from './oauth/provider.js';
import { providerFollows } from './oauth/provider-patches.js';
import { surround } from './oauth/provider-middleware.js';
import { renderOauthError } from './oauth/render-error.js';
import { shownCertificates } from './oauth/shown-certificate.js';
import { type SigningKeys, signingKeys } from './oauth/tokens/signing-keys.js';
import { TokenTransactions } from './oauth/storage/token-transaction.js';
import { bankLook } from './sca/pages/bank-look.js';
import { NotificationSigner, NotificationSigningController } from './notification-signing.controller.js';
import { PresenceController } from './presence.controller.js';
import { Challenges } from './sca/sign-in/challenges.js';
import { EntryPoints } from './sca/entry-points.js';
import { KnownBrowsers } from './sca/sign-in/known-browsers.js';
import { bankCodes, type OtpCodes, sandboxCodes } from './sca/sign-in/otp-codes.js';
import { PageSessions } from './sca/page-sessions.js';
import { PagesController } from './sca/pages.controller.js';
import { ScaFailures } from './sca/sign-in/sca-failures.js';
import { PsuPages } from './sca/pages/psu-pages.js';
import { ScaFlow } from './sca/sca-flow.js';
import { SignInPlaces } from './sca/sign-in/sign-in-places.js';
import { seedTpps } from './tpp/seed-tpps.js';
import { TppEntity } from './tpp/tpp.entity.js';
import { findAdmission } from './tpp/tpp-certificate.js';
import { TppController } from './tpp/tpp.controller.js';
import { TppRegistry } from './tpp/tpp-registry.js';

export type AuthParts = ServiceParts<ConfigOf<typeof config>>;

@Module({})
export class AuthModule {
  /** Wires the service by hand: each part gets exactly what it names. */
  static forRoot(parts: AuthParts): DynamicModule {
    const built = build(parts);
    return {
      module: AuthModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => built.source.options,
          dataSourceFactory: async () => built.source,
        }),
      ],
      controllers: [
        PagesController,
        TppController,
        IntrospectionController,
        PresenceController,
        NotificationSigningController,
      ],
      providers: [
        { provide: TppRegistry, useValue: built.registry },
        { provide: PsuPages, useValue: built.psuPages },
        { provide: ScaFlow, useValue: built.flow },
        { provide: IssuedTokens, useFactory: () => built.issued() },
        { provide: NotificationSigner, useFactory: () => built.notifications() },
        {
          provide: Provider,
          useFactory: (issued: IssuedTokens) => built.provider(issued),
          inject: [IssuedTokens],
        },
        {
          provide: EntryPoints,
          useFactory: (provider: Provider) => built.entryPoints(provider),
          inject: [Provider],
        },
        { provide: Background, useFactory: () => built.background(), inject: [DataSource] },
      ],
    };
  }
}

/** Background work. It is stopped before the pool is closed. */
class Background implements OnApplicationShutdown {
  constructor(private readonly stops: readonly (() => void | Promise<void>)[]) {}

  async onApplicationShutdown(): Promise<void> {
    for (const stop of this.stops) await stop();
  }
}

const build = (parts: AuthParts) => {
  const { config, clock, logger, streams: nats, callClient, profile } = parts;
  const pool = requirePool(parts);
  checkSecrets(config);
  const { refreshTokenSeconds, userTokenSeconds, applicationTokenSeconds } = profile;
  const accessTokenSeconds = Math.max(userTokenSeconds, applicationTokenSeconds);
  const issuer = config.BASE_URL;
  const pagesUrl = config.PAGES_URL ?? issuer;
  let keys: Promise<SigningKeys> | undefined;
  const readKeys = () => (keys ??= signingKeys(config.AUTH_KEYS_FILE, config.SANDBOX));
  const { HASH_KEYS: hashKeys } = config;
  const rules = profileRules[config.AUTH_PROFILE];
  const admission = { ...findAdmission(config, clock), authMethods: rules.clientAuthMethods };
  const shown = shownCertificates(admission);
  const source = dataSourceOn(pool);
  const tpps = source.getRepository(TppEntity);
  const registry = new TppRegistry({ pool, tpps, nats, clock, logger, admission, hashKeys });
  const database = new TokenTransactions(pool);
  const revocations = new GrantRevocations({ pool, nats, clock, logger, accessTokenSeconds });
  const fundsGrants = new FundsGrants({ pool, clock, revocations });
  const bindings = new GrantBindings(database, clock, refreshTokenSeconds + 7200);
  const consents = new ConsentAuthority(callClient, profile);
  const { signIns, sessions, challenges, codes, closeBank } = scaParts(parts, pool);
  return {
    source,
    registry,
    psuPages: new PsuPages({ ...signIns, sessions, registry, profile, fundsGrants }),
    flow: new ScaFlow({ ...signIns, sessions, challenges, isSandbox: codes === sandboxCodes }),
    entryPoints: (provider: Provider) =>
      new EntryPoints({ provider, callClient, registry, clock, profile, consents, bindings }),
    issued: async (): Promise<IssuedTokens> =>
      new IssuedTokens({ pool, clock, issuer, registry, revocations, keys: await readKeys() }),
    notifications: async (): Promise<NotificationSigner> => ({
      sign: await notificationSigner(await readKeys(), clock),
    }),
    provider: async (issued: IssuedTokens): Promise<Provider> => {
      await providerFollows(clock);
      const provider = createProvider({
        pool,
        clock,
        logger,
        profile,
        registry,
        database,
        revocations,
        bindings,
        consents,
        shown,
        issuer,
        keys: await readKeys(),
        subjectFor: pairwiseSubjects(config.AUTH_SUBJECT_SECRET),
        cookieSecret: config.AUTH_COOKIE_SECRET,
        rules: { ...rules, requiresPkce: rules.requiresPkce || config.AUTH_PKCE_REQUIRED },
        renderError: renderOauthError(bankLook(profile.bank)),
      });
      surround(provider, { pagesUrl, logger, clock, database, revocations, issued });
      return provider;
    },
    background: async (): Promise<Background> => {
      if (config.SANDBOX && config.SANDBOX_FIXTURES !== undefined)
        await seedTpps(registry, config.SANDBOX_FIXTURES, clock);
      registry.start();
      revocations.start();
      const sweep = sweepExpired({ pool, clock, logger, revocations, kept: config });
      sweep.start();
      return new Background([() => registry.stop(), () => revocations.stop(), () => sweep.stop(), closeBank]);
    },
  };
};

/** Throws ConfigError. */
const checkSecrets = (config: AuthParts['config']): void => {
  const tooShort = (['AUTH_COOKIE_SECRET', 'AUTH_SUBJECT_SECRET'] as const).filter(
    (name) => config[name].length < 32,
  );
  if (tooShort.length > 0)
    throw new ConfigError(tooShort.map((name) => `${name} is not a text of at least 32 characters`));
};

/** The parts that all SCA pages use. */
const scaParts = (parts: AuthParts, pool: Pool) => {
  const { config, clock, callClient } = parts;
  const failures = new ScaFailures(pool, clock, config.HASH_KEYS);
  const { codes, closeBank } = codesFor(parts);
  const browsers = new KnownBrowsers(clock, {
    secret: config.AUTH_COOKIE_SECRET,
    isSecure: config.BASE_URL.startsWith('https:'),
  });
  return {
    codes,
    closeBank,
    sessions: new PageSessions(pool, clock),
    signIns: { callClient, failures, places: new SignInPlaces(), browsers },
    challenges: new Challenges({ pool, clock, failures, codes, secret: config.AUTH_COOKIE_SECRET }),
  };
};

interface CodesOfBank {
  readonly codes: OtpCodes;
  readonly closeBank: () => Promise<void>;
}

/**
 * The source of one-time codes of SCA. The token endpoint does not need the core bank that delivers them, so a lost connection to the
 * bank makes the service degraded, not unready.
 */
const codesFor = ({ config, clock, health, ...parts }: AuthParts): CodesOfBank => {
  if (readCoreBank(config) === 'sandbox') return { codes: sandboxCodes, closeBank: async () => undefined };
  const bank = connectBank(config, { clock, ...parts });
  const { isConnected } = bank;
  if (isConnected !== undefined)
    health.degraded(bankConnectionName, () => (isConnected() ? undefined : 'not connected'));
  return { codes: bankCodes(bank.client, clock), closeBank: async () => bank.close() };
};

const requirePool = ({ pool }: AuthParts): Pool => {
  if (pool === undefined) throw new Error('DATABASE_URL is not set');
  return pool;
};
