import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { readPaymentAuthorisations } from '@xs2a/contracts/payments.contract';
import { PaymentReads } from './payment-reads.js';

type Answer = AnswerOf<typeof readPaymentAuthorisations>;

/** GET …/authorisations of a payment: the list, and a single authorisation (contract 8 and 10). */
export class ReadPaymentAuthorisations extends QueryOf(readPaymentAuthorisations) {}

/** Lists the payment's authorisations in the order in which they were started. */
@QueryHandler(ReadPaymentAuthorisations)
export class ReadPaymentAuthorisationsHandler implements IQueryHandler<ReadPaymentAuthorisations> {
  constructor(private readonly reads: PaymentReads) {}

  async execute({ request: ref }: ReadPaymentAuthorisations): Promise<Answer> {
    const { authorisations } = await this.reads.ofTpp(ref);
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }
}
