import { Controller, Get, NotFoundException, Post, Query, UseGuards } from '@nestjs/common';
import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { failures } from '../inbox/inbox-entries.js';
import { OwnInbox } from '../inbox/own-inbox.js';
import { maxAnswers, type Plan } from '../inbox/planned-answers.js';
import { readList } from '../own-things/read-list.js';
import { SeeOther } from '../pages/see-other.js';
import { refusalNote } from '../workspace/answers.js';
import { TppApi } from '../workspace/tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from '../workspace/visit.js';
import { note } from '../workspace/workspace-page.js';
import { type Push, pushPage } from './push-page.js';

const pushPath = '/workspace/push';
/** What the buttons do, with the note that is shown afterwards. */
const actions: ReadonlyMap<string, string> = new Map([
  ['replay', 'The notification is sent again.'],
  ['dead-letter', 'The notification is a dead letter. The next one of the same resource is sent.'],
]);

const wrongNumber = note('problem', `The number of answers must be from 1 to ${maxAnswers}.`);

/** The notifications of the TPP: send one again, or give one up. */
@Controller('workspace/push')
@UseGuards(VisitGuard, TppGuard)
export class PushController {
  constructor(
    private readonly api: TppApi,
    private readonly inbox: OwnInbox,
  ) {}

  @Get()
  async list(@Visiting() visit: TppVisit, @Query('cursor') cursor: unknown): Promise<Html> {
    return this.page(visit, {}, typeof cursor === 'string' ? cursor : undefined);
  }

  @Post()
  async act(@Visiting() visit: TppVisit): Promise<Html> {
    const [action, id] = [visit.form.get('action') ?? '', visit.form.get('notificationId')];
    const done = actions.get(action);
    if (done === undefined || !isUuid(id)) throw new NotFoundException();
    const path = `/sandbox/notifications/${id}/${action}`;
    const refusal = refusalNote(await this.api.send(visit.tpp, { method: 'POST', path }));
    return this.page(visit, refusal === undefined ? { done } : { refusal });
  }

  @Post('inbox')
  async createInbox(@Visiting() visit: TppVisit): Promise<Html | SeeOther> {
    const refusal = await this.inbox.create(visit.tpp);
    return refusal === undefined ? new SeeOther(pushPath) : this.page(visit, { refusal });
  }

  /** Lets the next answers of the inbox fail. */
  @Post('inbox/failures')
  async planFailures(@Visiting() visit: TppVisit): Promise<Html | SeeOther> {
    const { form } = visit;
    const failure = failures.find((one) => one === form.get('failure'));
    if (failure === undefined) throw new NotFoundException();
    const answers = /^\d{1,2}$/.test(form.get('answers') ?? '') ? Number(form.get('answers')) : 0;
    if (answers < 1 || answers > maxAnswers) return this.page(visit, { refusal: wrongNumber });
    return this.plan(visit, { failure, answers });
  }

  @Post('inbox/failures/end')
  async endFailures(@Visiting() visit: TppVisit): Promise<SeeOther> {
    return this.plan(visit, undefined);
  }

  private async plan({ tpp }: TppVisit, plan: Plan | undefined): Promise<SeeOther> {
    if (!(await this.inbox.plan(tpp, plan))) throw new NotFoundException();
    return new SeeOther(pushPath);
  }

  private async page(
    { session, tpp }: TppVisit,
    result: Pick<Push, 'done' | 'refusal'>,
    cursor?: string,
  ): Promise<Html> {
    const [{ items, next }, inbox] = await Promise.all([
      readList<OwnNotification>(this.api, tpp, 'notifications', cursor),
      this.inbox.read(tpp),
    ]);
    return pushPage({ session, notifications: items, next, inbox, ...result });
  }
}
