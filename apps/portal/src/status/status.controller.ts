import { Controller, Get } from '@nestjs/common';
import { LivePulses } from '@xs2a/doctor/live-pulses';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { statusPage } from './status-page.js';

/** Which parts of the interface work now, from the pulses of the services. */
@Controller('status')
export class StatusController {
  constructor(
    private readonly pulses: LivePulses,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(): Html {
    const heard = this.pulses.hasHeardAll ? this.pulses.running() : undefined;
    return statusPage(heard, this.clock.realMs);
  }
}
