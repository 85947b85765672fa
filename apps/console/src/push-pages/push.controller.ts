import { Get, Query } from '@nestjs/common';
import {
  listNotifications,
  type NotificationState,
  type QueuedNotification,
  summariseNotifications,
} from '@xs2a/contracts/notifications.contract';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { Jobs } from '../jobs/jobs.js';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { Parts } from '../parts/parts.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { TppNames } from '../tpps/tpp-names.js';
import { type PushFilter, readPushFilter } from './push-filter.js';
import { pushBody, shownNotifications } from './push-page.js';

const shownJobs = 10;

/** The page of the notifications that TPPs have not accepted. */
@StaffPages('push')
export class PushController {
  constructor(
    private readonly parts: Parts,
    private readonly jobs: Jobs,
    private readonly names: TppNames,
    private readonly clock: Clock,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const filter = readPushFilter(query);
    const [{ answer: summary }, failing, dead, jobs] = await Promise.all([
      this.parts.ask(summariseNotifications, {}),
      this.list(filter, 'failing'),
      this.list(filter, 'dead'),
      this.jobs.latest(shownJobs),
    ]);
    const mayReplay = visit.staff.roles.includes('operator');
    const { realMs: nowMs } = this.clock;
    const { of: nameOf } = this.names;
    const body = pushBody({ filter, summary, failing, dead, jobs, nowMs, mayReplay, nameOf });
    const command = commandLine('xs2a notifications list', { tpp: filter.tpp, resource: filter.resource });
    return this.frames.show(visit, { title: 'Push', body, refreshSeconds: 5, command });
  }

  /** Each state has its own list, so that many old dead letters hide no failure of the present. */
  private async list(
    { tpp: tppId, resource: resourceId }: PushFilter,
    state: NotificationState,
  ): Promise<readonly QueuedNotification[] | undefined> {
    const wanted = { states: [state], tppId, resourceId, limit: shownNotifications };
    return (await this.parts.ask(listNotifications, wanted)).answer?.notifications;
  }
}
