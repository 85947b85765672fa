import { Module } from '@nestjs/common';
import { DueWork } from './due-work.js';
import { SettlementSaga } from './settlement-saga.js';
import { SettlementController } from './settlement.controller.js';
import { SignedPayments } from './signed-payments.consumer.js';

/** Executes payments when they are due: events in, commands out. */
@Module({
  controllers: [SettlementController],
  providers: [SettlementSaga, DueWork, SignedPayments],
})
export class SettlementModule {}
