import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as contract from '@xs2a/contracts/baskets.contract';
import type { BasketCreated } from '@xs2a/contracts/baskets.contract';
import type { BasketEvent } from '@xs2a/domain/basket/basket-events';
import { abandonBasket, createBasket, openBasket } from '@xs2a/domain/basket/decide-basket';
import { validateItems } from '@xs2a/domain/basket/validate-items';
import { validateBasket } from '@xs2a/domain/basket/validate-basket';
import type { Failure } from '@xs2a/domain/failure/failures';
import { replayAnswer } from '@xs2a/event-store/streams/event-store';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { BasketItems } from './basket-items.js';
import { BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

const actor = 'baskets';
/** Max times that a request opens a basket, when those of earlier requests with its key were all abandoned meanwhile. */
const maxTries = 3;

/** POST /signing-baskets (contract 10). */
export class CreateBasket extends Command<BasketCreated> {
  constructor(readonly request: contract.CreateBasket) {
    super();
  }
}

/**
 * Opens the basket together with its idempotency key, takes every item, and creates it; or gives back what it has taken. A
 * request with the same key goes on where the first one is, or is answered as the first one was.
 */
@CommandHandler(CreateBasket)
export class CreateBasketHandler implements ICommandHandler<CreateBasket> {
  constructor(
    private readonly store: BasketStore,
    private readonly items: BasketItems,
    private readonly updates: UpdateItems,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: CreateBasket): Promise<BasketCreated> {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const { basket, isNew } = await this.open(request);
      const refusal = await this.takeItems(basket.basketId);
      if (refusal === undefined) return basket;
      // A refused request may be corrected and sent again under its key (contract 2).
      const record = toIdempotencyRecord(request, basket);
      if (record !== undefined) await this.store.forgetIdempotencyKey(record);
      if (isNew) throw new CallFailed([refusal]);
    }
    throw dependencyDown();
  }

  /** Contract 3, precedence: what was answered before is answered again, whatever would be said of the body now. */
  private async open(
    request: contract.CreateBasket,
  ): Promise<{ readonly basket: BasketCreated; readonly isNew: boolean }> {
    let opened: { readonly events: BasketEvent[]; readonly answer: BasketCreated };
    try {
      opened = await this.decide(request);
    } catch (error) {
      const found = await this.earlierAnswer(request);
      if (found === undefined) throw error;
      return { basket: replayAnswer<BasketCreated>(found), isNew: false };
    }
    const { events, answer } = opened;
    const outcome = await this.store.append({
      streamId: answer.basketId,
      events,
      actor: request.tppId,
      idempotencyRecord: toIdempotencyRecord(request, answer),
    });
    failpoint('payments.basket-opened');
    if (outcome === 'appended') return { basket: answer, isNew: true };
    return { basket: replayAnswer<BasketCreated>(outcome), isNew: false };
  }

  private async earlierAnswer(request: contract.CreateBasket) {
    const record = toIdempotencyRecord(request, undefined);
    return record && this.store.findEarlierAnswer(record);
  }

  private async decide(request: contract.CreateBasket) {
    const { tppId, body, psuId, psuCorporateId, redirectUris, notification } = request;
    if (psuCorporateId !== undefined) await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    const form = validateBasket(body);
    if ('failures' in form) throw new CallFailed(form.failures);
    const ids = form.valid;
    const items = validateItems(ids, await this.items.facts(tppId, ids), { psuId, psuCorporateId });
    if ('failures' in items) throw new CallFailed(items.failures);
    const { namedPsuId, signaturesRequired, expiresAt } = items.valid;
    const answer: BasketCreated = {
      basketId: newId(),
      // When several persons sign, each has an authorisation of its own, which the TPP starts (contract 10).
      ...(signaturesRequired > 1 ? {} : { authorisationId: newId() }),
    };
    const data = {
      ...answer,
      ...ids,
      tppId,
      signaturesRequired,
      expiresAt,
      redirectUris,
      ...(namedPsuId === undefined ? {} : { psuId: namedPsuId }),
      ...(notification === undefined ? {} : { notification }),
    };
    return { events: openBasket(data, this.clock.now()), answer };
  }

  /** Answers why the basket cannot be created; then its items are free. Throws CallFailed: the sweep or a retry goes on. */
  private async takeItems(basketId: string): Promise<Failure | undefined> {
    const opened = (await this.store.load(basketId))?.state;
    if (opened === undefined) throw callFailed('resourceUnknown');
    if (opened.stage !== 'opening') return opened.refusal;
    const refused = await this.items.take(opened);
    failpoint('payments.basket-items-taken');
    const { state } = await this.decided(basketId, refused);
    if (state.stage === 'abandoned') {
      // The sweep may have released the items before the last of them was taken here.
      await this.items.release(state);
      await this.updates.orLater(state);
    }
    return state.refusal;
  }

  private async decided(basketId: string, refused: Failure | undefined) {
    const state = await this.store.change(
      basketId,
      (current) => {
        if (refused !== undefined) return abandonBasket(current, refused);
        return current.stage === 'abandoned' ? { events: [] } : createBasket(current);
      },
      { actor },
    );
    return { state };
  }
}
