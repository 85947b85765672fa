import { Controller } from '@nestjs/common';
import { type CallBatch, recordCalls } from '@xs2a/contracts/call-records.contract';
import { Handles } from '@xs2a/calls/handles';
import { CallRecords } from './call-records.js';

/** Takes the gateways' reports of the calls that they answered. */
@Controller()
export class CallRecordsController {
  constructor(private readonly records: CallRecords) {}

  @Handles(recordCalls)
  async record(batch: CallBatch): Promise<Record<string, never>> {
    await this.records.add(batch);
    return {};
  }
}
