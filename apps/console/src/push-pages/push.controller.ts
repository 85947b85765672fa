import { BadRequestException, Body, Get, Post, Query, Redirect } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  listNotifications,
  type NotificationState,
  type QueuedNotification,
  replayNotifications,
  summariseNotifications,
} from '@xs2a/contracts/notifications.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { TwoPeople } from '../actions/two-people.js';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { Parts } from '../parts/parts.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { type PushFilter, pushPath, readPushFilter } from './push-filter.js';
import { pushBody, shownNotifications } from './push-page.js';

/** The page of the notifications that TPPs have not accepted. */
@StaffPages('push')
export class PushController {
  constructor(
    private readonly parts: Parts,
    private readonly callClient: CallClient,
    private readonly actions: Actions,
    private readonly clock: Clock,
    private readonly frames: Frames,
    twoPeople: TwoPeople,
  ) {
    twoPeople.register('replay-notifications', {
      does: 'Sends the dead letters of the TPP again, for another 24 hours.',
      isTarget: (target) => isMaxText(target, 255),
      run: async ({ target }) => this.sendAgain(target),
    });
  }

  @Get()
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const filter = readPushFilter(query);
    const [{ answer: summary }, failing, dead] = await Promise.all([
      this.parts.ask(summariseNotifications, {}),
      this.list(filter, 'failing'),
      this.list(filter, 'dead'),
    ]);
    const csrf = visit.staff.roles.includes('operator') ? visit.csrf : undefined;
    const body = pushBody({ filter, summary, failing, dead, nowMs: this.clock.realMs, csrf });
    const command = commandLine('xs2a notifications list', { ...filter });
    // A page with a form does not refresh itself, because somebody may be writing a reason.
    const refreshSeconds = csrf !== undefined && filter.tpp !== undefined ? undefined : 5;
    return this.frames.show(visit, { title: 'Push', body, refreshSeconds, command });
  }

  @Post('replay')
  @ForRoles('operator')
  @Redirect()
  async replay(
    @ThisVisit() { staff }: Visit,
    @Body() form: URLSearchParams,
  ): Promise<{ readonly url: string; readonly statusCode: number }> {
    const { tpp } = readPushFilter({ tpp: form.get('tpp') ?? undefined });
    if (tpp === undefined) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: pushPath({ tpp }), persons });
    const request = { actionId, staff, act: 'replay-notifications', target: tpp, reason } as const;
    await this.actions.perform(request, async () => this.sendAgain(tpp));
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }

  private async sendAgain(tppId: string): Promise<string> {
    const { replayed } = await this.callClient.call(replayNotifications, { tppId });
    if (replayed === 0) throw new ActionRefused('The TPP had no dead letters any more.');
    return `${replayed} ${replayed === 1 ? 'notification' : 'notifications'} will be sent again.`;
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
