import { Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import type { CallSetting } from '@xs2a/refusals/corrected-request';
import { standardOn } from '@xs2a/refusals/standard-on';
import { PROFILE } from '@xs2a/runtime/tokens';
import { Clock } from '@xs2a/runtime/clock';
import { isUuid } from '@xs2a/domain/text/uuid';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { TppNames } from '../tpps/tpp-names.js';
import { readFilter } from './call-filter.js';
import { CallList } from './call-list.js';
import { callBody, callsBody } from './calls-page.js';

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The pages of the calls of the API. */
@StaffPages('calls')
export class CallsPagesController {
  constructor(
    private readonly calls: CallList,
    private readonly clock: Clock,
    private readonly frames: Frames,
    private readonly names: TppNames,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async list(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const filter = readFilter(query);
    const [groups, calls] = await Promise.all([
      this.calls.groups(filter, this.clock.realMs),
      this.calls.find(filter, this.clock.realMs),
    ]);
    const body = callsBody(filter, groups, calls, this.names.short);
    const { tpp, operation, code, status } = filter;
    const command = commandLine('xs2a calls list', { tpp, operation, code, status });
    return this.frames.show(visit, { title: 'Calls', body, command });
  }

  @Get(':requestId')
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Param('requestId') requestId: string): Promise<Html> {
    const calls = isUuid(requestId) ? await this.calls.withRequestId(requestId) : [];
    if (calls.length === 0) throw new NotFoundException();
    const command = `xs2a calls show ${requestId}`;
    const body = callBody(calls, ({ at }) => this.settingOf(at), this.names.of);
    return this.frames.show(visit, { title: 'Call', body, command });
  }

  /** The row has real time, and a bank switches to the euro on a day of its clock. */
  private settingOf(at: Date): CallSetting {
    const standard = standardOn(this.profile, toDay(at.getTime() + this.clock.offsetMs));
    return { today: toDay(this.clock.nowMs()), standard, currencies: this.profile.currencies };
  }
}
