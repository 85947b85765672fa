import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StatusNotifications } from './status-notifications.js';

/** The address to which the bank reports each change. What it did not sign is refused, and changes nothing. */
@Controller()
export class NotificationsController {
  constructor(
    private readonly notifications: StatusNotifications,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post('notifications')
  async take(@Req() { headers, body }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const signature = headers['x-jws-signature'];
    const text = typeof body === 'string' ? body : '';
    try {
      await this.notifications.take(text, typeof signature === 'string' ? signature : '');
      await reply.code(204).send();
    } catch (error) {
      this.logger.warn({ error }, 'refused a notification');
      await reply.code(401).send();
    }
  }
}
