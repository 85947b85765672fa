import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../decision.js';
import { makeProfile } from '../testing/profiles.js';
import type { ConsentEvent, ConsentEventType } from './consent-events.js';
import type { ConsentState, ConsentStatus } from './consent-state.js';
import {
  awaitsAuthorisation,
  consentStatuses,
  isFinalConsent,
  nextConsentStatus,
} from './consent-transitions.js';
import {
  authoriseConsent,
  createConsent,
  endConsentByBank,
  expireConsent,
  expireConsentNow,
  firstUse,
  rejectConsent,
  replaceConsent,
  revokeConsent,
  terminateConsent,
} from './decide-consent.js';
import { consentFrom, evolveConsent } from './evolve-consent.js';

const profile = makeProfile('sandbox');
const now = '2026-11-20T10:00:00.000Z';
const tooLate = '2026-11-21T10:00:00.000Z';
const authorisationId = 'auth-1';
const mine = { iban: 'BG25XSBK92001000000001', resourceId: 'acc-1', currency: 'BGN' };
const other = { iban: 'BG95XSBK92001000000002', resourceId: 'acc-2', currency: 'BGN' };
const single = (account: typeof mine) => ({ ...account, signaturesRequired: 1 });
const named = ({ iban }: typeof mine) => ({ iban });
const empty = { accounts: [], balances: [], transactions: [] };

type Input = Parameters<typeof createConsent>[0];
const created = (change: Partial<Input> = {}): ConsentEvent[] =>
  createConsent(
    {
      consentId: 'con-1',
      tppId: 'tpp-1',
      access: { accounts: [named(mine)], transactions: [named(mine), named(other)] },
      psuPicksAccounts: false,
      recurringIndicator: true,
      validUntil: '2026-12-31',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
      signaturesRequired: 1,
      authorisationId,
      redirectUris: {},
      now,
      ...change,
    },
    profile,
  );
const accounts = [
  { ...mine, access: ['accounts', 'transactions'] },
  { ...other, access: ['transactions'] },
] as const;
const authorised: ConsentEvent = { type: 'authorised', data: { authorisationId, psuId: 'ivan', accounts } };
const rejected: ConsentEvent = {
  type: 'rejected',
  data: { authorisationId, reason: 'psu-refused', psuId: 'ivan' },
};
const terminated: ConsentEvent = { type: 'terminated-by-tpp', data: { tppId: 'tpp-1' } };
const revoked: ConsentEvent = { type: 'revoked-by-psu', data: { psuId: 'ivan' } };
const expired: ConsentEvent = { type: 'expired', data: { reason: 'replaced' } };
const used: ConsentEvent = { type: 'first-used', data: { expiresAt: '2026-11-20T10:20:00.000Z' } };

const given = (...events: readonly ConsentEvent[]): ConsentState => {
  const all = events[0]?.type === 'created' ? events : [...created(), ...events];
  const state = consentFrom(
    all.map((event) => ({ event, at: now })),
    'Europe/Sofia',
  );
  if (state === undefined) throw new Error('no events given');
  return state;
};
const oneOff = (...events: readonly ConsentEvent[]): ConsentState =>
  given(...created({ recurringIndicator: false, frequencyPerDay: 1 }), ...events);
const outcome = (decision: Decision<ConsentEvent>): unknown =>
  'refused' in decision ? decision.refused.failure : decision.events;
const rejection = (reason: string, psuId?: string): unknown => [
  { type: 'rejected', data: { authorisationId, reason, psuId } },
];
const authorise = (state: ConsentState, change: Partial<Parameters<typeof authoriseConsent>[1]> = {}) =>
  outcome(
    authoriseConsent(state, {
      authorisationId,
      psuId: 'ivan',
      psuAccounts: [mine, other].map(single),
      now,
      ...change,
    }),
  );

describe('lifecycle of a consent (contract 5)', () => {
  const events: readonly ConsentEventType[] = [
    'created',
    'authorisation-started',
    'partly-authorised',
    'authorised',
    'rejected',
    'terminated-by-tpp',
    'revoked-by-psu',
    'expired',
    'first-used',
  ];
  const allowed = new Map<string, ConsentStatus>([
    ['received authorisation-started', 'received'],
    ['received partly-authorised', 'partiallyAuthorised'],
    ['partiallyAuthorised authorisation-started', 'partiallyAuthorised'],
    ['partiallyAuthorised partly-authorised', 'partiallyAuthorised'],
    ['received authorised', 'valid'],
    ['received rejected', 'rejected'],
    ['partiallyAuthorised authorised', 'valid'],
    ['partiallyAuthorised rejected', 'rejected'],
    ['valid first-used', 'valid'],
    ['valid terminated-by-tpp', 'terminatedByTpp'],
    ['valid revoked-by-psu', 'revokedByPsu'],
    ['valid expired', 'expired'],
  ]);

  it.each(
    consentStatuses.flatMap((status) =>
      events.map((event): [ConsentStatus, ConsentEventType] => [status, event]),
    ),
  )('%s × %s', (status, event) => {
    expect(nextConsentStatus(status, event)).toBe(allowed.get(`${status} ${event}`));
  });

  it('starts with a created event and can end in four ways', () => {
    expect(events.filter((event) => nextConsentStatus(undefined, event) !== undefined)).toEqual(['created']);
    expect(consentStatuses.filter(isFinalConsent).sort()).toEqual([
      'expired',
      'rejected',
      'revokedByPsu',
      'terminatedByTpp',
    ]);
    expect(consentStatuses.filter(awaitsAuthorisation)).toEqual(['received', 'partiallyAuthorised']);
  });

  it('rejects event streams that violate the lifecycle', () => {
    expect(() => given(terminated)).toThrow('received');
    expect(() => evolveConsent(undefined, authorised, now)).toThrow('not created');
    expect(consentFrom([])).toBeUndefined();
  });
});

describe('a new consent (contract 5)', () => {
  it('starts as received and can be authorised for 24 hours', () => {
    expect(given(...created({ psuId: 'ivan' }))).toMatchObject({
      status: 'received',
      expiresAt: tooLate,
      namedPsuId: 'ivan',
      authorisations: [{ authorisationId, scaStatus: 'received' }],
      accounts: [],
      lastActionDate: '2026-11-20',
    });
  });

  it('expires at the end of its last day in the time zone of the bank', () => {
    const state = given(...created({ validUntil: '2026-11-20' }));
    const midnight = '2026-11-20T22:00:00.000Z';
    expect(state.expiresAt).toBe(midnight);
    expect(authorise(state, { now: midnight })).toEqual(rejection('not-authorised-in-time', 'ivan'));
    const ended = expireConsent(state, { now: midnight, timeZone: profile.timeZone });
    expect(outcome(ended)).toEqual(rejection('not-authorised-in-time'));
    const justBefore = expireConsent(state, { now: '2026-11-20T21:59:59.999Z', timeZone: profile.timeZone });
    expect(outcome(justBefore)).toEqual([]);
  });

  it('records the date of its last status change, in the time zone of the bank', () => {
    const late = evolveConsent(given(), authorised, '2026-11-20T22:30:00.000Z', 'Europe/Sofia');
    expect(late.lastActionDate).toBe('2026-11-21');
    const onceUsed = evolveConsent(late, used, '2026-11-25T10:00:00.000Z', 'Europe/Sofia');
    expect(onceUsed).toMatchObject({
      lastActionDate: '2026-11-21',
      oneOffEndsAt: '2026-11-20T10:20:00.000Z',
    });
  });
});

describe('authorisation (contract 5)', () => {
  it('grants the requested access, account by account', () => {
    expect(authorise(given())).toEqual([authorised]);
    expect(given(authorised)).toMatchObject({
      status: 'valid',
      authorisations: [{ scaStatus: 'finalised', psuId: 'ivan' }],
      accounts,
    });
  });

  it('rejects the consent if an IBAN does not belong to the PSU', () => {
    expect(authorise(given(), { psuAccounts: [single(mine)] })).toEqual(
      rejection('not-the-account-owner', 'ivan'),
    );
  });

  it('accepts a reference with the currency of the account and rejects one with any other currency', () => {
    const naming = (currency: string) => {
      const access = { accounts: [named(mine)], balances: [{ ...named(mine), currency }] };
      return authorise(given(...created({ access })));
    };
    expect(naming('BGN')).toMatchObject([{ type: 'authorised' }]);
    expect(naming('USD')).toEqual(rejection('not-the-account-owner', 'ivan'));
  });

  it('rejects a PSU other than the named one', () => {
    expect(authorise(given(...created({ psuId: 'maria' })))).toEqual(rejection('not-the-named-psu', 'ivan'));
  });

  it('grants access only to the accounts of the named corporate', () => {
    const state = given(...created({ psuCorporateId: 'acme', corporateId: 'acme' }));
    const owned = [mine, other].map((account) => ({ ...single(account), corporateId: 'acme' }));
    expect(authorise(state, { psuAccounts: owned })).toEqual([authorised]);
    expect(authorise(state)).toEqual(rejection('not-the-named-psu', 'ivan'));
    expect(authorise(state, { psuAccounts: [single(mine), ...owned.slice(1)] })).toEqual(
      rejection('not-the-account-owner', 'ivan'),
    );
  });

  it('rejects the consent after 24 hours', () => {
    expect(authorise(given(), { now: tooLate })).toEqual(rejection('not-authorised-in-time', 'ivan'));
  });

  it('grants all three access types for the accounts that the PSU picks', () => {
    const state = given(...created({ access: empty, psuPicksAccounts: true }));
    const all = ['accounts', 'balances', 'transactions'];
    expect(authorise(state, { chosenIbans: [other.iban, other.iban] })).toEqual([
      { type: 'authorised', data: { authorisationId, psuId: 'ivan', accounts: [{ ...other, access: all }] } },
    ]);
    expect(authorise(state)).toBe('fieldMalformed');
    expect(authorise(state, { chosenIbans: [] })).toBe('fieldMalformed');
    expect(authorise(state, { chosenIbans: [mine.iban, 'BG46XSBK92001000000011'] })).toBe('fieldMalformed');
  });

  it('leaves a valid consent unchanged if repeated by the same PSU (spec 5.4)', () => {
    expect(authorise(given(authorised), { now: tooLate })).toEqual([]);
    expect(authorise(given(authorised), { psuId: 'maria' })).toBe('statusForbidsAuthorisation');
  });

  it('is refused for a final consent or an unknown authorisation', () => {
    expect(authorise(given(rejected))).toBe('statusForbidsAuthorisation');
    expect(authorise(given(authorised, revoked))).toBe('statusForbidsAuthorisation');
    expect(authorise(given(), { authorisationId: 'x' })).toBe('resourceUnknown');
  });
});

describe('an existing consent (contract 5)', () => {
  const reject = (state: ConsentState) =>
    outcome(rejectConsent(state, { authorisationId, psuId: 'ivan', reason: 'psu-refused' }));
  const terminate = (state: ConsentState, tppId = 'tpp-1') => outcome(terminateConsent(state, { tppId }));
  const revoke = (state: ConsentState, psuId = 'ivan') => outcome(revokeConsent(state, { psuId }));
  const expire = (state: ConsentState, at: string) =>
    outcome(expireConsent(state, { now: at, timeZone: 'Europe/Sofia' }));

  it('is rejected if the PSU refuses before authorising it', () => {
    expect(reject(given())).toEqual([rejected]);
    expect(given(rejected)).toMatchObject({
      status: 'rejected',
      authorisations: [{ scaStatus: 'failed', psuId: 'ivan' }],
    });
    expect(reject(given(authorised))).toBe('statusForbidsAuthorisation');
    expect(reject(given(rejected))).toBe('statusForbidsAuthorisation');
    expect(outcome(rejectConsent(given(), { authorisationId: 'x', reason: 'sca-failed' }))).toBe(
      'resourceUnknown',
    );
  });

  it('is rejected by DELETE before authorisation, terminated by DELETE afterwards, and unchanged once final', () => {
    expect(terminate(given())).toEqual(rejection('terminated-by-tpp'));
    expect(terminate(given(authorised))).toEqual([terminated]);
    for (const end of [terminated, revoked, expired]) expect(terminate(given(authorised, end))).toEqual([]);
    expect(terminate(given(rejected))).toEqual([]);
    expect(terminate(given(authorised), 'tpp-2')).toBe('consentUnknown');
  });

  it('is ended by the bank: rejected before authorisation, expired afterwards, unchanged once final', () => {
    const end = (state: ConsentState) => outcome(endConsentByBank(state));
    expect(end(given())).toEqual(rejection('ended-by-bank'));
    expect(end(given(authorised))).toEqual([{ type: 'expired', data: { reason: 'ended-by-bank' } }]);
    for (const final of [terminated, revoked, expired]) expect(end(given(authorised, final))).toEqual([]);
    expect(end(given(rejected))).toEqual([]);
    expect(end(given({ type: 'grouped', data: { basketId: 'basket-1' } }))).toBe('resourceBlocked');
  });

  it('can be withdrawn only by its PSU', () => {
    expect(revoke(given(authorised))).toEqual([revoked]);
    expect(revoke(given(authorised, revoked))).toEqual([]);
    expect(revoke(given(authorised), 'maria')).toBe('resourceUnknown');
    expect(revoke(given())).toBe('resourceUnknown');
  });

  it('is rejected if not authorised within 24 hours', () => {
    expect(expire(given(), '2026-11-21T09:59:59.999Z')).toEqual([]);
    expect(expire(given(), tooLate)).toEqual(rejection('not-authorised-in-time'));
  });

  it('expires after its last day has ended in the time zone of the bank', () => {
    expect(expire(given(authorised), '2026-12-31T21:59:59.999Z')).toEqual([]);
    expect(expire(given(authorised), '2026-12-31T22:00:00.000Z')).toEqual([
      { type: 'expired', data: { reason: 'valid-until-passed' } },
    ]);
    expect(expire(given(authorised, revoked), '2027-12-31T22:00:00.000Z')).toEqual([]);
  });

  it('ends at once if a TPP in the sandbox asks for it, as its time would have ended it (contract 13)', () => {
    const expireNow = (state: ConsentState) => outcome(expireConsentNow(state, { timeZone: 'Europe/Sofia' }));
    expect(expireNow(given())).toEqual(rejection('not-authorised-in-time'));
    expect(expireNow(given(authorised))).toEqual([
      { type: 'expired', data: { reason: 'valid-until-passed' } },
    ]);
    expect(expireNow(oneOff(authorised, used))).toEqual([
      { type: 'expired', data: { reason: 'one-off-used' } },
    ]);
    for (const end of [terminated, revoked, expired])
      expect(expireNow(given(authorised, end))).toBe('statusForbidsExpiry');
    expect(expireNow(given(rejected))).toBe('statusForbidsExpiry');
  });

  it('expires 20 minutes after its first use if it is a one-off consent', () => {
    const first = outcome(firstUse(oneOff(authorised), { now }, profile));
    expect(first).toEqual([used]);
    expect(expire(oneOff(authorised, used), '2026-11-20T10:19:59.999Z')).toEqual([]);
    expect(expire(oneOff(authorised, used), '2026-11-20T10:20:00.000Z')).toEqual([
      { type: 'expired', data: { reason: 'one-off-used' } },
    ]);
    expect(outcome(firstUse(oneOff(authorised, used), { now: tooLate }, profile))).toEqual([]);
    expect(outcome(firstUse(given(authorised), { now }, profile))).toEqual([]);
    expect(outcome(firstUse(oneOff(), { now }, profile))).toEqual([]);
  });

  it('is replaced by a newer recurring consent only if it is itself recurring and valid', () => {
    expect(outcome(replaceConsent(given(authorised)))).toEqual([expired]);
    expect(outcome(replaceConsent(oneOff(authorised)))).toEqual([]);
    expect(outcome(replaceConsent(given()))).toEqual([]);
    expect(outcome(replaceConsent(given(authorised, terminated)))).toEqual([]);
  });
});
