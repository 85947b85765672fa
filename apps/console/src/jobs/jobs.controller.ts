import { BadRequestException, Body, Get, NotFoundException, Param, Post, Redirect } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import type { Staff } from '../staff/staff.js';
import { jobChanges } from './job-changes.js';
import { jobBody, shownItems } from './job-page.js';
import { Jobs } from './jobs.js';

interface Destination {
  readonly url: string;
  readonly statusCode: number;
}

/** The page of a job, on which it is paused and continued. */
@StaffPages('jobs')
export class JobsController {
  constructor(
    private readonly jobs: Jobs,
    private readonly actions: Actions,
    private readonly frames: Frames,
  ) {}

  @Get(':id')
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Param('id') id: string): Promise<Html> {
    const job = isUuid(id) ? await this.jobs.find(id) : undefined;
    if (job === undefined) throw new NotFoundException();
    const csrf = visit.staff.roles.includes('operator') ? visit.csrf : undefined;
    const body = jobBody(job, await this.jobs.items(id, shownItems), csrf);
    // A page with a form does not refresh itself, because somebody may be writing a reason.
    const refreshSeconds = csrf === undefined ? 5 : undefined;
    return this.frames.show(visit, { title: 'Job', body, refreshSeconds });
  }

  @Post('pause')
  @ForRoles('operator')
  @Redirect()
  async pause(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.change('pause-job', staff, form);
  }

  @Post('continue')
  @ForRoles('operator')
  @Redirect()
  async continue(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.change('continue-job', staff, form);
  }

  private async change(
    act: keyof typeof jobChanges,
    staff: Staff,
    form: URLSearchParams,
  ): Promise<Destination> {
    const jobId = form.get('job');
    if (!isUuid(jobId)) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: `/jobs/${jobId}`, persons });
    const { from, to, done, refused } = jobChanges[act];
    await this.actions.perform({ actionId, staff, act, target: jobId, reason }, async () => {
      if (!(await this.jobs.change(jobId, from, to))) throw new ActionRefused(refused);
      return done;
    });
    return { url: `/jobs/${jobId}`, statusCode: 303 };
  }
}
