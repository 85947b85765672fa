import { Module } from '@nestjs/common';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { receiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import { CONFIG } from '@xs2a/runtime/tokens';
import { ActiveDispatcher } from './active-dispatcher.js';
import type { config } from './config.js';
import { OwnController } from './own/own.controller.js';
import { QueueController } from './queue/queue.controller.js';
import { NotificationSender } from './send-notification.js';

/** Notifies TPPs of changes, reading them from the services that own them, and shows what is not delivered. */
@Module({
  controllers: [QueueController, OwnController],
  providers: [
    ActiveDispatcher,
    {
      provide: NotificationSender,
      inject: [CONFIG],
      useFactory: (settings: ConfigOf<typeof serviceConfig & typeof config>) =>
        new NotificationSender({ rules: receiverRules(settings) }),
    },
  ],
})
export class NotificationsModule {}
