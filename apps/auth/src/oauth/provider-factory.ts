import { Inject, Injectable } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Provider } from 'oidc-provider';
import type { Pool } from 'pg';
import type { AuthConfig } from '../config.js';
import { followBankLook } from '../sca/pages/look/bank-look.js';
import { ADMISSION, SIGNING_KEYS } from '../tokens.js';
import type { Admission } from '../tpp/tpp-certificate.js';
import { TppRegistry } from '../tpp/tpp-registry.js';
import { ConsentAuthority } from './grants/consent-authority.js';
import { GrantBindings } from './grants/grant-bindings.js';
import { GrantRevocations } from './grants/grant-revocations.js';
import { pairwiseSubjects } from './grants/pairwise-subject.js';
import { profileRules } from './profile-rules.js';
import { surround } from './provider-middleware.js';
import { providerFollows } from './provider-patches.js';
import { createProvider } from './provider.js';
import { renderOauthError } from './render-error.js';
import { shownCertificates } from './shown-certificate.js';
import { TokenTransactions } from './storage/token-transaction.js';
import { BundleKeys, publicBundleKeys } from './tokens/bundle-signatures.js';
import { IssuedTokens } from './tokens/issued-tokens.js';
import type { SigningKeys } from './tokens/signing-keys.js';

/** Creates the OAuth 2.0 server from the settings and from the parts that it uses. */
@Injectable()
export class ProviderFactory {
  constructor(
    @Inject(CONFIG) private readonly config: AuthConfig,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(SIGNING_KEYS) private readonly keys: SigningKeys,
    @Inject(ADMISSION) private readonly admission: Admission,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly registry: TppRegistry,
    private readonly database: TokenTransactions,
    private readonly revocations: GrantRevocations,
    private readonly bindings: GrantBindings,
    private readonly consents: ConsentAuthority,
    private readonly issued: IssuedTokens,
    private readonly bundleKeys: BundleKeys,
  ) {}

  async create(): Promise<Provider> {
    const {
      config,
      profile,
      keys,
      pool,
      logger,
      clock,
      registry,
      database,
      revocations,
      bindings,
      consents,
    } = this;
    await providerFollows(clock);
    const rules = profileRules[config.AUTH_PROFILE];
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
      keys,
      shown: shownCertificates(this.admission),
      issuer: config.BASE_URL,
      subjectFor: pairwiseSubjects(config.AUTH_SUBJECT_SECRET),
      cookieSecret: config.AUTH_COOKIE_SECRET,
      rules: { ...rules, requiresPkce: rules.requiresPkce || config.AUTH_PKCE_REQUIRED },
      renderError: renderOauthError(followBankLook(profile, config)),
    });
    const pagesUrl = config.PAGES_URL ?? config.BASE_URL;
    surround(provider, {
      pagesUrl,
      logger,
      clock,
      database,
      revocations,
      issued: this.issued,
      bundleKeys: publicBundleKeys(this.bundleKeys),
    });
    return provider;
  }
}
