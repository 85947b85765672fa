import { Controller, Get, Inject } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
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
  ) {
    this.fixtures = sharedFixtures(config);
  }

  @Get()
  show(): Html {
    const { fixtures, profile } = this;
    const sandbox = fixtures && { fixtures, now: this.clock.now(), offsetMs: this.clock.offsetMs };
    return startPage({ baseUrl: this.config.BASE_URL, profile, sandbox });
  }
}
