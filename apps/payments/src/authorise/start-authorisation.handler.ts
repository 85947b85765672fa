import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/payments.contract';
import type { AuthorisationStarted, PaymentRef } from '@xs2a/contracts/payments.contract';
import { startPaymentAuthorisation } from '@xs2a/domain/payment/authorise-payment';
import { getFirstOrder } from '@xs2a/domain/payment/payment-state';
import { replayAnswer } from '@xs2a/event-store/streams/event-store';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { DebtorAccounts } from './debtor-accounts.js';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentStore } from '../store/payment-store.js';

/** POST …/authorisations (contract 10): another signer is to sign the payment. */
export class StartPaymentAuthorisation extends CommandOf(contract.startPaymentAuthorisation) {}

/**
 * Starts an authorisation. Precedence (contract 3): headers, then an idempotency key that was already answered,
 * then the payment.
 */
@CommandHandler(StartPaymentAuthorisation)
export class StartPaymentAuthorisationHandler implements ICommandHandler<StartPaymentAuthorisation> {
  constructor(
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: StartPaymentAuthorisation): Promise<AuthorisationStarted> {
    const { tppId, psuId, psuCorporateId, redirectUris, notification } = request;
    if (psuCorporateId !== undefined) await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    const started: AuthorisationStarted = { authorisationId: newId() };
    const idempotencyRecord = toIdempotencyRecord(request, started);
    const earlier = idempotencyRecord && (await this.store.findEarlierAnswer(idempotencyRecord));
    if (earlier !== undefined) return replayAnswer<AuthorisationStarted>(earlier);
    if (psuCorporateId === undefined) await this.reads.status(request);
    else await this.mustOwnDebtorAccount(psuCorporateId, request);
    const outcome = await this.store.changeOnce(
      request.paymentId,
      (state) =>
        startPaymentAuthorisation(state, {
          ...started,
          psuId,
          redirectUris: Object.keys(redirectUris).length === 0 ? undefined : redirectUris,
          notification,
          now: this.clock.now(),
        }),
      { actor: tppId, idempotencyRecord },
    );
    return outcome === 'appended' ? started : replayAnswer<AuthorisationStarted>(outcome);
  }

  /**
   * The corporate must own the debtor account, as when the payment was created. Throws CallFailed (resourceUnknown
   * or debtorAccountUnusable).
   */
  private async mustOwnDebtorAccount(corporateId: string, ref: PaymentRef): Promise<void> {
    const { debtorIban } = getFirstOrder(await this.reads.ofTpp(ref));
    const account = await this.debtorAccounts.facts(debtorIban);
    if (account?.corporateId !== corporateId) throw callFailed('debtorAccountUnusable', 'PSU-Corporate-ID');
  }
}
