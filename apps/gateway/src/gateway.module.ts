import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import { AccountsController } from './accounts/accounts.controller.js';
import { AuthorisationsController } from './authorisations/authorisations.controller.js';
import { BasketsController } from './baskets/baskets.controller.js';
import { CallRows } from './call-rows/call-rows.js';
import { TokenModule } from './checks/token/token.module.js';
import { ConsentsController } from './consents/consents.controller.js';
import { CallRecords } from './edge/call-records.js';
import type { GatewayParts } from './edge/edge.js';
import { FailuresFilter } from './edge/failures.filter.js';
import { HealthController } from './edge/health.controller.js';
import { FundsConfirmationController } from './funds/funds-confirmation.controller.js';
import { DescriptionController } from './openapi/description.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { ToReferenceController, WithoutPortalController } from './portal-proxy/docs.controller.js';
import { portalUrl } from './portal-proxy/portal-proxy.js';
import { FaultsController } from './planned-faults/faults.controller.js';
import { PlannedFaults } from './planned-faults/planned-faults.js';
import { OwnPaymentsController } from './sandbox/own-payments.controller.js';
import { OwnPsusController } from './sandbox/own-psus.controller.js';
import { OwnTppController } from './sandbox/own-tpp.controller.js';
import { PayeesController } from './sandbox/payees.controller.js';
import { DueTimesController } from './sandbox/due-times.controller.js';
import { NotificationsController } from './sandbox/notifications.controller.js';
import { RequestsController } from './sandbox/requests.controller.js';
import { VisitsController } from './sandbox/visits.controller.js';
import { SandboxController } from './sandbox/sandbox.controller.js';

/** The controllers that every gateway has. */
export const controllers: Type[] = [
  PaymentsController,
  AuthorisationsController,
  BasketsController,
  ConsentsController,
  AccountsController,
  FundsConfirmationController,
  HealthController,
  DescriptionController,
];

/** The controllers that only a sandbox has. */
export const sandboxControllers: Type[] = [
  SandboxController,
  DueTimesController,
  RequestsController,
  OwnTppController,
  OwnPsusController,
  OwnPaymentsController,
  NotificationsController,
  VisitsController,
  PayeesController,
  FaultsController,
];

/** The API endpoints and the records of calls. */
@Module({
  imports: [TokenModule],
  providers: [
    { provide: APP_FILTER, useClass: FailuresFilter },
    CallRecords,
    {
      provide: CallRows,
      inject: [CallClient, Clock, LOGGER, CONFIG],
      useFactory: (callClient: CallClient, clock: Clock, logger: Logger, config: GatewayParts['config']) =>
        new CallRows({
          callClient,
          clock,
          logger,
          successesOneIn: config.CALL_SUCCESSES_ONE_IN ?? (config.SANDBOX ? 1 : 10),
          random: Math.random,
        }),
    },
  ],
})
export class GatewayModule implements OnModuleInit, OnApplicationShutdown {
  static forRoot({ config }: Pick<GatewayParts, 'config'>): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        ...controllers,
        ...(config.SANDBOX ? sandboxControllers : []),
        portalUrl(config) === undefined ? WithoutPortalController : ToReferenceController,
      ],
      providers: config.SANDBOX ? [PlannedFaults] : [],
    };
  }

  constructor(
    @Inject(CallRecords) private readonly records: CallRecords,
    @Inject(CallRows) private readonly rows: CallRows,
  ) {}

  onModuleInit(): void {
    this.records.start();
    this.rows.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.records.stop(), this.rows.stop()]);
  }
}
