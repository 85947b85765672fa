import { Module } from '@nestjs/common';
import { ActiveDispatcher } from './active-dispatcher.js';

/** Tells TPPs of changes: reads them from the services that own them, and sends them. */
@Module({ providers: [ActiveDispatcher] })
export class NotificationsModule {}
