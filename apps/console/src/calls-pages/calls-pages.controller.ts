import { Get, NotFoundException, Param, Query } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { isUuid } from '@xs2a/domain/text/uuid';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { readFilter } from './call-filter.js';
import { CallList } from './call-list.js';
import { callBody, callsBody } from './calls-page.js';

/** The pages of the calls of the API. */
@StaffPages('calls')
export class CallsPagesController {
  constructor(
    private readonly calls: CallList,
    private readonly clock: Clock,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async list(@ThisVisit() visit: Visit, @Query() query: Readonly<Record<string, unknown>>): Promise<Html> {
    const filter = readFilter(query);
    const [groups, calls] = await Promise.all([
      this.calls.groups(filter, this.clock.realMs),
      this.calls.find(filter, this.clock.realMs),
    ]);
    const body = callsBody(filter, groups, calls);
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
    const today = new Date(this.clock.nowMs()).toISOString().slice(0, 10);
    return this.frames.show(visit, { title: 'Call', body: callBody(calls, today), command });
  }
}
