import { Controller } from '@nestjs/common';
import { drainSettlement } from '@xs2a/contracts/settlement.contract';
import { Handles } from '@xs2a/messaging/handles';
import { DueWork } from './due-work.js';
import { SignedPayments } from './signed-payments.consumer.js';

const limitMs = 4500;

/** Lets the sandbox wait until what the moved clock made due has been done. */
@Controller()
export class SettlementController {
  constructor(
    private readonly signedPayments: SignedPayments,
    private readonly dueWork: DueWork,
  ) {}

  @Handles(drainSettlement)
  async drain({ pos }: { readonly pos: number }): Promise<{ readonly done: number }> {
    await this.signedPayments.caughtUp(pos, limitMs);
    return { done: await this.dueWork.drain(limitMs) };
  }
}
