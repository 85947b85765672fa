import { consentView } from '@xs2a/consents/read-models';
import { Ledger } from '@xs2a/core-banking/sandbox/ledger/ledger';
import { consentEventTypes, personalOfConsent } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { consentStateVersion, evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import { paymentEventTypes, personalOfPayment } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { initiatingEventTypes } from '@xs2a/domain/payment/payment-transitions';
import type { Profile } from '@xs2a/domain/profile/profile';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { idempotencyPurpose } from '@xs2a/event-store/streams/idempotency-records';
import { createLogger } from '@xs2a/observability/logger';
import { paymentView } from '@xs2a/payments/read-models';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { masterKeysOf } from '@xs2a/sandbox/master-keys';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import type { Pool } from 'pg';

/** The four letters of the bank of deploy/sandbox/sandbox-fixtures.json in its IBANs. */
export const bankCode = 'XSBK';
const maxMs = 600_000;

/** A clock that shows the time that it was set to. */
export class StandingClock extends Clock {
  /** Epoch milliseconds. */
  at = 0;

  constructor() {
    super(false);
  }

  override nowMs(): number {
    return this.at;
  }
}

/** The services' own access to the tables of a sandbox. */
export interface EventStores {
  readonly payments: EventStore<PaymentEvent, PaymentState>;
  readonly consents: EventStore<ConsentEvent, ConsentState>;
  readonly ledger: Ledger;
  /** The pools of the two event stores. */
  readonly logs: readonly Pool[];
  end(): Promise<void>;
}

export const openStores = (sandbox: Sandbox, profile: Profile, clock: Clock): EventStores => {
  const [ofPayments, ofConsents, ofAccounts] = (['payments', 'consents', 'accounts'] as const).map(
    (service) =>
      createPool({
        url: sandbox.databaseUrl(`xs2a_${service}`),
        name: 'bench',
        max: 3,
        transactionMs: maxMs,
        answerWithinMs: maxMs,
      }),
  ) as [Pool, Pool, Pool];
  const { timeZone } = profile;
  const logger = createLogger('bench', 'warn');
  return {
    payments: new EventStore<PaymentEvent, PaymentState>({
      pool: ofPayments,
      resource: 'payments',
      evolve: evolvePayment,
      stateVersion: paymentStateVersion,
      view: paymentView,
      beginnings: initiatingEventTypes,
      clock,
      logger,
      eventTypes: paymentEventTypes,
      personalData: { masterKeys: masterKeysOf(sandbox.dataDir, 'payments'), ofState: personalOfPayment },
      hashKeys: masterKeysOf(sandbox.dataDir, 'payments').hashKeys(idempotencyPurpose),
    }),
    consents: new EventStore<ConsentEvent, ConsentState>({
      pool: ofConsents,
      resource: 'consents',
      evolve: (state, event, at) => evolveConsent(state, event, at, timeZone),
      stateVersion: consentStateVersion,
      view: consentView(timeZone),
      clock,
      logger,
      eventTypes: consentEventTypes,
      personalData: { masterKeys: masterKeysOf(sandbox.dataDir, 'consents'), ofState: personalOfConsent },
      hashKeys: masterKeysOf(sandbox.dataDir, 'consents').hashKeys(idempotencyPurpose),
    }),
    ledger: new Ledger({ pool: ofAccounts, clock, profile, bankCode }),
    logs: [ofPayments, ofConsents],
    end: async () => {
      for (const pool of [ofPayments, ofConsents, ofAccounts]) await pool.end();
    },
  };
};
