import { Body, Controller, Headers, HttpCode, Inject, Post, UnauthorizedException } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';
import { StatusNotifications } from '../bank/status-notifications.js';

/**
 * Receives the changes that the bank reports. A notification that the bank did not sign is refused and changes
 * nothing.
 */
@Controller('notifications')
export class NotificationsRoutes {
  constructor(
    private readonly notifications: StatusNotifications,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @HttpCode(204)
  async take(@Body() body: unknown, @Headers('x-jws-signature') signature = ''): Promise<void> {
    try {
      await this.notifications.take(typeof body === 'string' ? body : '', signature);
    } catch (error) {
      this.logger.warn({ error }, 'refused a notification');
      throw new UnauthorizedException();
    }
  }
}
