import { callRefusals } from '@xs2a/domain/failure/failed';
import type { Failure } from '@xs2a/domain/failure/failures';
import { idempotencyPurpose } from '@xs2a/event-store/streams/idempotency-records';
import type { DomainEvent, EventStoreOptions } from '@xs2a/event-store/streams/prepare-append';
import type { Fields } from '@xs2a/events/personal-members';
import type { ConfigOf, relayConfig } from '@xs2a/runtime/config';

type RelaySettings = ConfigOf<typeof relayConfig>;
/** The settings of a service that its event stores use. */
export type StoreSettings = Pick<RelaySettings, 'MASTER_KEYS'> &
  Partial<Pick<RelaySettings, 'APPEND_BATCHING'>>;

type Options = EventStoreOptions<DomainEvent, unknown, Failure>;
type Given = Pick<Options, 'pool' | 'clock' | 'logger'>;

/** The options that the stores of payments, baskets and consents have in common. */
export const storeOptions = (
  given: Given,
  { MASTER_KEYS: masterKeys, APPEND_BATCHING: appendBatching }: StoreSettings,
  stateFields: Fields,
): Given & Pick<Options, 'appendBatching' | 'personalData' | 'hashKeys' | 'refusals'> => ({
  ...given,
  appendBatching,
  personalData: { masterKeys, ofState: stateFields },
  hashKeys: masterKeys.hashKeys(idempotencyPurpose),
  refusals: callRefusals,
});
