import { BadRequestException, Get, NotFoundException, Param, Query } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { firstBrokenOf, listActions, type ListedAction, verifyActions } from '../actions/action-reader.js';
import { Actions } from '../actions/actions.js';
import { isActionId } from '../actions/acts.js';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { auditors, type Role } from '../staff/roles.js';
import type { Staff } from '../staff/staff.js';
import { readActionFilter } from './actions-filter.js';
import { actionBody, actionsBody, actionsOnPage } from './actions-page.js';

/** The pages of what the staff did. */
@StaffPages('actions')
export class ActionsController {
  constructor(
    private readonly actions: Actions,
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
    const body = actionsBody({ filter, found, brokenAt, chain, nowMs: this.clock.realMs });
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
    const body = actionBody(action, this.clock.realMs);
    const command = commandLine('xs2a actions list', { by: action.name, act: action.act });
    return this.frames.show(visit, { title: 'Action', body, command });
  }
}

const maySee = ({ roles, subject }: Staff, { via, staff }: ListedAction): boolean =>
  auditors.some((role: Role) => roles.includes(role)) || (via === 'console' && staff === subject);
