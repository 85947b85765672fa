import type { FactoryProvider } from '@nestjs/common';
import { basketEventTypes, basketStateFields } from '@xs2a/domain/basket/basket-event-types';
import type { BasketEvent } from '@xs2a/domain/basket/basket-events';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { basketStateVersion, evolveBasket } from '@xs2a/domain/basket/evolve-basket';
import { callRefusals } from '@xs2a/domain/failure/failed';
import type { Failure } from '@xs2a/domain/failure/failures';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { idempotencyPurpose } from '@xs2a/event-store/streams/idempotency-records';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, relayConfig } from '@xs2a/runtime/config';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { basketView } from './basket-view.js';

/**
 * The streams of baskets. Their events are in the same tables as payment events, but baskets have their own status
 * view.
 */
export type BasketStore = EventStore<BasketEvent, BasketState, Failure>;

/** Injection token of the {@link BasketStore}. */
export const BASKET_STORE = Symbol('BASKET_STORE');

export const createBasketStore = (
  pool: Pool,
  clock: Clock,
  logger: Logger,
  settings: Pick<ConfigOf<typeof relayConfig>, 'MASTER_KEYS'> &
    Partial<Pick<ConfigOf<typeof relayConfig>, 'APPEND_BATCHING'>>,
): BasketStore =>
  new EventStore({
    pool,
    evolve: evolveBasket,
    stateVersion: basketStateVersion,
    view: basketView,
    beginnings: ['basket-opened'],
    clock,
    logger,
    eventTypes: basketEventTypes,
    appendBatching: settings.APPEND_BATCHING,
    personalData: { masterKeys: settings.MASTER_KEYS, ofState: basketStateFields },
    refusals: callRefusals,
    hashKeys: settings.MASTER_KEYS.hashKeys(idempotencyPurpose),
  });

/** Provides the {@link BasketStore} of a service. */
export const basketStoreProvider: FactoryProvider<BasketStore> = {
  provide: BASKET_STORE,
  useFactory: createBasketStore,
  inject: [POOL, Clock, LOGGER, CONFIG],
};
