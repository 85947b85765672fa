import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import { type CallBatch, recordCalls } from '@xs2a/contracts/call-records.contract';
import { RecordCalls } from './record-calls.handler.js';

/** Takes the gateways' reports of the calls that they answered. */
@Controller()
export class CallRecordsController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(recordCalls)
  async record(batch: CallBatch): Promise<Record<string, never>> {
    return this.commands.execute(new RecordCalls(batch));
  }
}
