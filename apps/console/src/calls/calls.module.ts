import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallDays } from './call-days.js';
import { CallEntity } from './call.entity.js';
import { Calls } from './calls.js';
import { CallsController } from './calls.controller.js';
import { OwnRequests } from './own-requests.js';
import { SandboxController } from './sandbox.controller.js';

/** The calls of the API: one row each, for as long as `CALL_DAYS` says (docs/adr/0077). */
@Module({
  imports: [TypeOrmModule.forFeature([CallEntity])],
  providers: [CallDays, Calls, OwnRequests],
  controllers: [CallsController, SandboxController],
})
export class CallsModule {}
