import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { AccountFacts } from '../account/debtor-account.js';
import type { Decision } from '../decision.js';
import { makeProfile } from '../testing/profiles.js';
import { maxAuthorisations } from '../sca/authorisations.js';
import {
  acceptPayment,
  expirePayment,
  rejectPayment,
  signPayment,
  startPaymentAuthorisation,
} from './authorise-payment.js';
import { cancelPayment, decideInitiation } from './decide-payment.js';
import { evolvePayment, paymentFrom } from './evolve-payment.js';
import type { PaymentEvent } from './payment-events.js';
import type { PaymentState } from './payment-state.js';

const profile = makeProfile('sandbox');
const now = '2026-11-20T10:00:00.000Z';
const tooLate = '2026-11-20T10:15:00.000Z';
const account: AccountFacts = {
  iban: 'BG67XSBK92001000000021',
  currency: 'BGN',
  type: 'CACC',
  status: 'enabled',
  internetBanking: true,
  signaturesRequired: 2,
  corporateId: 'acme',
};
const order = {
  amount: { minor: 1250, currency: 'BGN' },
  debtorIban: account.iban,
  creditorAccount: 'BG26RZBB91551023456789',
  creditorName: 'Петър Иванов',
  remittance: 'Фактура 17',
};

const initiated = (change: { signaturesRequired?: number; psuId?: string } = {}): PaymentEvent[] =>
  decideInitiation(
    {
      type: 'initiated',
      data: {
        paymentId: 'pay-1',
        tppId: 'tpp-1',
        product: 'domestic-credit-transfer-BGN',
        paymentType: 'DOMESTIC',
        body: {},
        order,
        signaturesRequired: 2,
        redirectUris: {},
        ...change,
      },
    },
    now,
    profile,
  );
const startedFor = (psuId: string): PaymentEvent => ({
  type: 'authorisation-started',
  data: { authorisationId: `auth-${psuId}`, psuId },
});
const identified = (psuId: string): PaymentEvent => ({
  type: 'signer-identified',
  data: { authorisationId: `auth-${psuId}`, psuId },
});
const partlySigned = (psuId: string): PaymentEvent => ({
  type: 'partly-signed',
  data: { authorisationId: `auth-${psuId}`, psuId, signedAt: now },
});
const both = [startedFor('georgi'), startedFor('elena')];
const georgiSigned = [...both, identified('georgi'), partlySigned('georgi')];

const given = (...events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events[0]?.type === 'initiated' ? events : [...initiated(), ...events], now);
  if (state === undefined) throw new Error('no events given');
  return state;
};
const outcome = (decision: Decision<PaymentEvent>): unknown =>
  'refused' in decision ? decision.refused.failure : decision.events;
const start = (state: PaymentState, psuId?: string, at = now) =>
  startPaymentAuthorisation(state, { authorisationId: `auth-${psuId}`, psuId, now: at });
const accept = (
  state: PaymentState,
  psuId: string,
  change: Partial<Parameters<typeof acceptPayment>[1]> = {},
) =>
  acceptPayment(
    state,
    { authorisationId: `auth-${psuId}`, psuId, debtor: { account, ownedByPsu: true }, now, ...change },
    profile,
  );
const sign = (state: PaymentState, psuId: string, authorisationId = `auth-${psuId}`, at = now) =>
  signPayment(state, { authorisationId, psuId, now: at }, profile);
const statuses = ({ authorisations }: PaymentState): Record<string, string> =>
  Object.fromEntries(authorisations.map(({ authorisationId, scaStatus }) => [authorisationId, scaStatus]));
const forbidden = 'statusForbidsAuthorisation';

describe('authorisations of several signers (contract 10)', () => {
  it('are started one by one, each with the PSU who has to sign', () => {
    expect(given()).toMatchObject({ status: 'RCVD', signaturesRequired: 2, authorisations: [] });
    expect(outcome(start(given(), 'georgi'))).toEqual([startedFor('georgi')]);
    expect(given(...both)).toMatchObject({
      status: 'RCVD',
      authorisations: [
        { authorisationId: 'auth-georgi', scaStatus: 'received', namedPsuId: 'georgi' },
        { authorisationId: 'auth-elena', scaStatus: 'received', namedPsuId: 'elena' },
      ],
    });
  });

  it('require the PSU-ID of the signer', () => {
    expect(outcome(start(given()))).toBe('headerMalformed');
  });

  it('can be restarted for a PSU who has not signed, but not for one who has', () => {
    expect(outcome(start(given(...both), 'georgi'))).toHaveLength(1);
    expect(outcome(start(given(...georgiSigned), 'georgi'))).toBe(forbidden);
    expect(outcome(start(given(...georgiSigned), 'elena'))).toHaveLength(1);
  });

  it('are refused after expiry, once all signers have signed, and once the payment is final', () => {
    expect(outcome(start(given(), 'georgi', tooLate))).toBe(forbidden);
    const state = given(...georgiSigned, identified('elena'));
    const signed = sign(state, 'elena');
    if ('refused' in signed) throw new Error('refused');
    expect(outcome(start(given(...georgiSigned, identified('elena'), ...signed.events), 'petar'))).toBe(
      forbidden,
    );
    expect(outcome(start(given({ type: 'cancelled', data: { tppId: 'tpp-1' } }), 'georgi'))).toBe(forbidden);
  });

  it(`are limited to ${maxAuthorisations}, so that a stream cannot grow without bound`, () => {
    const many = Array.from({ length: maxAuthorisations }, (_one, index) => startedFor(`psu-${index}`));
    expect(outcome(start(given(...many.slice(1)), 'georgi'))).toHaveLength(1);
    expect(outcome(start(given(...many), 'georgi'))).toBe(forbidden);
  });

  it('with a single signer, are for the PSU named at initiation, or else for the one named now', () => {
    const one = { signaturesRequired: 1, authorisationId: 'auth-1' };
    expect(outcome(start(given(...initiated({ ...one, psuId: 'ivan' }))))).toMatchObject([
      { data: { psuId: 'ivan' } },
    ]);
    expect(outcome(start(given(...initiated({ ...one, psuId: 'ivan' })), 'maria'))).toBe('headerMalformed');
    expect(outcome(start(given(...initiated(one)), 'maria'))).toMatchObject([{ data: { psuId: 'maria' } }]);
  });
});

describe('signatures of several signers (contract 10)', () => {
  it('set PATC with the first signature, and ACCP with the last, which makes the payment due', () => {
    expect(outcome(accept(given(...both), 'georgi'))).toEqual([identified('georgi')]);
    expect(given(...both, identified('georgi')).status).toBe('RCVD');
    expect(outcome(sign(given(...both, identified('georgi')), 'georgi'))).toEqual([partlySigned('georgi')]);
    const partly = given(...georgiSigned);
    expect(partly.status).toBe('PATC');
    expect(statuses(partly)).toEqual({ 'auth-georgi': 'finalised', 'auth-elena': 'received' });

    const last = sign(given(...georgiSigned, identified('elena')), 'elena');
    expect(outcome(last)).toMatchObject([
      { type: 'signed', data: { psuId: 'elena', dueAt: '2026-11-20T10:01:00.000Z', order } },
    ]);
    const state = given(...georgiSigned, identified('elena'), ...('events' in last ? last.events : []));
    expect(state).toMatchObject({ status: 'ACCP', signed: { executionDate: '2026-11-20' } });
    expect(statuses(state)).toEqual({ 'auth-georgi': 'finalised', 'auth-elena': 'finalised' });
  });

  it('set PATC twice if there are three signers', () => {
    const three = initiated({ signaturesRequired: 3 });
    const after = given(
      ...three,
      ...georgiSigned,
      identified('elena'),
      ...[sign(given(...three, ...georgiSigned, identified('elena')), 'elena')].flatMap((decision) =>
        'events' in decision ? decision.events : [],
      ),
    );
    expect(after.status).toBe('PATC');
    expect(statuses(after)).toEqual({ 'auth-georgi': 'finalised', 'auth-elena': 'finalised' });
  });

  it('set scaStatus exempted for an authorisation that is no longer needed', () => {
    const events = [startedFor('petar'), ...georgiSigned, identified('elena')];
    const last = sign(given(...events), 'elena');
    expect(statuses(given(...events, ...('events' in last ? last.events : [])))).toMatchObject({
      'auth-petar': 'exempted',
    });
  });

  it('are refused for a PSU who has already signed, whichever link is used', () => {
    const again: PaymentEvent = {
      type: 'authorisation-started',
      data: { authorisationId: 'auth-again', psuId: 'georgi' },
    };
    const identifiedAgain: PaymentEvent = {
      type: 'signer-identified',
      data: { authorisationId: 'auth-again', psuId: 'georgi' },
    };
    const signedOnce = given(again, identifiedAgain, ...georgiSigned);
    expect(outcome(sign(signedOnce, 'georgi', 'auth-again'))).toBe(forbidden);
    expect(outcome(sign(signedOnce, 'georgi'))).toBe(forbidden);
    expect(outcome(accept(given(again, ...georgiSigned), 'georgi', { authorisationId: 'auth-again' }))).toBe(
      forbidden,
    );
  });

  it('reject the payment if a PSU other than the one named in the authorisation signs in, as with one signer (contract 8)', () => {
    const decision = accept(given(...georgiSigned), 'petar', { authorisationId: 'auth-elena' });
    expect(outcome(decision)).toMatchObject([{ type: 'rejected', data: { reason: 'not-the-named-psu' } }]);
  });

  it('reject the payment if a PSU with no authority over the account signs in', () => {
    const debtor = { account, ownedByPsu: false };
    expect(outcome(accept(given(...both), 'elena', { debtor }))).toMatchObject([
      { type: 'rejected', data: { reason: 'not-the-account-owner' } },
    ]);
  });

  it('are refused if an accepted signer uses the link of another signer', () => {
    const state = given(...both, identified('georgi'), identified('elena'));
    expect(outcome(sign(state, 'elena', 'auth-georgi'))).toBe(forbidden);
    expect(outcome(accept(state, 'elena', { authorisationId: 'auth-georgi' }))).toBe(forbidden);
  });

  it('reject the payment if the bank now requires more signatures than at initiation', () => {
    const debtor = { account: { ...account, signaturesRequired: 3 }, ownedByPsu: true };
    expect(outcome(accept(given(...both), 'elena', { debtor }))).toMatchObject([
      { type: 'rejected', data: { reason: 'debtor-account-unusable' } },
    ]);
  });
});

describe('a payment that requires multiple signatures (contract 8, 10; spec 3.3)', () => {
  const after = (decision: Decision<PaymentEvent>, ...events: PaymentEvent[]): PaymentState =>
    given(...events, ...('events' in decision ? decision.events : []));
  const refusal = { reason: 'psu-refused', psuId: 'elena', authorisationId: 'auth-elena' } as const;

  it('is rejected after one refusal, which leaves completed signatures finalised and fails the other authorisations', () => {
    const state = after(rejectPayment(given(...georgiSigned), refusal), ...georgiSigned);
    expect(state).toMatchObject({ status: 'RJCT', rejectionReason: 'psu-refused' });
    expect(statuses(state)).toEqual({ 'auth-georgi': 'finalised', 'auth-elena': 'failed' });
  });

  it('can be refused with only the link until a signer is accepted; afterwards the PSU must sign in', () => {
    const unknown = { reason: 'psu-cancelled', authorisationId: 'auth-elena' } as const;
    expect(outcome(rejectPayment(given(...both), unknown))).toMatchObject([{ type: 'rejected' }]);
    expect(outcome(rejectPayment(given(...both, identified('georgi')), unknown))).toBe(forbidden);
    expect(outcome(rejectPayment(given(...georgiSigned), unknown))).toBe(forbidden);
    expect(outcome(rejectPayment(given(...georgiSigned), { ...unknown, psuId: 'elena' }))).toMatchObject([
      { type: 'rejected', data: { reason: 'psu-cancelled', psuId: 'elena' } },
    ]);
  });

  it('cannot be refused by a PSU who has already signed', () => {
    const late = { ...refusal, psuId: 'georgi', authorisationId: 'auth-georgi' };
    expect(outcome(rejectPayment(given(...georgiSigned), late))).toBe(forbidden);
  });

  it('expires if a signature is missing after 15 minutes, even if no authorisation was started', () => {
    expect(outcome(expirePayment(given(...georgiSigned), { now: tooLate }))).toEqual([
      { type: 'rejected', data: { authorisationId: 'auth-elena', reason: 'not-authorised-in-time' } },
    ]);
    expect(outcome(expirePayment(given(), { now: tooLate }))).toEqual([
      { type: 'rejected', data: { reason: 'not-authorised-in-time' } },
    ]);
    expect(
      outcome(sign(given(...georgiSigned, identified('elena')), 'elena', undefined, tooLate)),
    ).toMatchObject([{ type: 'rejected', data: { reason: 'not-authorised-in-time' } }]);
  });

  it('can be cancelled in PATC, because it has not been executed yet', () => {
    const state = after(cancelPayment(given(...georgiSigned), { tppId: 'tpp-1', now }), ...georgiSigned);
    expect(state.status).toBe('CANC');
    expect(statuses(state)).toEqual({ 'auth-georgi': 'finalised', 'auth-elena': 'failed' });
  });
});

describe('actions of several signers in any order (contract 10)', () => {
  it('sign the payment once, with the required number of signatures from different signers', () => {
    const people = ['georgi', 'elena', 'petar'];
    const step = fc.record({
      does: fc.constantFrom('start', 'accept', 'sign', 'reject'),
      psuId: fc.constantFrom(...people),
      link: fc.constantFrom(...people),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        (steps, signaturesRequired) => {
          let state = given(...initiated({ signaturesRequired }));
          const happenedSoFar: PaymentEvent[] = [];
          for (const { does, psuId, link } of steps) {
            const authorisationId = `auth-${link}`;
            const decisions: Record<string, () => Decision<PaymentEvent>> = {
              start: () =>
                state.authorisations.some((one) => one.authorisationId === authorisationId)
                  ? { events: [] }
                  : start(state, link),
              accept: () => accept(state, psuId, { authorisationId }),
              sign: () => sign(state, psuId, authorisationId),
              reject: () => rejectPayment(state, { authorisationId, reason: 'sca-failed', psuId }),
            };
            const decision = decisions[does]?.() ?? { events: [] };
            if ('refused' in decision) continue;
            happenedSoFar.push(...decision.events);
            state = decision.events.reduce((next, event) => evolvePayment(next, event, now), state);
          }
          const signatures = happenedSoFar.filter(({ type }) => ['signed', 'partly-signed'].includes(type));
          const signers = signatures.map(({ data }) => 'psuId' in data && data.psuId);
          expect(new Set(signers).size).toBe(signers.length);
          if (state.signed !== undefined) expect(signers).toHaveLength(signaturesRequired);
          expect(signers.length).toBeLessThanOrEqual(signaturesRequired);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
