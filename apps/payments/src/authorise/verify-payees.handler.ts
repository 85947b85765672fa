import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { findAuthorisation } from '@xs2a/authorisations/linked-authorisation';
import { CommandOf } from '@xs2a/calls/handlers';
import { verifyPaymentPayees } from '@xs2a/contracts/payees/payees.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentPayees } from './payment-payees.js';

/** A signer is about to see the review page (contract 15). */
export class VerifyPaymentPayees extends CommandOf(verifyPaymentPayees) {}

@CommandHandler(VerifyPaymentPayees)
export class VerifyPaymentPayeesHandler implements ICommandHandler<VerifyPaymentPayees> {
  constructor(
    private readonly reads: PaymentReads,
    private readonly payees: PaymentPayees,
  ) {}

  async execute({ request }: VerifyPaymentPayees): Promise<Record<string, never>> {
    const payment = await this.reads.authorisation(request);
    const { psuId } = findAuthorisation(payment, request.authorisationId);
    if (psuId === undefined) throw callFailed('statusForbidsAuthorisation');
    await this.payees.verify(payment, request);
    return {};
  }
}
