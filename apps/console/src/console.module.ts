import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { POOL } from '@xs2a/runtime/tokens';
import { dataSourceOptions } from './data-source.js';

/** The operators' console. Its pages do not exist yet. */
@Module({
  imports: [TypeOrmModule.forRootAsync({ inject: [POOL], useFactory: dataSourceOptions })],
})
export class ConsoleModule {}
