import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { findPayments, type FoundPayments } from '@xs2a/contracts/console/payment-search.contract';
import { mustBePlain } from './check-search.js';
import { PaymentFinder } from './payment-finder.js';

/** The bank's operator looks for payments of a day (docs/how-to/operate.md). */
export class FindPayments extends QueryOf(findPayments) {}

@QueryHandler(FindPayments)
export class FindPaymentsHandler implements IQueryHandler<FindPayments> {
  constructor(private readonly finder: PaymentFinder) {}

  async execute({ request }: FindPayments): Promise<FoundPayments> {
    mustBePlain(request);
    return this.finder.find(request);
  }
}
