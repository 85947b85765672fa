import { Controller, Inject } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  endOwnNotification,
  forgeOwnNotification,
  listOwnNotifications,
  replayOwnNotification,
} from '@xs2a/contracts/push/own-notifications.contract';
import { CallClient } from '@xs2a/calls/client';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { NotificationSender } from '../send-notification.js';
import { forgeOwn } from './forge-own.js';
import { endOwn, listOwn, replayOwn } from './own-notifications.js';

/** Shows a TPP its own notifications in the sandbox (contract 13). An instance that stands by does it too. */
@Controller()
export class OwnController {
  constructor(
    @Inject(POOL) readonly pool: Pool,
    readonly callClient: CallClient,
    readonly sender: NotificationSender,
  ) {}

  @Handles(listOwnNotifications)
  async list(
    request: RequestOf<typeof listOwnNotifications>,
  ): Promise<AnswerOf<typeof listOwnNotifications>> {
    return listOwn(this.pool, request);
  }

  @Handles(replayOwnNotification)
  async replay(one: RequestOf<typeof replayOwnNotification>): Promise<Record<string, never>> {
    await replayOwn(this.pool, one);
    return {};
  }

  @Handles(endOwnNotification)
  async end(one: RequestOf<typeof endOwnNotification>): Promise<Record<string, never>> {
    await endOwn(this.pool, one);
    return {};
  }

  @Handles(forgeOwnNotification)
  async forge(one: RequestOf<typeof forgeOwnNotification>): Promise<Record<string, never>> {
    await forgeOwn(this, one);
    return {};
  }
}
