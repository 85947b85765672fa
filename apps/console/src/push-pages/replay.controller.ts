import {
  BadRequestException,
  Body,
  Get,
  Post,
  Query,
  Redirect,
  ServiceUnavailableException,
} from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { listDeadLetters, replayNotifications } from '@xs2a/contracts/notifications.contract';
import { type Html, html } from '@xs2a/html/html';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { TwoPeople } from '../actions/two-people.js';
import { Jobs } from '../jobs/jobs.js';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { Parts } from '../parts/parts.js';
import { ForRoles } from '../staff/for-roles.js';
import {
  isReplayTarget,
  readReplay,
  readTarget,
  type Replay,
  replayBody,
  replayPath,
  targetOf,
} from './replay-page.js';

const deadLetters = ({ tpp }: Replay): string => commandLine('xs2a notifications dead-letters', { tpp });
const nothingLeft = 'There was no dead letter to send again any more.';

/** Sends dead letters again: one at once, several by a job. */
@StaffPages('push/replay')
export class ReplayController {
  constructor(
    private readonly parts: Parts,
    private readonly callClient: CallClient,
    private readonly actions: Actions,
    private readonly jobs: Jobs,
    private readonly frames: Frames,
    twoPeople: TwoPeople,
  ) {
    twoPeople.register('replay-notifications', {
      does: 'Sends dead letters again, for another 24 hours: one of them, those of a TPP, or all.',
      isTarget: isReplayTarget,
      run: async ({ actionId, target }) => this.sendAgain(actionId, readTarget(target)),
    });
  }

  /** What would be sent. */
  @Get()
  @ForRoles('operator')
  async preview(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const replay = readReplay(query);
    const found = await this.parts.ask(listDeadLetters, { tppId: replay.tpp });
    if (found.missing !== undefined) throw new ServiceUnavailableException(found.missing);
    const { ids } = found.answer;
    const count = replay.notification === undefined ? ids.length : Number(ids.includes(replay.notification));
    const body = html`${replayBody(replay, count, visit.csrf)}
      <p class="links"><a class="button" href="/push">Back to Push</a></p>`;
    return this.frames.show(visit, { title: 'Send dead letters again', body, command: deadLetters(replay) });
  }

  @Post()
  @ForRoles('operator')
  @Redirect()
  async replay(
    @ThisVisit() { staff }: Visit,
    @Body() form: URLSearchParams,
  ): Promise<{ readonly url: string; readonly statusCode: number }> {
    const replay = readReplay(Object.fromEntries(form));
    // A form that lost its member must not mean all.
    if (replay.notification === undefined && replay.tpp === undefined && form.get('all') !== 'yes')
      throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: replayPath(replay), persons });
    const request = {
      actionId,
      staff,
      act: 'replay-notifications',
      target: targetOf(replay),
      reason,
    } as const;
    await this.actions.perform(request, async () => this.sendAgain(actionId, replay));
    const hasJob = (await this.jobs.find(actionId)) !== undefined;
    return { url: hasJob ? `/jobs/${actionId}` : `/actions/${actionId}`, statusCode: 303 };
  }

  private async sendAgain(jobId: string, replay: Replay): Promise<string> {
    const { notification } = replay;
    return notification === undefined ? this.beginJob(jobId, replay) : this.replayOne(notification);
  }

  private async replayOne(notification: string): Promise<string> {
    const { replayed } = await this.callClient.call(replayNotifications, { ids: [notification] });
    if (replayed.length === 0) throw new ActionRefused(nothingLeft);
    return '1 notification will be sent again.';
  }

  private async beginJob(jobId: string, replay: Replay): Promise<string> {
    const { ids } = await this.callClient.call(listDeadLetters, { tppId: replay.tpp });
    if (ids.length === 0) throw new ActionRefused(nothingLeft);
    await this.jobs.begin({ jobId, act: 'replay-notifications', target: targetOf(replay) }, ids);
    return `A job sends ${ids.length === 1 ? '1 notification' : `${ids.length} notifications`} again.`;
  }
}
