import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { AuthConfig } from '../config.js';
import { profileRules } from '../oauth/profile-rules.js';
import { ADMISSION, SHARED_TPPS } from '../tokens.js';
import { OwnTppController } from './own-tpp.controller.js';
import { fixtureClientIds, seedTpps } from './seed-tpps.js';
import { type Admission, findAdmission } from './tpp-certificate.js';
import { TppController } from './tpp.controller.js';
import { TppRegistry } from './tpp-registry.js';

/** Registers TPPs and publishes their records to the gateways. */
@Module({
  controllers: [TppController, OwnTppController],
  providers: [
    TppRegistry,
    {
      provide: ADMISSION,
      inject: [CONFIG, Clock],
      useFactory: (config: AuthConfig, clock: Clock): Admission => ({
        ...findAdmission(config, clock),
        authMethods: profileRules[config.AUTH_PROFILE].clientAuthMethods,
      }),
    },
    {
      provide: SHARED_TPPS,
      inject: [CONFIG],
      useFactory: ({ SANDBOX, SANDBOX_FIXTURES: file }: AuthConfig): ReadonlySet<string> =>
        SANDBOX && file !== undefined ? fixtureClientIds(file) : new Set(),
    },
  ],
  exports: [TppRegistry, ADMISSION],
})
export class TppModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly registry: TppRegistry,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    const { SANDBOX, SANDBOX_FIXTURES: fixtures } = this.config;
    if (SANDBOX && fixtures !== undefined) await seedTpps(this.registry, fixtures, this.clock);
    this.registry.start();
  }

  onApplicationShutdown(): void {
    this.registry.stop();
  }
}
