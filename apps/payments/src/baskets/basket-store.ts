import type { FactoryProvider } from '@nestjs/common';
import { basketEventTypes, basketStateFields } from '@xs2a/domain/basket/basket-event-types';
import type { BasketEvent } from '@xs2a/domain/basket/basket-events';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { basketStateVersion, evolveBasket } from '@xs2a/domain/basket/evolve-basket';
import type { Failure } from '@xs2a/domain/failure/failures';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import type { Logger } from '@xs2a/observability/logger';
import { storeOptions, type StoreSettings } from '@xs2a/resources/store-options';
import { Clock } from '@xs2a/runtime/clock';
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
  settings: StoreSettings,
): BasketStore =>
  new EventStore({
    ...storeOptions({ pool, clock, logger }, settings, basketStateFields),
    evolve: evolveBasket,
    stateVersion: basketStateVersion,
    view: basketView,
    beginnings: ['basket-opened'],
    eventTypes: basketEventTypes,
  });

/** Provides the {@link BasketStore} of a service. */
export const basketStoreProvider: FactoryProvider<BasketStore> = {
  provide: BASKET_STORE,
  useFactory: createBasketStore,
  inject: [POOL, Clock, LOGGER, CONFIG],
};
