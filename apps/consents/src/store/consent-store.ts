import type { FactoryProvider } from '@nestjs/common';
import { consentEventTypes, consentStateFields } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { consentStateVersion, evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Failure } from '@xs2a/domain/failure/failures';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import type { Logger } from '@xs2a/observability/logger';
import { storeOptions, type StoreSettings } from '@xs2a/resources/store-options';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { consentView } from './consent-view.js';

/** The streams of consents. */
export type ConsentStore = EventStore<ConsentEvent, ConsentState, Failure>;

/** Injection token of the {@link ConsentStore}. */
export const CONSENT_STORE = Symbol('CONSENT_STORE');

export const createConsentStore = (
  pool: Pool,
  clock: Clock,
  logger: Logger,
  { timeZone }: Profile,
  settings: StoreSettings,
): ConsentStore =>
  new EventStore({
    ...storeOptions({ pool, clock, logger }, settings, consentStateFields),
    evolve: (state, event, at) => evolveConsent(state, event, at, timeZone),
    stateVersion: consentStateVersion,
    view: consentView(timeZone),
    eventTypes: consentEventTypes,
  });

/** Provides the {@link ConsentStore} of a service. */
export const consentStoreProvider: FactoryProvider<ConsentStore> = {
  provide: CONSENT_STORE,
  useFactory: createConsentStore,
  inject: [POOL, Clock, LOGGER, PROFILE, CONFIG],
};
