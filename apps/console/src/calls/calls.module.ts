import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallContentEntity } from './call-content.entity.js';
import { CallContents } from './call-contents.js';
import { CallDays } from './call-days.js';
import { CallEntity } from './call.entity.js';
import { Calls } from './calls.js';
import { CallsController } from './calls.controller.js';
import { OwnRequests } from './own-requests.js';
import { SandboxController } from './sandbox.controller.js';

/** The calls of the API: one row each, for as long as `CALL_DAYS` says (docs/adr/0077). */
@Module({
  imports: [TypeOrmModule.forFeature([CallEntity, CallContentEntity])],
  providers: [CallDays, Calls, CallContents, OwnRequests],
  controllers: [CallsController, SandboxController],
  exports: [CallDays],
})
export class CallsModule {}
