import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import { recordCallRows } from '@xs2a/contracts/console.contract';
import { Calls } from './calls.js';

/** Takes the calls that the gateways report. */
@Controller()
export class CallsController {
  constructor(private readonly calls: Calls) {}

  @Handles(recordCallRows)
  async record(batch: RequestOf<typeof recordCallRows>): Promise<Record<string, never>> {
    await this.calls.record(batch);
    return {};
  }
}
