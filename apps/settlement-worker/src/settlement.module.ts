import { Module } from '@nestjs/common';
import { ActiveWorker } from './active-worker.js';
import { LettersController } from './letters.controller.js';
import { OldLetters } from './old-letters.js';
import { SettlementFigures } from './settlement-figures.js';
import { SettlementController } from './settlement.controller.js';

/** Executes payments when they are due: reacts to events by sending commands. */
@Module({
  controllers: [LettersController, SettlementController],
  providers: [ActiveWorker, OldLetters, SettlementFigures],
})
export class SettlementModule {}
