import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { Health, NotReady } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { CONFIG, LOGGER, STREAMS } from '@xs2a/runtime/tokens';
import { type GatewayConfig, secretToSend } from '../../config.js';
import { Callers } from './callers.js';
import { AccessTokens } from './access-tokens.js';
import { DpopProofs } from './dpop-proofs.js';
import { KeySet } from './key-set.js';
import { Revocations } from './revocations.js';
import { TokenPsus } from './token-psus.js';
import { TppDirectory } from './tpp-directory.js';
import { UsedProofs } from './used-proofs.js';

/**
 * Verifies access tokens. Keys, TPPs and revocations are loaded at startup and kept up to date; the gateway is not
 * ready without them.
 */
@Module({
  providers: [
    {
      provide: KeySet,
      inject: [CONFIG, LOGGER],
      useFactory: (config: GatewayConfig, logger: Logger) =>
        new KeySet({
          authUrl: config.AUTH_URL,
          gatewaySecret: secretToSend(config),
          issuer: config.BASE_URL,
          logger,
        }),
    },
    TppDirectory,
    Revocations,
    AccessTokens,
    {
      provide: UsedProofs,
      inject: [STREAMS],
      useFactory: (nats: NatsConnection) => new UsedProofs(nats),
    },
    DpopProofs,
    Callers,
    TokenPsus,
  ],
  exports: [KeySet, TppDirectory, Revocations, Callers, TokenPsus],
})
export class TokenModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(KeySet) private readonly keys: KeySet,
    @Inject(TppDirectory) private readonly tpps: TppDirectory,
    @Inject(Revocations) private readonly revocations: Revocations,
    @Inject(Health) private readonly health: Health,
  ) {}

  onModuleInit(): void {
    this.keys.start();
    this.health.check('keys', async () => {
      if (this.keys.problem !== undefined) throw new NotReady(this.keys.problem);
    });
    const parts = { tpps: this.tpps, revocations: this.revocations };
    for (const [name, part] of Object.entries(parts)) {
      part.start();
      this.health.check(name, async () => {
        if (!part.isLoaded) throw new Error(`${name} are not loaded`);
      });
    }
  }

  onApplicationShutdown(): void {
    this.keys.stop();
    this.tpps.stop();
    this.revocations.stop();
  }
}
