import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { recordCalls } from '@xs2a/contracts/call-records.contract';
import { CallRecords } from './call-records.js';

/** A gateway reports the calls it has answered. */
export class RecordCalls extends CommandOf(recordCalls) {}

/** Adds the calls to the statistics; a resent batch changes nothing. */
@CommandHandler(RecordCalls)
export class RecordCallsHandler implements ICommandHandler<RecordCalls> {
  constructor(private readonly records: CallRecords) {}

  async execute({ request: batch }: RecordCalls): Promise<Record<string, never>> {
    await this.records.add(batch);
    return {};
  }
}
