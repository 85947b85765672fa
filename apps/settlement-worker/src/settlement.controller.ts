import { Controller } from '@nestjs/common';
import { drainSettlement } from '@xs2a/contracts/settlement.contract';
import { Handles } from '@xs2a/calls/handles';
import { ActiveWorker } from './active-worker.js';

const limitMs = 4500;

/** Lets the sandbox wait until work made due by a clock move is done. */
@Controller()
export class SettlementController {
  constructor(private readonly worker: ActiveWorker) {}

  @Handles(drainSettlement)
  async drain(): Promise<Record<string, never>> {
    await this.worker.drain(limitMs);
    return {};
  }
}
