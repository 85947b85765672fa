import { Controller } from '@nestjs/common';
import { drainSettlement, wakeSettlement } from '@xs2a/contracts/settlement.contract';
import { Handles } from '@xs2a/calls/handles';
import { ActiveWorker } from './active-worker.js';

const limitMs = 4500;

/** Lets the sandbox start due work at once, and wait until work made due by a clock move is done. */
@Controller()
export class SettlementController {
  constructor(private readonly worker: ActiveWorker) {}

  @Handles(wakeSettlement)
  wake(): Record<string, never> {
    this.worker.wake();
    return {};
  }

  @Handles(drainSettlement)
  async drain(): Promise<Record<string, never>> {
    await this.worker.drain(limitMs);
    return {};
  }
}
