import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { findAuthorisation } from '@xs2a/authorisations/linked-authorisation';
import { CommandOf } from '@xs2a/calls/handlers';
import { verifyBasketPayees } from '@xs2a/contracts/payees/payees.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { PaymentPayees } from '../authorise/payment-payees.js';
import { BasketReads } from './basket-reads.js';

/** A signer is about to see the review page of a basket (contract 15). */
export class VerifyBasketPayees extends CommandOf(verifyBasketPayees) {}

/** Verifies the payees of all payments of the basket at the same time. */
@CommandHandler(VerifyBasketPayees)
export class VerifyBasketPayeesHandler implements ICommandHandler<VerifyBasketPayees> {
  constructor(
    private readonly reads: BasketReads,
    private readonly payees: PaymentPayees,
  ) {}

  async execute({ request }: VerifyBasketPayees): Promise<Record<string, never>> {
    const { state } = await this.reads.authorisation(request);
    const { psuId } = findAuthorisation(state, request.authorisationId);
    if (psuId === undefined) throw callFailed('statusForbidsAuthorisation');
    const payments = await this.reads.readPayments(state);
    await Promise.all(payments.map(async (payment) => this.payees.verify(payment, request)));
    return {};
  }
}
