import { Get } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { nowBody } from './now-page.js';
import { Observer } from './observer.js';

const refreshSeconds = 2;

/** The page that says what is wrong. */
@StaffPages('now')
export class NowController {
  constructor(
    private readonly observer: Observer,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  show(@ThisVisit() visit: Visit): Html {
    const body = nowBody(this.observer.observation);
    return this.frames.show(visit, { title: 'Now', body, refreshSeconds, command: 'xs2a doctor' });
  }
}
