import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../decision.js';
import { makeProfile } from '../testing/profiles.js';
import type { ConsentEvent } from './consent-events.js';
import type { ConsentState } from './consent-state.js';
import {
  authoriseConsent,
  createConsent,
  expireConsent,
  openableAccounts,
  rejectConsent,
  revokeConsent,
  startConsentAuthorisation,
  terminateConsent,
} from './decide-consent.js';
import { consentFrom } from './evolve-consent.js';

const profile = makeProfile('sandbox');
const now = '2026-11-20T10:00:00.000Z';
const tooLate = '2026-11-21T10:00:00.000Z';
const corporate = { currency: 'BGN', corporateId: 'acme', signaturesRequired: 2 };
const one = { iban: 'BG67XSBK92001000000021', resourceId: 'acc-1', ...corporate };
const other = { iban: 'BG22XSBK92001400000022', resourceId: 'acc-2', ...corporate };
const own = { iban: 'BG25XSBK92001000000001', resourceId: 'acc-3', currency: 'BGN', signaturesRequired: 1 };
const named = { iban: one.iban };
const all = ['accounts', 'balances', 'transactions'] as const;
const granted = [{ iban: one.iban, resourceId: one.resourceId, currency: 'BGN', access: all }];

type Input = Parameters<typeof createConsent>[0];
const created = (change: Partial<Input> = {}): ConsentEvent[] =>
  createConsent(
    {
      consentId: 'con-1',
      tppId: 'tpp-1',
      access: { accounts: [named], balances: [named], transactions: [named] },
      psuPicksAccounts: false,
      recurringIndicator: true,
      validUntil: '2026-12-31',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
      corporateId: 'acme',
      signaturesRequired: 2,
      redirectUris: {},
      now,
      ...change,
    },
    profile,
  );
const startedFor = (psuId: string): ConsentEvent => ({
  type: 'authorisation-started',
  data: { authorisationId: `auth-${psuId}`, psuId },
});
const partly: ConsentEvent = {
  type: 'partly-authorised',
  data: { authorisationId: 'auth-georgi', psuId: 'georgi', accounts: granted },
};
const authorised: ConsentEvent = {
  type: 'authorised',
  data: { authorisationId: 'auth-elena', psuId: 'elena', accounts: granted },
};
const both = [startedFor('georgi'), startedFor('elena')];
const picking = created({ access: { accounts: [], balances: [], transactions: [] }, psuPicksAccounts: true });

const given = (...events: readonly ConsentEvent[]): ConsentState => {
  const stream = events[0]?.type === 'created' ? events : [...created(), ...events];
  const state = consentFrom(stream.map((event) => ({ event, at: now })));
  if (state === undefined) throw new Error('no events given');
  return state;
};
const outcome = (decision: Decision<ConsentEvent>): unknown =>
  'refused' in decision ? decision.refused.failure : decision.events;
const authorise = (
  state: ConsentState,
  psuId: string,
  change: Partial<Parameters<typeof authoriseConsent>[1]> = {},
) =>
  outcome(
    authoriseConsent(state, {
      authorisationId: `auth-${psuId}`,
      psuId,
      psuAccounts: [one, other, own],
      now,
      ...change,
    }),
  );
const statuses = ({ authorisations }: ConsentState): Record<string, string> =>
  Object.fromEntries(authorisations.map(({ authorisationId, scaStatus }) => [authorisationId, scaStatus]));
const rejection = (reason: string, psuId: string): unknown => [
  { type: 'rejected', data: { authorisationId: `auth-${psuId}`, reason, psuId } },
];
const forbidden = 'statusForbidsAuthorisation';

describe('a consent that requires two signers (contract 10)', () => {
  it('becomes partiallyAuthorised with the first signature and valid with the last', () => {
    expect(given().authorisations).toEqual([]);
    expect(authorise(given(...both), 'georgi')).toEqual([partly]);
    expect(given(...both, partly)).toMatchObject({ status: 'partiallyAuthorised', accounts: granted });
    expect(authorise(given(...both, partly), 'elena')).toEqual([authorised]);
    const valid = given(...both, startedFor('petar'), partly, authorised);
    expect(valid).toMatchObject({ status: 'valid', accounts: granted });
    expect(statuses(valid)).toEqual({
      'auth-georgi': 'finalised',
      'auth-elena': 'finalised',
      'auth-petar': 'exempted',
    });
  });

  it('accepts one signature per signer: a repeat changes nothing, and signing again with another link is refused', () => {
    expect(authorise(given(...both, partly), 'georgi')).toEqual([]);
    const again: ConsentEvent = { type: 'authorisation-started', data: { authorisationId: 'auth-2' } };
    expect(authorise(given(...both, again, partly), 'georgi', { authorisationId: 'auth-2' })).toBe(forbidden);
  });

  it('is rejected if another person uses the authorisation of a signer', () => {
    expect(authorise(given(...both), 'elena', { authorisationId: 'auth-georgi' })).toMatchObject([
      { type: 'rejected', data: { reason: 'not-the-named-psu' } },
    ]);
  });

  it.each([
    ['before anybody', both],
    ['after the first', [...both, partly]],
  ])('is rejected if a PSU with no authority over the accounts signs, %s', (_when, events) => {
    expect(authorise(given(...events), 'elena', { psuAccounts: [own] })).toEqual(
      rejection('not-the-account-owner', 'elena'),
    );
  });

  it('requires a PSU-ID to start an authorisation; none can be started for a PSU who has signed, once valid, or after expiry', () => {
    const start = (state: ConsentState, psuId?: string, at = now) =>
      outcome(startConsentAuthorisation(state, { authorisationId: `auth-${psuId}`, psuId, now: at }));
    expect(start(given(), 'georgi')).toEqual([startedFor('georgi')]);
    expect(start(given())).toBe('headerMalformed');
    expect(start(given(...both, partly), 'georgi')).toBe(forbidden);
    expect(start(given(...both, partly, authorised), 'petar')).toBe(forbidden);
    expect(start(given(), 'georgi', tooLate)).toBe(forbidden);
  });
});

describe('accounts that the first signer picks (contract 5, 10)', () => {
  const chosenIbans = [one.iban];

  it('can be accepted, but not replaced, by the other signers', () => {
    const state = given(...picking, ...both);
    expect(authorise(state, 'georgi', { chosenIbans })).toEqual([partly]);
    expect(authorise(given(...picking, ...both, partly), 'elena')).toEqual([authorised]);
    expect(authorise(given(...picking, ...both, partly), 'elena', { chosenIbans })).toEqual([authorised]);
  });

  it('cannot be changed by a later signer, who is asked to pick again', () => {
    const state = given(...picking, ...both, partly);
    expect(authorise(state, 'elena', { chosenIbans: [other.iban] })).toBe('fieldMalformed');
    expect(authorise(state, 'elena', { chosenIbans: [one.iban, other.iban] })).toBe('fieldMalformed');
  });

  it('belong to the corporate and require no more signatures than the consent receives', () => {
    expect(openableAccounts(given(), [one, own])).toEqual([one]);
    const alone = given(...created({ signaturesRequired: 1, corporateId: undefined, authorisationId: 'a' }));
    expect(openableAccounts(alone, [one, own])).toEqual([own]);
  });
});

describe('a consent with several signers (contract 5, 10)', () => {
  const end = (decision: Decision<ConsentEvent>, ...events: ConsentEvent[]): ConsentState =>
    given(...events, ...('events' in decision ? decision.events : []));
  const halfway = [...both, partly];
  const refusal = { authorisationId: 'auth-elena', psuId: 'elena', reason: 'psu-refused' } as const;

  it('is rejected after one refusal and grants no access', () => {
    const state = end(rejectConsent(given(...halfway), refusal), ...halfway);
    expect(state.status).toBe('rejected');
    expect(statuses(state)).toEqual({ 'auth-georgi': 'finalised', 'auth-elena': 'failed' });
    const late = { ...refusal, authorisationId: 'auth-georgi', psuId: 'georgi' };
    expect(outcome(rejectConsent(given(...halfway), late))).toBe(forbidden);
    // A person who has only the other link cannot refuse either.
    expect(outcome(rejectConsent(given(...halfway), { ...refusal, psuId: undefined }))).toBe(forbidden);
  });

  it.each<[string, ConsentEvent[], object]>([
    ['with no authorisation started', [], {}],
    ['with one signature missing', halfway, { authorisationId: 'auth-elena' }],
  ])('is rejected after 24 hours %s', (_how, events, cause) => {
    const expired = expireConsent(given(...events), { now: tooLate, timeZone: 'Europe/Sofia' });
    expect(outcome(expired)).toEqual([
      { type: 'rejected', data: { reason: 'not-authorised-in-time', ...cause } },
    ]);
  });

  it('is rejected by DELETE before the last signature', () => {
    expect(end(terminateConsent(given(...halfway), { tppId: 'tpp-1' }), ...halfway).status).toBe('rejected');
  });

  it('can be withdrawn only by a signer of the corporate', () => {
    const revoke = (psuId: string, corporateIds: string[], ...events: ConsentEvent[]) =>
      outcome(revokeConsent(given(...events), { psuId, corporateIds }));
    const revoked = (psuId: string) => [{ type: 'revoked-by-psu', data: { psuId } }];
    expect(revoke('georgi', [], ...halfway, authorised)).toEqual(revoked('georgi'));
    expect(revoke('petar', ['acme'], ...halfway, authorised)).toEqual(revoked('petar'));
    expect(revoke('maria', ['other'], ...halfway, authorised)).toBe('resourceUnknown');
    expect(revoke('petar', ['acme'])).toBe('resourceUnknown');
    expect(revoke('petar', ['acme'], ...halfway)).toEqual([
      { type: 'rejected', data: { reason: 'psu-refused', psuId: 'petar' } },
    ]);
  });
});
