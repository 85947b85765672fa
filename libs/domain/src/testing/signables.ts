import {
  acceptBasket,
  expireBasket,
  rejectBasket,
  signBasket,
  startBasketAuthorisation,
} from '../basket/authorise-basket.js';
import type { BasketEvent } from '../basket/basket-events.js';
import type { BasketState } from '../basket/basket-state.js';
import { createBasket, openBasket } from '../basket/decide-basket.js';
import { evolveBasket } from '../basket/evolve-basket.js';
import type { ConsentEvent } from '../consent/consent-events.js';
import type { ConsentState } from '../consent/consent-state.js';
import {
  authoriseConsent,
  createConsent,
  expireConsent,
  rejectConsent,
  startConsentAuthorisation,
} from '../consent/decide-consent.js';
import { evolveConsent } from '../consent/evolve-consent.js';
import { type Decision, happened } from '../decision.js';
import {
  acceptPayment,
  expirePayment,
  rejectPayment,
  signPayment,
  startPaymentAuthorisation,
} from '../payment/authorise-payment.js';
import { decideInitiation, type Initiation } from '../payment/decide-payment.js';
import { evolvePayment } from '../payment/evolve-payment.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';
import type { Signing } from '../sca/multilevel-authorisation.js';
import type { Authorisation, SigningAct } from '../sca/authorisations.js';
import { makeProfile } from './profiles.js';
import { bgnOrder } from './signed-payment.js';

const profile = makeProfile('sandbox');
const iban = 'BG67XSBK92001000000021';

/** What a test can do with a resource of any kind that is signed. */
export interface SignableDriver<State, Event> {
  readonly name: string;
  readonly begin: (input: {
    readonly signaturesRequired: number;
    readonly psuId?: string;
    readonly now: string;
  }) => State;
  readonly evolve: (state: State, event: Event, now: string) => State;
  readonly start: (
    state: State,
    input: { readonly authorisationId: string; readonly psuId?: string; readonly now: string },
  ) => Decision<Event>;
  readonly identify: (state: State, signing: Signing) => Decision<Event>;
  readonly sign: (state: State, signing: Signing) => Decision<Event>;
  readonly reject: (
    state: State,
    input: { readonly authorisationId: string; readonly psuId?: string; readonly reason: 'psu-refused' },
  ) => Decision<Event>;
  readonly expire: (state: State, input: { readonly now: string }) => Decision<Event>;
  readonly actOf: (event: Event) => SigningAct | undefined;
  readonly authorisationsOf: (state: State) => readonly Authorisation[];
}

const first = (signaturesRequired: number): { readonly authorisationId?: string } =>
  signaturesRequired === 1 ? { authorisationId: 'auth-0' } : {};

const paymentActs: Readonly<Partial<Record<PaymentEvent['type'], SigningAct>>> = {
  'authorisation-started': 'started',
  accepted: 'identified',
  'signer-identified': 'identified',
  'partly-signed': 'partlySigned',
  signed: 'signed',
  rejected: 'rejected',
};

const order = bgnOrder(iban, 1250, 'BG26RZBB91551023456789');
type Specific = Pick<Initiation, 'type'> & { readonly data: object };

const paymentDriver = (name: string, specific: Specific): SignableDriver<PaymentState, PaymentEvent> => ({
  name,
  begin: ({ now, signaturesRequired, psuId }) => {
    const data = {
      paymentId: 'pay-1',
      tppId: 'tpp',
      product: 'domestic-credit-transfer-BGN',
      paymentType: 'DOMESTIC',
      body: {},
      signaturesRequired,
      ...first(signaturesRequired),
      psuId,
      redirectUris: {},
      ...specific.data,
    };
    const [event] = decideInitiation({ type: specific.type, data } as Initiation, now, profile);
    if (event === undefined) throw new Error('not initiated');
    return evolvePayment(undefined, event, now);
  },
  evolve: evolvePayment,
  start: startPaymentAuthorisation,
  identify: (state, signing) =>
    acceptPayment(
      state,
      {
        ...signing,
        debtor: {
          account: {
            iban,
            currency: 'BGN',
            type: 'CACC',
            status: 'enabled',
            internetBanking: true,
            signaturesRequired: 1,
          },
          ownedByPsu: true,
        },
      },
      profile,
    ),
  sign: (state, signing) => signPayment(state, signing, profile),
  reject: rejectPayment,
  expire: expirePayment,
  actOf: ({ type }) => paymentActs[type],
  authorisationsOf: ({ authorisations }) => authorisations,
});

const basketActs: Readonly<Partial<Record<BasketEvent['type'], SigningAct>>> = {
  'basket-authorisation-started': 'started',
  'basket-signer-identified': 'identified',
  'basket-partly-signed': 'partlySigned',
  'basket-signed': 'signed',
  'basket-rejected': 'rejected',
};

const basketDriver: SignableDriver<BasketState, BasketEvent> = {
  name: 'a signing basket',
  begin: ({ now, signaturesRequired, psuId }) => {
    const expiresAt = new Date(Date.parse(now) + profile.authorisationSeconds * 1000).toISOString();
    const data = {
      basketId: 'b',
      tppId: 'tpp',
      paymentIds: ['p', 'q'],
      consentIds: [],
      signaturesRequired,
      ...first(signaturesRequired),
      psuId,
      redirectUris: {},
      expiresAt,
    };
    const opened = openBasket(data, now).reduce<BasketState | undefined>(
      (state, event) => evolveBasket(state, event, now),
      undefined,
    );
    const created = opened && createBasket(opened, { now });
    if (opened === undefined || created === undefined || 'refused' in created) throw new Error('not created');
    return created.events.reduce((state, event) => evolveBasket(state, event, now), opened);
  },
  evolve: evolveBasket,
  start: startBasketAuthorisation,
  identify: acceptBasket,
  sign: (state, signing) => signBasket(state, { ...signing, hasOpenPayees: false }),
  reject: rejectBasket,
  expire: expireBasket,
  actOf: ({ type }) => basketActs[type],
  authorisationsOf: ({ authorisations }) => authorisations,
};

const consentActs: Readonly<Partial<Record<ConsentEvent['type'], SigningAct>>> = {
  'authorisation-started': 'started',
  'partly-authorised': 'partlySigned',
  authorised: 'signed',
  rejected: 'rejected',
};

const consentDriver: SignableDriver<ConsentState, ConsentEvent> = {
  name: 'a consent',
  begin: ({ now, signaturesRequired, psuId }) => {
    const account = { iban };
    const [event] = createConsent(
      {
        consentId: 'con-1',
        tppId: 'tpp',
        access: { accounts: [account], balances: [account], transactions: [account] },
        psuPicksAccounts: false,
        recurringIndicator: true,
        validUntil: '2027-01-31',
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
        corporateId: 'acme',
        signaturesRequired,
        ...first(signaturesRequired),
        psuId,
        redirectUris: {},
        now,
      },
      profile,
    );
    if (event === undefined) throw new Error('not created');
    return evolveConsent(undefined, event, now);
  },
  evolve: (state, event, now) => evolveConsent(state, event, now),
  start: startConsentAuthorisation,
  identify: () => happened(),
  sign: (state, signing) => {
    const account = {
      iban,
      resourceId: 'acc-1',
      currency: 'BGN',
      corporateId: 'acme',
      signaturesRequired: 1,
    };
    return authoriseConsent(state, { ...signing, psuAccounts: [account] });
  },
  reject: rejectConsent,
  expire: (state, { now }) => expireConsent(state, { now, timeZone: 'Europe/Sofia' }),
  actOf: ({ type }) => consentActs[type],
  authorisationsOf: ({ authorisations }) => authorisations,
};

/** Calls `use` with the driver of every kind of resource that is signed; the types of state and event stay inside. */
export const eachSignable = (use: <State, Event>(driver: SignableDriver<State, Event>) => void): void => {
  use(paymentDriver('a single payment', { type: 'initiated', data: { order } }));
  use(
    paymentDriver('a periodic order', {
      type: 'order-initiated',
      data: {
        order,
        schedule: {
          startDate: '2026-12-01',
          frequency: 'Monthly',
          executionRule: 'following',
          dayOfExecution: 1,
        },
      },
    }),
  );
  use(
    paymentDriver('a bulk payment', {
      type: 'bulk-initiated',
      data: { orders: [order, order], batchBookingPreferred: false },
    }),
  );
  use(basketDriver);
  use(consentDriver);
};
