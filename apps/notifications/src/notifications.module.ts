import { Module } from '@nestjs/common';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { CONFIG } from '@xs2a/runtime/tokens';
import { ActiveDispatcher } from './active-dispatcher.js';
import { NotificationSender } from './send-notification.js';

/** Tells TPPs of changes: reads them from the services that own them, and sends them. */
@Module({
  providers: [
    ActiveDispatcher,
    {
      provide: NotificationSender,
      inject: [CONFIG],
      useFactory: ({ SANDBOX }: ConfigOf<typeof serviceConfig>) =>
        new NotificationSender({ sandbox: SANDBOX }),
    },
  ],
})
export class NotificationsModule {}
