import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { checkBeforeBody } from '@xs2a/contracts/payments.contract';
import { BeforeBody } from './before-body.js';

/** POST of a payment or a signing basket with a body that the gateway could not read (contract 3). */
export class CheckBeforeBody extends QueryOf(checkBeforeBody) {}

@QueryHandler(CheckBeforeBody)
export class CheckBeforeBodyHandler implements IQueryHandler<CheckBeforeBody> {
  constructor(private readonly beforeBody: BeforeBody) {}

  async execute({ request }: CheckBeforeBody): Promise<Record<string, never>> {
    await this.beforeBody.check(request);
    return {};
  }
}
