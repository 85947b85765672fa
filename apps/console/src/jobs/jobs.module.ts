import { Module } from '@nestjs/common';
import { JobByCommandController } from './job-by-command.controller.js';
import { JobRunner } from './job-runner.js';
import { Jobs } from './jobs.js';

/** Actions of the staff on many things at once (docs/how-to/operate-the-console.md). */
@Module({ providers: [Jobs, JobRunner], controllers: [JobByCommandController], exports: [Jobs] })
export class JobsModule {}
