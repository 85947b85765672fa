import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type FoundPayments, searchPayments } from '@xs2a/contracts/console/payment-search.contract';
import { PaymentFinder } from './payment-finder.js';

/** The console looks for payments in encrypted data, and has recorded who searches and why. */
export class SearchPayments extends QueryOf(searchPayments) {}

@QueryHandler(SearchPayments)
export class SearchPaymentsHandler implements IQueryHandler<SearchPayments> {
  constructor(private readonly finder: PaymentFinder) {}

  async execute({ request }: SearchPayments): Promise<FoundPayments> {
    return this.finder.find(request);
  }
}
