import { Module } from '@nestjs/common';
import { CallDays } from './call-days.js';
import { Calls } from './calls.js';
import { CallsController } from './calls.controller.js';

/** The calls of the API: one row each, for as long as `CALL_DAYS` says (docs/adr/0077). */
@Module({ controllers: [CallsController], providers: [CallDays, Calls] })
export class CallsModule {}
