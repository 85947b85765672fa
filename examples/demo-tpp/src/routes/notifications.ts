import { Body, Controller, Headers, HttpCode, Inject, Post, UnauthorizedException } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';
import { Bank } from '../bank/bank.js';
import { StatusFeed } from '../bank/status-feed.js';
import { WireTap } from '../wire/wire-tap.js';

/**
 * Receives the changes that the bank reports. A notification that the bank did not sign is refused and changes
 * nothing.
 */
@Controller('notifications')
export class NotificationsRoutes {
  constructor(
    private readonly bank: Bank,
    private readonly feed: StatusFeed,
    private readonly tap: WireTap,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @HttpCode(204)
  async take(@Body() body: unknown, @Headers() headers: Readonly<Record<string, string>>): Promise<void> {
    try {
      const text = typeof body === 'string' ? body : '';
      const sent = await this.bank.xs2a.verifyPush(headers, text);
      const resourceId = sent.paymentId ?? sent.basketId;
      if (resourceId === undefined) return;
      this.tap.received(resourceId, headers, text);
      this.feed.publish(resourceId);
    } catch (error) {
      this.logger.warn({ error }, 'refused a notification');
      throw new UnauthorizedException();
    }
  }
}
