import { Controller, Get, Inject, Optional, Req, Res } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions } from '../workspace/session.js';
import { type Fixtures, sharedFixtures } from './fixtures.js';
import { startPage } from './start-page.js';

/** The first page. */
@Controller()
export class StartController {
  private readonly fixtures: Fixtures | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: PortalConfig,
    @Inject(PROFILE) private readonly profile: Profile,
    private readonly clock: Clock,
    @Optional() private readonly sessions?: Sessions,
  ) {
    this.fixtures = sharedFixtures(config);
  }

  /** Shows the client id of the developer who has signed in to the workspace. */
  @Get()
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Html> {
    const { fixtures, profile } = this;
    const session = await this.sessions?.find(request.headers.cookie);
    if (session !== undefined) reply.header('Cache-Control', 'no-store');
    const clientId = session?.tpp?.clientId;
    const sandbox = fixtures && { fixtures, now: this.clock.now(), offsetMs: this.clock.offsetMs };
    return startPage({ baseUrl: this.config.BASE_URL, profile, sandbox, clientId });
  }
}
