import type { FactoryProvider } from '@nestjs/common';
import { paymentEventTypes, paymentStateFields } from '@xs2a/domain/payment/payment-event-types';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { initiatingEventTypes } from '@xs2a/domain/payment/payment-transitions';
import type { Failure } from '@xs2a/domain/failure/failures';
import { knowsItsLosses } from '@xs2a/event-store/recovery/lost-events';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import type { Logger } from '@xs2a/observability/logger';
import { storeOptions, type StoreSettings } from '@xs2a/resources/store-options';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { paymentView } from './payment-view.js';

/** The streams of payments. */
export type PaymentStore = EventStore<PaymentEvent, PaymentState, Failure>;

/** Injection token of the {@link PaymentStore}. */
export const PAYMENT_STORE = Symbol('PAYMENT_STORE');

export const createPaymentStore = (
  pool: Pool,
  clock: Clock,
  logger: Logger,
  settings: StoreSettings,
): PaymentStore =>
  new EventStore({
    ...storeOptions({ pool, clock, logger }, settings, paymentStateFields),
    evolve: evolvePayment,
    stateVersion: paymentStateVersion,
    view: paymentView,
    beginnings: initiatingEventTypes,
    eventTypes: paymentEventTypes,
    guard: knowsItsLosses,
  });

/** Provides the {@link PaymentStore} of a service. */
export const paymentStoreProvider: FactoryProvider<PaymentStore> = {
  provide: PAYMENT_STORE,
  useFactory: createPaymentStore,
  inject: [POOL, Clock, LOGGER, CONFIG],
};
