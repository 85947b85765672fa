import type { Failure } from '@xs2a/domain/failure/failures';
import { knowsItsLosses } from '@xs2a/event-store/recovery/lost-events';
import { consentView } from '@xs2a/consents/read-models';
import { Ledger } from '@xs2a/core-banking/sandbox/ledger/ledger';
import { consentEventTypes, consentStateFields } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { consentStateVersion, evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import { paymentEventTypes, paymentStateFields } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { initiatingEventTypes } from '@xs2a/domain/payment/payment-transitions';
import type { Fields } from '@xs2a/events/personal-members';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { storeOptions } from '@xs2a/resources/store-options';
import { createLogger } from '@xs2a/observability/logger';
import { paymentView } from '@xs2a/payments/read-models';
import { readProfile } from '@xs2a/runtime/profile-file';
import { root } from '@xs2a/sandbox/layout';
import type { EventResource } from '@xs2a/contracts/event-streams';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { masterKeysOf } from '@xs2a/sandbox/master-keys';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { join } from 'node:path';
import type { Pool } from 'pg';

/** The four-letter bank code in the IBANs of the bank in deploy/sandbox/sandbox-fixtures.json. */
export const bankCode = 'XSBK';
const maxMs = 600_000;

/** A clock that stands still at the time to which it is set. */
export class StandingClock extends Clock {
  /** The time in epoch milliseconds. */
  at = 0;

  constructor() {
    super(false);
  }

  override nowMs(): number {
    return this.at;
  }
}

/** Opens a sandbox's tables directly, with the same access as the services. */
export const openStores = (sandbox: Sandbox, clock: Clock) => {
  const open = (service: 'payments' | 'consents' | 'accounts'): Pool =>
    createPool({
      url: sandbox.databaseUrl(`xs2a_${service}`),
      name: 'bench',
      max: 3,
      transactionMs: maxMs,
      answerWithinMs: maxMs,
    });
  const pools = [open('payments'), open('consents'), open('accounts')] as const;
  const [ofPayments, ofConsents, ofAccounts] = pools;
  const profile = readProfile(join(root, 'deploy/profiles/sandbox.json'));
  const { timeZone } = profile;
  const optionsOf = (service: EventResource, pool: Pool, fields: Fields) =>
    storeOptions(
      { pool, clock, logger: createLogger('bench', 'warn') },
      { MASTER_KEYS: masterKeysOf(sandbox.dataDir, service) },
      fields,
    );
  return {
    profile,
    payments: new EventStore<PaymentEvent, PaymentState, Failure>({
      ...optionsOf('payments', ofPayments, paymentStateFields),
      guard: knowsItsLosses,
      evolve: evolvePayment,
      stateVersion: paymentStateVersion,
      view: paymentView,
      beginnings: initiatingEventTypes,
      eventTypes: paymentEventTypes,
    }),
    consents: new EventStore<ConsentEvent, ConsentState, Failure>({
      ...optionsOf('consents', ofConsents, consentStateFields),
      evolve: (state, event, at) => evolveConsent(state, event, at, timeZone),
      stateVersion: consentStateVersion,
      view: consentView(timeZone),
      eventTypes: consentEventTypes,
    }),
    ledger: new Ledger({ pool: ofAccounts, clock, profile, bankCode }),
    /** The pools of the two event stores. */
    logs: [ofPayments, ofConsents],
    end: async (): Promise<void> => {
      for (const pool of pools) await pool.end();
    },
  };
};

export type EventStores = ReturnType<typeof openStores>;
