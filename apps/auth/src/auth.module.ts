import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigError, type ConfigOf, readCoreBank } from '@xs2a/runtime/config';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import type { AuthConfig, config } from './config.js';
import { ExpiredRows } from './expired-rows.js';
import { OauthModule } from './oauth/oauth.module.js';
import { PresenceController } from './presence.controller.js';
import { ScaModule } from './sca/sca.module.js';
import { findAdmission } from './tpp/tpp-certificate.js';
import { TppModule } from './tpp/tpp.module.js';

export type AuthParts = ServiceParts<ConfigOf<typeof config>>;

@Module({
  imports: [TppModule, OauthModule, ScaModule],
  controllers: [PresenceController],
  providers: [ExpiredRows],
})
export class AuthModule {
  /** Throws ConfigError if settings are invalid in combination, before anything is created from them. */
  static forRoot({ config, clock }: AuthParts): DynamicModule {
    checkSecrets(config);
    findAdmission(config, clock);
    readCoreBank(config);
    return { module: AuthModule };
  }
}

const checkSecrets = (config: AuthConfig): void => {
  const tooShort = (['AUTH_COOKIE_SECRET', 'AUTH_SUBJECT_SECRET'] as const).filter(
    (name) => config[name].length < 32,
  );
  if (tooShort.length > 0)
    throw new ConfigError(tooShort.map((name) => `${name} must have at least 32 characters`));
};
