import { Module } from '@nestjs/common';
import { FundsConfirmationController } from './funds-confirmation.controller.js';

@Module({ controllers: [FundsConfirmationController] })
export class FundsConfirmationModule {}
