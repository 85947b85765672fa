import { Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import { jsonOf, refusalNote } from './answers.js';
import { type ClockShown, clockPage } from './clock-page.js';
import { TppApi } from './tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from './visit.js';

/** The clock of the sandbox. */
@Controller('workspace/clock')
@UseGuards(VisitGuard, TppGuard)
export class ClockController {
  constructor(
    private readonly api: TppApi,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {}

  @Get()
  show(@Visiting() visit: TppVisit): Html {
    return this.shown(visit, this.clock.now(), { hasMoved: false });
  }

  @Post()
  async advance(@Visiting() visit: TppVisit): Promise<Html> {
    const advance = visit.form.get('advance') ?? '';
    const answer = await this.api.send(visit.tpp, {
      method: 'POST',
      path: '/sandbox/clock',
      body: JSON.stringify({ advance }),
    });
    const refusal = refusalNote(answer);
    if (refusal !== undefined)
      return this.shown(visit, this.clock.now(), { hasMoved: false, refusal, advance });
    // This process may not have heard of the move yet.
    return this.shown(visit, jsonOf<{ readonly now: string }>(answer).now, { hasMoved: true });
  }

  private shown(
    { session }: TppVisit,
    now: string,
    more: Pick<ClockShown, 'hasMoved' | 'refusal' | 'advance'>,
  ): Html {
    const offsetMs = Date.parse(now) - this.clock.realMs;
    const isFixed = this.config.SANDBOX_CLOCK === 'fixed';
    return clockPage({ session, now, offsetMs, isFixed, ...more });
  }
}
