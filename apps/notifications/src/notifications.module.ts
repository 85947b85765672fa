import { type DynamicModule, Module } from '@nestjs/common';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { receiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import { ActiveDispatcher } from './active-dispatcher.js';
import { CheckedRequests } from './checked-requests.js';
import type { config } from './config.js';
import { OwnController } from './own/own.controller.js';
import { QueueController } from './queue/queue.controller.js';
import { NotificationSender } from './send-notification.js';
import { VisitLimit } from './visits/visit-limit.js';
import { VisitsController } from './visits/visits.controller.js';

type NotificationsConfig = ConfigOf<typeof serviceConfig & typeof config>;

/** Notifies TPPs of changes, reading them from the services that own them, and shows what is not delivered. */
@Module({})
export class NotificationsModule {
  static forRoot({ config }: { readonly config: NotificationsConfig }): DynamicModule {
    const rules = receiverRules(config);
    return {
      module: NotificationsModule,
      controllers: [QueueController, OwnController, ...(config.SANDBOX ? [VisitsController] : [])],
      providers: [
        ActiveDispatcher,
        { provide: NotificationSender, useFactory: () => new NotificationSender({ rules }) },
        { provide: CheckedRequests, useFactory: () => new CheckedRequests({ rules }) },
        VisitLimit,
      ],
    };
  }
}
