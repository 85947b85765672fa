import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/payments.contract';
import { CancelPayment } from './cancel-payment.handler.js';
import { ClearPayments } from './clear-payments.handler.js';

/** Answers DELETE of a payment (spec 3.3, contract 8), and DELETE of all payments of a TPP in the sandbox (contract 13). */
@Controller()
export class EndPaymentController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(contract.cancelPayment)
  async cancel(request: RequestOf<typeof contract.cancelPayment>): Promise<Record<string, never>> {
    return this.commands.execute(new CancelPayment(request));
  }

  @Handles(contract.clearPayments)
  async clear({ tppId }: { readonly tppId: string }): Promise<Record<string, never>> {
    return this.commands.execute(new ClearPayments(tppId));
  }
}
