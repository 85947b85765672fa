import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/payments.contract';
import { ReadDuePayments } from './read-due-payments.handler.js';
import { ReadSettlementStates } from './read-settlement-states.handler.js';
import { RecordSettlement } from './record-settlement.handler.js';

/** Answers the settlement worker: which transactions are due, how far given ones have come; and records what the worker did. */
@Controller()
export class SettlementController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(contract.readDuePayments)
  async readDue(
    page: RequestOf<typeof contract.readDuePayments>,
  ): Promise<AnswerOf<typeof contract.readDuePayments>> {
    return this.queries.execute(new ReadDuePayments(page));
  }

  @Handles(contract.readSettlementStates)
  async readStates({
    payments,
  }: RequestOf<typeof contract.readSettlementStates>): Promise<
    AnswerOf<typeof contract.readSettlementStates>
  > {
    return this.queries.execute(new ReadSettlementStates(payments));
  }

  @Handles(contract.recordSettlement)
  async record({
    records,
  }: RequestOf<typeof contract.recordSettlement>): Promise<AnswerOf<typeof contract.recordSettlement>> {
    return this.commands.execute(new RecordSettlement(records));
  }
}
