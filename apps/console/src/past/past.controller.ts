import { Get, Query } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { windowMs } from '../now/thresholds.js';
import { FormRefused } from '../pages/form-refused.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { readMoment } from '../resources-pages/moments.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { PastFiguresReader } from './past-figures.js';
import { pastBody } from './past-page.js';

/** The figures of the page Now as they were at a moment, and the difference between two. */
@StaffPages('now/as-of')
export class PastController {
  constructor(
    private readonly figures: PastFiguresReader,
    private readonly clock: Clock,
    private readonly frames: Frames,
  ) {}

  /** Without moments, compares with five minutes ago. */
  @Get()
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const moments = ['at', 'and'].flatMap((name) => this.readTime(query[name]) ?? []);
    const nowMs = this.clock.nowMs();
    const shown = moments.length === 0 ? [nowMs - windowMs, nowMs] : moments;
    const figures = await Promise.all(shown.map(async (atMs) => this.figures.read(atMs)));
    return this.frames.show(visit, { title: 'Now as of a moment', body: pastBody(figures) });
  }

  /** Returns a moment of the past in epoch milliseconds. Positions of the two logs do not say what Now showed. */
  private readTime(value: unknown): number | undefined {
    const moment = readMoment(value);
    if (moment === undefined) return undefined;
    if ('position' in moment) throw new FormRefused('A moment is a time, such as 2026-11-27 13:44.', '/now');
    if (moment.timeMs > this.clock.nowMs()) throw new FormRefused('This moment has not come yet.', '/now');
    return moment.timeMs;
  }
}
