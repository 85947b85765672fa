import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { POOL } from '@xs2a/runtime/tokens';
import { CallsModule } from './calls/calls.module.js';
import { dataSourceOptions } from './data-source.js';
import { Instance } from './instances/instance.entity.js';
import { InstanceClocks } from './instances/instance-clocks.js';
import { InstanceRecorder } from './instances/instance-recorder.js';

/** The operators' console. Its pages do not exist yet. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({ inject: [POOL], useFactory: dataSourceOptions }),
    TypeOrmModule.forFeature([Instance]),
    CallsModule,
  ],
  providers: [InstanceClocks, InstanceRecorder],
})
export class ConsoleModule {}
