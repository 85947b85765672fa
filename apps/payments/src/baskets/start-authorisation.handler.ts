import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AuthorisationStarted } from '@xs2a/contracts/payments.contract';
import { startBasketAuthorisation } from '@xs2a/domain/basket/authorise-basket';
import { replayAnswer } from '@xs2a/event-store/streams/event-store';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { BasketReads } from './basket-reads.js';
import { BasketStore } from './basket-store.js';

/** POST …/authorisations of a basket (contract 10): another signer is to sign it. */
export class StartBasketAuthorisation extends CommandOf(contract.startBasketAuthorisation) {}

/**
 * Starts an authorisation. Precedence (contract 3): headers, then an idempotency key that was already answered,
 * then the basket.
 */
@CommandHandler(StartBasketAuthorisation)
export class StartBasketAuthorisationHandler implements ICommandHandler<StartBasketAuthorisation> {
  constructor(
    private readonly reads: BasketReads,
    private readonly store: BasketStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: StartBasketAuthorisation): Promise<AuthorisationStarted> {
    const { tppId, basketId, psuId, psuCorporateId, redirectUris, notification } = request;
    if (psuCorporateId !== undefined) await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    const started: AuthorisationStarted = { authorisationId: newId() };
    const idempotencyRecord = toIdempotencyRecord(request, started);
    const earlier = idempotencyRecord && (await this.store.findEarlierAnswer(idempotencyRecord));
    if (earlier !== undefined) return replayAnswer<AuthorisationStarted>(earlier);
    await this.reads.ofTpp(request);
    const outcome = await this.store.changeOnce(
      basketId,
      (state) =>
        startBasketAuthorisation(state, {
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
}
