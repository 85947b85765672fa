import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import { Provider } from 'oidc-provider';
import type { AuthConfig } from '../config.js';
import { BundleSigningController } from '../bundle-signing.controller.js';
import { NotificationSigner, NotificationSigningController } from '../notification-signing.controller.js';
import { SIGNING_KEYS } from '../tokens.js';
import { TppModule } from '../tpp/tpp.module.js';
import { ConsentAuthority } from './grants/consent-authority.js';
import { FundsGrants } from './grants/funds-grants.js';
import { GrantBindings } from './grants/grant-bindings.js';
import { GrantRevocations } from './grants/grant-revocations.js';
import { ProviderFactory } from './provider-factory.js';
import { TokenTransactions } from './storage/token-transaction.js';
import { BundleKeys, BundleSigner, bundleSigner, mustBeSeparate } from './tokens/bundle-signatures.js';
import { KeyReports, reportSigningKeys } from './tokens/key-reports.js';
import { KeyReportsController } from '../key-reports.controller.js';
import { GrantsController } from './grants/grants.controller.js';
import { IntrospectionController } from './tokens/introspection.controller.js';
import { IssuedTokens } from './tokens/issued-tokens.js';
import { notificationSigner } from './tokens/notification-signatures.js';
import { type SigningKeys, signingKeys } from './tokens/signing-keys.js';

/** The OAuth 2.0 server: grants, tokens, and the keys that sign the tokens. */
@Module({
  imports: [TppModule],
  controllers: [
    IntrospectionController,
    NotificationSigningController,
    BundleSigningController,
    KeyReportsController,
    GrantsController,
  ],
  providers: [
    {
      provide: SIGNING_KEYS,
      inject: [CONFIG],
      useFactory: async ({ AUTH_KEYS_FILE, SANDBOX }: AuthConfig) =>
        signingKeys('AUTH_KEYS_FILE', AUTH_KEYS_FILE, SANDBOX),
    },
    {
      provide: BundleKeys,
      inject: [CONFIG, SIGNING_KEYS],
      useFactory: async ({ BUNDLE_KEYS_FILE, SANDBOX }: AuthConfig, tokenKeys: SigningKeys) => {
        const keys = await signingKeys('BUNDLE_KEYS_FILE', BUNDLE_KEYS_FILE, SANDBOX);
        mustBeSeparate(keys, tokenKeys);
        return keys;
      },
    },
    {
      provide: BundleSigner,
      inject: [BundleKeys, Clock, CONFIG],
      useFactory: async (keys: BundleKeys, clock: Clock, { BASE_URL }: AuthConfig) =>
        bundleSigner(keys, clock, BASE_URL),
    },
    {
      provide: NotificationSigner,
      inject: [SIGNING_KEYS, Clock],
      useFactory: async (keys: SigningKeys, clock: Clock): Promise<NotificationSigner> => ({
        sign: await notificationSigner(keys, clock),
      }),
    },
    {
      provide: KeyReports,
      inject: [SIGNING_KEYS, BundleKeys],
      useFactory: (tokenKeys: SigningKeys, bundleKeys: BundleKeys): KeyReports => ({
        reports: reportSigningKeys(tokenKeys, bundleKeys),
      }),
    },
    TokenTransactions,
    GrantRevocations,
    FundsGrants,
    GrantBindings,
    ConsentAuthority,
    IssuedTokens,
    ProviderFactory,
    {
      provide: Provider,
      inject: [ProviderFactory],
      useFactory: async (factory: ProviderFactory) => factory.create(),
    },
  ],
  exports: [GrantRevocations, FundsGrants, GrantBindings, ConsentAuthority, Provider],
})
export class OauthModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly revocations: GrantRevocations) {}

  onModuleInit(): void {
    this.revocations.start();
  }

  onApplicationShutdown(): void {
    this.revocations.stop();
  }
}
