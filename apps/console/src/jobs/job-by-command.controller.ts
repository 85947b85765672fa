import { Controller } from '@nestjs/common';
import { mustBeId } from '@xs2a/calls/checks';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import { changeJob } from '@xs2a/contracts/console/job.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { jobChanges } from './job-changes.js';
import { Jobs } from './jobs.js';

/** Pauses and continues jobs for an operator who asks with the `xs2a` command. */
@Controller()
export class JobByCommandController {
  constructor(private readonly jobs: Jobs) {}

  @Handles(changeJob)
  async change({ jobId, change }: RequestOf<typeof changeJob>): Promise<{ readonly isChanged: boolean }> {
    mustBeId(jobId, 'jobId');
    if (change !== 'pause' && change !== 'continue')
      throw callFailed('fieldMalformed', 'change', 'Send pause or continue.');
    if ((await this.jobs.find(jobId)) === undefined) throw callFailed('resourceUnknown');
    const { from, to } = jobChanges[`${change}-job`];
    return { isChanged: await this.jobs.change(jobId, from, to) };
  }
}
