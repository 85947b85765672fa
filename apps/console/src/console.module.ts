import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { POOL } from '@xs2a/runtime/tokens';
import { ActionsModule } from './actions/actions.module.js';
import { CallsModule } from './calls/calls.module.js';
import { type ConsoleConfig, readPages } from './config.js';
import { dataSourceOptions } from './data-source.js';
import { Instance } from './instances/instance.entity.js';
import { InstanceClocks } from './instances/instance-clocks.js';
import { InstanceRecorder } from './instances/instance-recorder.js';
import { JobsModule } from './jobs/jobs.module.js';
import { PagesModule } from './pages.module.js';
import { RevealModule } from './reveal/reveal.module.js';

/** The operators' console: it keeps processes and calls, and shows them to the bank's staff. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({ inject: [POOL], useFactory: dataSourceOptions }),
    TypeOrmModule.forFeature([Instance]),
    ActionsModule,
    CallsModule,
    RevealModule,
    JobsModule,
  ],
  providers: [InstanceClocks, InstanceRecorder],
})
export class ConsoleModule {
  /** With STAFF_ISSUER the console has pages. */
  static forRoot({ config }: { readonly config: ConsoleConfig }): DynamicModule {
    return { module: ConsoleModule, imports: readPages(config) === undefined ? [] : [PagesModule] };
  }
}
