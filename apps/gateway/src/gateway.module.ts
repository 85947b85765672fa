import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Health, NotReady } from '@xs2a/observability/health';
import { secretToSend } from './config.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { BasketsController } from './baskets/baskets.controller.js';
import { CallRecords } from './edge/call-records.js';
import { ConsentsController } from './consents/consents.controller.js';
import { DocsController } from './openapi/docs/docs.controller.js';
import type { GatewayParts } from './edge/edge.js';
import { FailuresFilter } from './edge/failures.filter.js';
import { FundsConfirmationController } from './funds/funds-confirmation.controller.js';
import { HealthController } from './edge/health.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { SandboxController } from './sandbox/sandbox.controller.js';
import { AccessTokenStrategy } from './checks/token/access-token.strategy.js';
import { AccessTokens } from './checks/token/access-tokens.js';
import { DpopProofs } from './checks/token/dpop-proofs.js';
import { KeySet } from './checks/token/key-set.js';
import { Revocations } from './checks/token/revocations.js';
import { TokenPsus } from './checks/token/token-psus.js';
import { TppDirectory } from './checks/token/tpp-directory.js';
import { UsedProofs } from './checks/token/used-proofs.js';

const controllers: Type[] = [
  PaymentsController,
  BasketsController,
  ConsentsController,
  AccountsController,
  FundsConfirmationController,
  HealthController,
  DocsController,
];

/** Keys, TPPs and revocations: loaded at the start, followed until the end, and part of the gateway's readiness. */
@Module({})
export class GatewayModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(KeySet) private readonly keys: KeySet,
    @Inject(TppDirectory) private readonly tpps: TppDirectory,
    @Inject(Revocations) private readonly revocations: Revocations,
    @Inject(CallRecords) private readonly records: CallRecords,
    @Inject(Health) private readonly health: Health,
  ) {}

  static forRoot({ config, clock, logger, streams, callClient, profile }: GatewayParts): DynamicModule {
    const keys = new KeySet({
      authUrl: config.AUTH_URL,
      gatewaySecret: secretToSend(config),
      issuer: config.BASE_URL,
      logger,
    });
    const tpps = new TppDirectory({ nats: streams, logger });
    const revocations = new Revocations({ nats: streams, logger }, clock);
    const tokens = new AccessTokens({ keys, clock, issuer: config.BASE_URL });
    const used = new UsedProofs(streams);
    const proofs = new DpopProofs({
      clock,
      origin: config.BASE_URL,
      boundOnly: config.AUTH_PROFILE === 'fapi2',
      used,
    });
    const strategy = new AccessTokenStrategy({ tokens, tpps, proofs });
    const records = new CallRecords({ callClient, clock, timeZone: profile.timeZone, logger });
    return {
      module: GatewayModule,
      controllers: config.SANDBOX ? [...controllers, SandboxController] : controllers,
      providers: [
        { provide: KeySet, useValue: keys },
        { provide: TppDirectory, useValue: tpps },
        { provide: Revocations, useValue: revocations },
        { provide: AccessTokenStrategy, useValue: strategy },
        { provide: TokenPsus, useValue: new TokenPsus(callClient) },
        { provide: CallRecords, useValue: records },
        { provide: APP_FILTER, useClass: FailuresFilter },
      ],
    };
  }

  onModuleInit(): void {
    this.records.start();
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

  async onApplicationShutdown(): Promise<void> {
    await this.records.stop();
    this.keys.stop();
    this.tpps.stop();
    this.revocations.stop();
  }
}
