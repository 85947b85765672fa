import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { BasketCreated } from '@xs2a/contracts/baskets.contract';
import type { BasketEvent } from '@xs2a/domain/basket/basket-events';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { abandonBasket, createBasket, openBasket } from '@xs2a/domain/basket/decide-basket';
import { validateItems } from '@xs2a/domain/basket/validate-items';
import { validateBasket } from '@xs2a/domain/basket/validate-basket';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { replayAnswer } from '@xs2a/calls/replay-answer';
import { type EarlierRequest, toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { setTimeout as wait } from 'node:timers/promises';
import { BeforeBody } from '../create/before-body.js';
import { BasketItems } from './basket-items.js';
import { BASKET_STORE, type BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

const actor = 'baskets';
/**
 * The maximum number of baskets that a request opens if the baskets of earlier requests with its key were all
 * abandoned.
 */
const maxTries = 3;
/**
 * Milliseconds that a request waits for the basket of an earlier request with the same key; the caller waits 1.8 s
 * in total.
 */
const patienceMs = 1200;
const everyMs = 25;

/** The first event of a new basket, and the answer to its POST request. */
interface Opened {
  readonly events: BasketEvent[];
  readonly answer: BasketCreated;
}

/** POST /signing-baskets (contract 10). */
export class CreateBasket extends CommandOf(contract.createBasket) {}

/**
 * Opens the basket together with its idempotency key, claims every item, and creates the basket. If that fails,
 * releases the claimed items. No other request continues the basket, so nothing can create it once this request
 * was refused. A request with the same key waits until the first one has ended; it then receives the same answer
 * or opens its own basket.
 */
@CommandHandler(CreateBasket)
export class CreateBasketHandler implements ICommandHandler<CreateBasket> {
  constructor(
    private readonly beforeBody: BeforeBody,
    @Inject(BASKET_STORE) private readonly store: BasketStore,
    private readonly items: BasketItems,
    private readonly updates: UpdateItems,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: CreateBasket): Promise<BasketCreated> {
    const now = this.clock.now();
    const patience = performance.now() + patienceMs;
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const { basket, isNew } = await this.open(request, now);
      const { refusal } = isNew
        ? await this.takeItems(basket.basketId)
        : await this.ended(basket.basketId, patience);
      if (refusal === undefined) return basket;
      // The key stays with the abandoned basket, so a repeat waits until its items are released.
      if (isNew && refusal.failure === 'dependencyDown') throw dependencyDown();
      if (isNew) {
        await this.endEarlierRequests(request, basket);
        throw new CallFailed([refusal]);
      }
      const record = toIdempotencyRecord(request, basket);
      if (record !== undefined) await this.store.idempotencyKeys.forget(record);
    }
    throw underWay();
  }

  /** Precedence (contract 3): an earlier answer is returned again, even if the rules would now reject the body. */
  private async open(
    request: contract.CreateBasket,
    now: string,
  ): Promise<{ readonly basket: BasketCreated; readonly isNew: boolean }> {
    const replay = await this.beforeBody.check<BasketCreated>(request);
    if (replay !== undefined) return { basket: replay, isNew: false };
    let opened: Opened;
    try {
      opened = await this.decide(request, now);
    } catch (error) {
      const meanwhile = error instanceof CallFailed ? await this.findMeanwhile(request, error) : undefined;
      if (meanwhile === undefined) throw error;
      return { basket: replayAnswer<BasketCreated>(meanwhile), isNew: false };
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

  /**
   * Returns the outcome of another request with the key that was executed after the key was looked up. If there is
   * none and this request is refused for now, ends all earlier requests with the key.
   */
  private async findMeanwhile(
    request: contract.CreateBasket,
    refusal: CallFailed,
  ): Promise<EarlierRequest | undefined> {
    const { idempotencyKeys } = this.store;
    const found = await idempotencyKeys.findEarlier(request);
    if (found !== undefined || !isRefusedForNow(refusal)) return found;
    if (await this.endEarlierRequests(request, null)) return undefined;
    return (await idempotencyKeys.findEarlier(request)) ?? 'under-way';
  }

  /**
   * Ends earlier requests with the same key. The client is about to learn that it has no basket and may then
   * correct and resend the request (contract 2), so a delayed earlier request must not create one. Returns false
   * if such a request already owns the key.
   */
  private async endEarlierRequests(
    request: contract.CreateBasket,
    answer: BasketCreated | null,
  ): Promise<boolean> {
    const record = toIdempotencyRecord(request, answer);
    return record === undefined || this.store.idempotencyKeys.refuse(record);
  }

  private async decide(request: contract.CreateBasket, now: string): Promise<Opened> {
    const { tppId, body, psuId, psuCorporateId, redirectUris, notification } = request;
    const form = validateBasket(body);
    if ('failures' in form) throw new CallFailed(form.failures);
    const ids = form.valid;
    const items = validateItems(ids, await this.items.facts(tppId, ids), { psuId, psuCorporateId });
    if ('failures' in items) throw new CallFailed(items.failures);
    const { namedPsuId, signaturesRequired, expiresAt } = items.valid;
    const answer: BasketCreated = {
      basketId: newId(),
      // With several signers, each has a separate authorisation, which the TPP starts (contract 10).
      authorisationId: signaturesRequired > 1 ? undefined : newId(),
    };
    const data = {
      ...answer,
      ...ids,
      tppId,
      signaturesRequired,
      expiresAt,
      redirectUris,
      psuId: namedPsuId,
      notification,
    };
    return { events: openBasket(data, now), answer };
  }

  /**
   * Claims the items of the basket that this request has opened, and then creates the basket or releases the
   * items. If it throws CallFailed, the sweep abandons the basket.
   */
  private async takeItems(basketId: string): Promise<BasketState> {
    const { taken, refused } = await this.items.take(await this.load(basketId));
    failpoint('payments.basket-items-taken');
    const basket = await this.store.change(
      basketId,
      (current) =>
        refused === undefined
          ? createBasket(current, { now: this.clock.now() })
          : abandonBasket(current, refused),
      { actor },
    );
    if (basket.stage !== 'abandoned') return basket;
    // Items that were never claimed are left alone: other baskets compete for them, and only this request
    // could have claimed them for this basket.
    const toFree = { ...basket, ...taken };
    if (basket.updatesItemsSince !== undefined) await this.updates.orLater(toFree);
    // The sweep released the items before this request had claimed the last one.
    else await this.items.update(toFree);
    return basket;
  }

  /**
   * Returns the basket of an earlier request with the same key, once that request has created it, or has abandoned
   * it and released its items. On timeout, abandons the basket itself.
   */
  private async ended(basketId: string, patience: number): Promise<BasketState> {
    for (;;) {
      const basket = await this.load(basketId);
      if (basket.stage !== 'opening') return this.freed(basket);
      if (hasPassed(basket.abandonAt, this.clock.now())) {
        const abandoned = await this.store.change(
          basketId,
          (current) => abandonBasket(current, { failure: 'dependencyDown' }),
          { actor },
        );
        return this.freed(abandoned);
      }
      if (performance.now() > patience) throw underWay();
      await wait(everyMs);
    }
  }

  /**
   * Releases the items of an abandoned basket, because they would otherwise cause a refusal. Throws
   * firstAttemptUnderWay if that takes too long.
   */
  private async freed(basket: BasketState): Promise<BasketState> {
    if (basket.stage !== 'abandoned' || basket.updatesItemsSince === undefined) return basket;
    await this.updates.orLater(basket);
    const { updatesItemsSince } = await this.load(basket.basketId);
    if (updatesItemsSince !== undefined) throw underWay();
    return basket;
  }

  private async load(basketId: string): Promise<BasketState> {
    const loaded = await this.store.load(basketId);
    if (loaded === undefined) throw callFailed('resourceUnknown');
    return loaded.state;
  }
}

/**
 * True if the same request may succeed later, because the basket that has claimed the item may end. All other
 * refusals are permanent.
 */
const isRefusedForNow = ({ failures }: CallFailed): boolean =>
  failures.some(({ failure }) => failure === 'resourceBlocked');

const underWay = (): CallFailed => new CallFailed([{ failure: 'firstAttemptUnderWay', retryAfter: 1 }]);
