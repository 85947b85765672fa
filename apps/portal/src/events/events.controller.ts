import { Controller, Get, Inject } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { ApiDescription } from '../reference/api-description.js';
import { eventsPage } from './events-page.js';

/** What the bank sends without a request. */
@Controller('events')
export class EventsController {
  constructor(
    private readonly description: ApiDescription,
    @Inject(PROFILE) private readonly profile: Profile,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(): Html {
    return eventsPage(this.description.document, this.clock.date(this.profile.timeZone));
  }
}
