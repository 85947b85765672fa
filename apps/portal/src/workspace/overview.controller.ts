import { Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import { refusalNote } from './answers.js';
import { clockPage } from './clock-page.js';
import { overviewPage } from './overview-page.js';
import { listCalls } from './requests.controller.js';
import { TppApi } from './tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from './visit.js';

/** How many calls the overview shows. */
const latest = 5;

/** The first page of the workspace, and the clock. */
@Controller('workspace')
@UseGuards(VisitGuard, TppGuard)
export class OverviewController {
  constructor(
    private readonly api: TppApi,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {}

  @Get()
  async show(@Visiting() { session, tpp }: TppVisit): Promise<Html> {
    const { calls } = await listCalls(this.api, tpp, { most: latest });
    return overviewPage({ session, tpp, calls, baseUrl: this.config.BASE_URL, now: this.clock.now() });
  }

  @Get('clock')
  showClock(@Visiting() visit: TppVisit): Html {
    return this.clockShown(visit);
  }

  @Post('clock')
  async advance(@Visiting() visit: TppVisit): Promise<Html> {
    const advance = visit.form.get('advance') ?? '';
    const answer = await this.api.send(visit.tpp, {
      method: 'POST',
      path: '/sandbox/clock',
      body: JSON.stringify({ advance }),
    });
    const moved = answer.status === 200 ? (JSON.parse(answer.text) as { readonly now: string }) : undefined;
    return this.clockShown(visit, { now: moved?.now, refusal: refusalNote(answer), advance });
  }

  private clockShown(
    { session }: TppVisit,
    {
      now,
      refusal,
      advance,
    }: { readonly now?: string; readonly refusal?: Html; readonly advance?: string } = {},
  ): Html {
    return clockPage({
      session,
      now: now ?? this.clock.now(),
      offsetMs: now === undefined ? this.clock.offsetMs : Date.parse(now) - this.clock.realMs,
      isFixed: this.config.SANDBOX_CLOCK === 'fixed',
      hasMoved: now !== undefined,
      refusal,
      advance,
    });
  }
}
