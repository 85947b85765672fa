import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  endOwnNotification,
  forgeOwnNotification,
  listOwnNotifications,
  replayOwnNotification,
} from '@xs2a/contracts/push/own-notifications.contract';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { ownPageLinks, readOwnPage } from './own-page.js';

const path = '/sandbox/notifications';

/** A TPP's own notifications (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class NotificationsController {
  constructor(private readonly callClient: CallClient) {}

  @Endpoint('listNotifications')
  async list(@Req() request: EdgeRequest): Promise<Readonly<Record<string, unknown>>> {
    const page = readOwnPage(request);
    const { notifications, next } = await this.callClient.call(listOwnNotifications, page);
    return { notifications, _links: ownPageLinks(path, page, next) };
  }

  @Endpoint('replayNotification')
  async replay(@Req() request: EdgeRequest): Promise<void> {
    await this.callClient.call(replayOwnNotification, ownOf(request));
  }

  @Endpoint('deadLetterNotification')
  async end(@Req() request: EdgeRequest): Promise<void> {
    await this.callClient.call(endOwnNotification, ownOf(request));
  }

  @Endpoint('forgeNotification')
  async forge(@Req() request: EdgeRequest): Promise<void> {
    await this.callClient.call(forgeOwnNotification, ownOf(request));
  }
}

const ownOf = (request: EdgeRequest): { readonly tppId: string; readonly notificationId: string } => ({
  tppId: requireCaller(request).tpp.clientId,
  notificationId: parseId(request.params['notificationId']),
});
