import {
  BadRequestException,
  Body,
  Get,
  NotFoundException,
  Param,
  Post,
  Query,
  Redirect,
} from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { readActionForm } from '../actions/action-form.js';
import {
  firstBrokenOf,
  listActions,
  type ListedAction,
  listWaiting,
  verifyActions,
} from '../actions/action-reader.js';
import { Actions } from '../actions/actions.js';
import { acts, isAct, isActionId } from '../actions/acts.js';
import { approvalMs, TwoPeople } from '../actions/two-people.js';
import { FormRefused } from '../pages/form-refused.js';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { auditors, type Role } from '../staff/roles.js';
import type { Staff } from '../staff/staff.js';
import { readActionFilter } from './actions-filter.js';
import { actionBody, actionsBody, actionsOnPage } from './actions-page.js';
import { decisionForm, isWaiting, type WaitingAction } from './waiting-actions.js';

/** The pages of what the staff did. */
@StaffPages('actions')
export class ActionsController {
  constructor(
    private readonly actions: Actions,
    private readonly twoPeople: TwoPeople,
    private readonly clock: Clock,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...auditors)
  async list(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const { verify } = query;
    if (verify !== undefined && verify !== 'all') throw new BadRequestException();
    const filter = readActionFilter(query);
    const { ask } = this.actions;
    const found = await listActions(ask, filter, actionsOnPage + 1);
    const ids = found.slice(0, actionsOnPage).map(({ actionId }) => actionId);
    const brokenAt = await firstBrokenOf(ask, ids);
    const chain = verify === undefined ? undefined : await verifyActions(ask);
    const nowMs = this.clock.realMs;
    const waiting = await listWaiting(ask, new Date(nowMs - approvalMs), actionsOnPage);
    const body = actionsBody({
      filter,
      waiting: waiting.map((action) => this.describe(action)),
      found,
      brokenAt,
      chain,
      nowMs,
    });
    const { by, act } = filter;
    const command =
      chain === undefined ? commandLine('xs2a actions list', { by, act }) : 'xs2a actions verify';
    return this.frames.show(visit, { title: 'Actions', body, command });
  }

  /** The page to which a form leads. Support, which does not see Actions, sees only those that the person requested. */
  @Get(':actionId')
  @ForRoles(...auditors, 'support')
  async show(@ThisVisit() visit: Visit, @Param('actionId') actionId: string): Promise<Html> {
    const action = isActionId(actionId) ? await this.actions.find(actionId) : undefined;
    if (action === undefined || !maySee(visit.staff, action)) throw new NotFoundException();
    const nowMs = this.clock.realMs;
    const body = html`${actionBody(action, nowMs)} ${this.decisionOf(action, visit, nowMs)}`;
    const command = commandLine('xs2a actions list', { by: action.name, act: action.act });
    return this.frames.show(visit, { title: 'Action', body, command });
  }

  /** The decision of a second person. The person who requested the action cannot decide on it. */
  @Post('decide')
  @ForRoles('approver')
  @Redirect()
  async decide(
    @ThisVisit() { staff }: Visit,
    @Body() form: URLSearchParams,
  ): Promise<{ readonly url: string; readonly statusCode: number }> {
    const decision = form.get('decision');
    if (decision !== 'approved' && decision !== 'refused') throw new BadRequestException();
    const { action } = Object.fromEntries(form);
    if (!isActionId(action)) throw new BadRequestException();
    const to = `/actions/${action}`;
    const { actionId, reason } = readActionForm(form, { to, persons: { psuIds: [], ibans: [] } });
    const decided = await this.actions.decide({ actionId, staff, decision, reason });
    if ('refused' in decided) throw refusal(decided.refused, to);
    return { url: to, statusCode: 303 };
  }

  private describe(action: ListedAction): WaitingAction {
    const { act } = action;
    if (!isAct(act)) return { ...action, does: act };
    return { ...action, does: this.twoPeople.find(act)?.does ?? acts[act].does };
  }

  private decisionOf(action: ListedAction, { staff, csrf }: Visit, nowMs: number): Html | undefined {
    if (!staff.roles.includes('approver') || !isWaiting(action, nowMs)) return undefined;
    if (action.staff === staff.subject)
      return html`<p class="card" role="status">Another person must approve what you requested.</p>`;
    return decisionForm(this.describe(action), csrf);
  }
}

const maySee = ({ roles, subject }: Staff, { via, staff }: ListedAction): boolean =>
  auditors.some((role: Role) => roles.includes(role)) || (via === 'console' && staff === subject);

const refusal = (why: keyof typeof refusals | 'unknown', to: string): Error =>
  why === 'unknown' ? new NotFoundException() : new FormRefused(refusals[why], to);
const refusals = {
  own: 'You requested this action. Another person must approve or refuse it.',
  decided: 'Somebody has already approved or refused this action.',
  expired: 'This request is older than 24 hours. Request the action again.',
} as const;
