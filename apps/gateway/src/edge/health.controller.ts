import { Controller, Get, Res } from '@nestjs/common';
import { Health, type Readiness } from '@xs2a/observability/health';
import type { FastifyReply } from 'fastify';

/** Reports to load balancers and operators whether this gateway is alive and ready (contract 1). */
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.ready();
    if (!readiness.ok) reply.code(503);
    return readiness;
  }
}
