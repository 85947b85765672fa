import { describe, expect, it } from '@jest/globals';
import { createConsent } from '../consent/decide-consent.js';
import {
  authoriseConsent,
  expireConsent,
  rejectConsent,
  startConsentAuthorisation,
  terminateConsent,
} from '../consent/decide-consent.js';
import type { ConsentEvent } from '../consent/consent-events.js';
import type { ConsentState } from '../consent/consent-state.js';
import { consentFrom } from '../consent/evolve-consent.js';
import {
  authoriseGroupedConsent,
  groupConsent,
  groupedConsentFailure,
  rejectGroupedConsent,
  ungroupConsent,
} from '../consent/group-consent.js';
import type { Decision } from '../decision.js';
import { expirePayment } from '../payment/authorise-payment.js';
import { decideInitiation } from '../payment/decide-payment.js';
import { paymentFrom } from '../payment/evolve-payment.js';
import {
  groupPayment,
  rejectGroupedPayment,
  signGroupedPayment,
  ungroupPayment,
} from '../payment/group-payment.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder } from '../testing/signed-payment.js';

const profile = makeProfile('sandbox');
const now = '2026-11-20T09:00:00.000Z';
const later = '2026-11-22T09:00:00.000Z';
const iban = 'BG25XSBK92001000000001';
const outcome = <E extends { readonly type: string }>(decision: Decision<E>): unknown =>
  'refused' in decision ? decision.refused.failure : decision.events.map(({ type }) => type);
const grouped = { type: 'grouped', data: { basketId: 'b' } } as const;
const ungrouped = { type: 'ungrouped', data: { basketId: 'b' } } as const;
const inOther = [
  { type: 'grouped', data: { basketId: 'other' } },
  { type: 'ungrouped', data: { basketId: 'other' } },
] as const;
const inBasket = { basketId: 'b', tppId: 'tpp' };
/** Events of `count` earlier baskets that claimed the payment and then ended. */
const inBaskets = (count: number) =>
  Array.from({ length: count }, (_one, index) => [
    { type: 'grouped', data: { basketId: `b${index}` } } as const,
    { type: 'ungrouped', data: { basketId: `b${index}` } } as const,
  ]).flat();
/** Events of `count` earlier baskets that ended before they claimed the payment. */
const lateBaskets = (count: number) =>
  Array.from(
    { length: count },
    (_one, index) => ({ type: 'ungrouped', data: { basketId: `late${index}` } }) as const,
  );

const paymentAfter = (signaturesRequired: number, ...events: readonly PaymentEvent[]): PaymentState => {
  const initiated = decideInitiation(
    {
      type: 'initiated',
      data: {
        paymentId: 'p',
        tppId: 'tpp',
        product: 'domestic-credit-transfer-BGN',
        paymentType: 'DOMESTIC',
        body: {},
        order: bgnOrder(iban, 100, 'BG80BNBG96611020345678'),
        signaturesRequired,
        authorisationId: signaturesRequired === 1 ? 'own' : undefined,
        redirectUris: {},
      },
    },
    now,
    profile,
  );
  const state = paymentFrom([...initiated, ...events], now);
  if (state === undefined) throw new Error('no payment');
  return state;
};
const signature = (psuId: string) => ({ authorisationId: `of-${psuId}`, psuId, signedAt: now });

describe('a payment as an item (contract 10)', () => {
  const free = paymentAfter(1);
  const taken = paymentAfter(1, grouped);

  it('can be claimed, released and claimed again', () => {
    expect(outcome(groupPayment(free, inBasket))).toEqual(['grouped']);
    expect(outcome(groupPayment(taken, inBasket))).toEqual([]);
    expect(outcome(groupPayment(taken, { ...inBasket, basketId: 'other' }))).toBe('resourceBlocked');
    expect(outcome(groupPayment(free, { ...inBasket, tppId: 'other' }))).toBe('itemUnknown');
    expect(outcome(ungroupPayment(taken, { basketId: 'other' }))).toEqual([]);
    expect(outcome(ungroupPayment(taken, inBasket))).toEqual(['ungrouped']);
    const back = paymentAfter(1, grouped, ungrouped);
    expect(outcome(groupPayment(back, { ...inBasket, basketId: 'other' }))).toEqual(['grouped']);
  });

  it.each([
    ['gave it back', [grouped, ungrouped]],
    ['ended before it had taken it', [ungrouped]],
    ['gave it back, as another did later', [grouped, ungrouped, ...inOther]],
  ])('cannot be claimed by a late request from a basket that %s', (_when, events) => {
    const back = paymentAfter(1, ...events);
    expect(outcome(groupPayment(back, inBasket))).toBe('resourceBlocked');
    expect(outcome(ungroupPayment(back, inBasket))).toEqual([]);
  });

  it('can be claimed at most ten times, including failed attempts; later baskets are not recorded', () => {
    expect(outcome(groupPayment(paymentAfter(1, ...inBaskets(9)), inBasket))).toEqual(['grouped']);
    const tenth = paymentAfter(1, ...inBaskets(9), grouped);
    expect(outcome(groupPayment(tenth, { ...inBasket, basketId: 'other' }))).toBe('resourceBlocked');
    expect(outcome(ungroupPayment(tenth, inBasket))).toEqual(['ungrouped']);
    for (const out of [inBaskets(10), [...inBaskets(4), ...lateBaskets(6)]]) {
      expect(outcome(groupPayment(paymentAfter(1, ...out), inBasket))).toBe('itemGroupedTooOften');
      expect(outcome(ungroupPayment(paymentAfter(1, ...out), inBasket))).toEqual([]);
    }
  });

  it('can be released before it is claimed, unless it is already decided or in another basket', () => {
    expect(outcome(ungroupPayment(free, inBasket))).toEqual(['ungrouped']);
    const rejected = { type: 'rejected', data: { reason: 'psu-refused' } } as const;
    expect(outcome(ungroupPayment(paymentAfter(1, rejected), inBasket))).toEqual([]);
  });

  it('does not expire while a basket holds it', () => {
    expect(outcome(expirePayment(taken, { now: later }))).toEqual([]);
    expect(outcome(rejectGroupedPayment(taken, { ...inBasket, reason: 'not-authorised-in-time' }))).toEqual([
      'rejected',
    ]);
    expect(outcome(rejectGroupedPayment(free, { ...inBasket, reason: 'psu-refused' }))).toEqual([]);
  });

  it('receives the signatures that it needs, as if signed individually; a repeat changes nothing', () => {
    const signatures = [signature('georgi'), signature('elena')];
    const decision = signGroupedPayment(taken, { ...inBasket, signatures }, profile);
    expect(outcome(decision)).toEqual(['authorisation-started', 'accepted', 'signed']);
    const events = 'refused' in decision ? [] : decision.events;
    const signed = paymentAfter(1, grouped, ...events);
    expect(signed).toMatchObject({ status: 'ACCP', signed: { signedAt: now } });
    expect(signed.authorisations.map(({ scaStatus }) => scaStatus)).toEqual(['exempted', 'finalised']);
    expect(outcome(signGroupedPayment(signed, { ...inBasket, signatures }, profile))).toEqual([]);
    expect(
      outcome(signGroupedPayment(paymentAfter(2, grouped), { ...inBasket, signatures }, profile)),
    ).toEqual(['authorisation-started', 'partly-signed', 'authorisation-started', 'signed']);
  });
});

const consentAfter = (...events: readonly ConsentEvent[]): ConsentState => {
  const reference = [{ iban }];
  const created = createConsent(
    {
      consentId: 'c',
      tppId: 'tpp',
      access: { accounts: reference, balances: reference, transactions: reference },
      psuPicksAccounts: false,
      recurringIndicator: true,
      validUntil: '2026-12-20',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
      signaturesRequired: 1,
      authorisationId: 'own',
      redirectUris: {},
      now,
    },
    profile,
  );
  const state = consentFrom([...created, ...events].map((event) => ({ event, at: now })));
  if (state === undefined) throw new Error('no consent');
  return state;
};
const account = { iban, resourceId: 'r', currency: 'BGN', signaturesRequired: 1 };
const approval = (psuAccounts = [account]) => ({ authorisationId: 'of-ivan', psuId: 'ivan', psuAccounts });

describe('a consent as an item (contract 10)', () => {
  const taken = consentAfter(grouped);
  const alone = { authorisationId: 'own', psuId: 'ivan', psuAccounts: [account], now };

  it('can be claimed once and released', () => {
    expect(outcome(groupConsent(consentAfter(), inBasket))).toEqual(['grouped']);
    expect(outcome(groupConsent(taken, inBasket))).toEqual([]);
    expect(outcome(groupConsent(taken, { ...inBasket, basketId: 'other' }))).toBe('resourceBlocked');
    expect(outcome(ungroupConsent(taken, inBasket))).toEqual(['ungrouped']);
  });

  it.each([
    ['gave it back', [grouped, ungrouped]],
    ['ended before it had taken it', [ungrouped]],
    ['gave it back, as another did later', [grouped, ungrouped, ...inOther]],
  ])('cannot be claimed by a late request from a basket that %s', (_when, events) => {
    const back = consentAfter(...events);
    expect(outcome(groupConsent(back, inBasket))).toBe('resourceBlocked');
    expect(outcome(ungroupConsent(back, inBasket))).toEqual([]);
    expect(outcome(groupConsent(back, { ...inBasket, basketId: 'third' }))).toEqual(['grouped']);
  });

  it('can be claimed at most ten times; later baskets are not recorded', () => {
    expect(outcome(groupConsent(consentAfter(...inBaskets(9)), inBasket))).toEqual(['grouped']);
    for (const out of [inBaskets(10), [...inBaskets(4), ...lateBaskets(6)]]) {
      expect(outcome(groupConsent(consentAfter(...out), inBasket))).toBe('itemGroupedTooOften');
      expect(outcome(ungroupConsent(consentAfter(...out), inBasket))).toEqual([]);
    }
  });

  it('can be released before it is claimed, unless it is already decided or in another basket', () => {
    expect(outcome(ungroupConsent(consentAfter(), inBasket))).toEqual(['ungrouped']);
    expect(outcome(ungroupConsent(taken, { basketId: 'other' }))).toEqual([]);
    const rejected = { type: 'rejected', data: { reason: 'psu-refused' } } as const;
    expect(outcome(ungroupConsent(consentAfter(rejected), inBasket))).toEqual([]);
  });

  it('cannot be authorised, refused or deleted outside its basket, accepts no new authorisation, and does not expire', () => {
    const start = { authorisationId: 'x', now };
    expect(outcome(authoriseConsent(taken, alone))).toBe('resourceBlocked');
    expect(outcome(rejectConsent(taken, { authorisationId: 'own', reason: 'psu-refused' }))).toBe(
      'resourceBlocked',
    );
    expect(outcome(startConsentAuthorisation(taken, start))).toBe('resourceBlocked');
    expect(outcome(terminateConsent(taken, { tppId: 'tpp' }))).toBe('resourceBlocked');
    expect(outcome(expireConsent(taken, { now: later, timeZone: profile.timeZone }))).toEqual([]);
    expect(outcome(rejectGroupedConsent(taken, { ...inBasket, reason: 'psu-refused' }))).toEqual([
      'rejected',
    ]);
  });

  it('is authorised for its accounts as usual, or rejected if an IBAN no longer belongs to the PSU', () => {
    const authorised = authoriseGroupedConsent(taken, {
      ...inBasket,
      approvals: [approval()],
      signedAt: now,
    });
    expect(outcome(authorised)).toEqual(['authorisation-started', 'authorised']);
    const after = consentAfter(grouped, ...('refused' in authorised ? [] : authorised.events));
    expect(after).toMatchObject({ status: 'valid', accounts: [{ iban, resourceId: 'r' }] });
    expect(
      outcome(authoriseGroupedConsent(after, { ...inBasket, approvals: [approval()], signedAt: now })),
    ).toEqual([]);
    const lost = authoriseGroupedConsent(taken, { ...inBasket, approvals: [approval([])], signedAt: now });
    expect(outcome(lost)).toEqual(['authorisation-started', 'rejected']);
  });

  it('can be checked in advance against the accounts of the PSU', () => {
    expect(groupedConsentFailure(taken, { ...approval(), now })).toBeUndefined();
    expect(groupedConsentFailure(taken, { ...approval([]), now })).toBe('not-the-account-owner');
  });
});
