import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { AccountFacts } from '../account/debtor-account.js';
import type { Decision } from '../decision.js';
import { makeProfile } from '../testing/profiles.js';
import {
  acceptPayment,
  expirePayment,
  expirePaymentNow,
  rejectPayment,
  signPayment,
} from './authorise-payment.js';
import {
  bookEntry,
  cancelPayment,
  decideInitiation,
  refuseFunds,
  settlePayment,
  startSettlement,
} from './decide-payment.js';
import { evolvePayment, paymentFrom } from './evolve-payment.js';
import type { PaymentEvent } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { single } from '../testing/initiations.js';
import { isFinal } from './payment-transitions.js';

const profile = makeProfile('sandbox');
const now = '2026-11-20T10:00:00.000Z';
const [inTime, tooLate] = ['2026-11-20T10:14:59.999Z', '2026-11-20T10:15:00.000Z'];
const authorisationId = 'auth-1';
const account: AccountFacts = {
  iban: 'BG25XSBK92001000000001',
  currency: 'BGN',
  type: 'CACC',
  status: 'enabled',
  internetBanking: true,
  signaturesRequired: 1,
};
const order = {
  amount: { minor: 1250, currency: 'BGN' },
  debtorIban: account.iban,
  creditorAccount: 'BG26RZBB91551023456789',
  creditorName: 'Петър Иванов',
  remittance: 'Фактура 17',
};

const initiated = (change: { psuId?: string; requestedExecutionDate?: string } = {}): PaymentEvent[] =>
  decideInitiation(
    {
      type: 'initiated',
      data: {
        paymentId: 'pay-1',
        tppId: 'tpp-1',
        product: 'domestic-credit-transfer-BGN',
        paymentType: 'DOMESTIC',
        body: { a: 1 },
        order,
        signaturesRequired: 1,
        authorisationId,
        redirectUris: {},
        ...change,
      },
    },
    now,
    profile,
  );
const accepted: PaymentEvent = { type: 'accepted', data: { authorisationId, psuId: 'ivan' } };
const signed: PaymentEvent = {
  type: 'signed',
  data: {
    authorisationId,
    psuId: 'ivan',
    signedAt: now,
    executionDate: '2026-11-20',
    dueAt: '2026-11-20T10:01:00.000Z',
    order,
  },
};
const started: PaymentEvent = {
  type: 'settlement-started',
  data: { holdId: 'hold-1', transactionId: 'tx-1', bookAt: '2026-11-20T10:06:00.000Z' },
};
const settled: PaymentEvent = { type: 'settled', data: { postingId: 'post-1' } };
const booked: PaymentEvent = { type: 'entry-booked', data: { transactionId: 'tx-1' } };
const unfunded: PaymentEvent = { type: 'funds-refused', data: { reason: 'insufficient-funds' } };
const rejected: PaymentEvent = {
  type: 'rejected',
  data: { authorisationId, reason: 'psu-refused', psuId: 'ivan' },
};
const cancelled: PaymentEvent = { type: 'cancelled', data: { tppId: 'tpp-1', idempotencyKey: 'key-1' } };

const given = (...events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events[0]?.type === 'initiated' ? events : [...initiated(), ...events], now);
  if (state === undefined) throw new Error('no events given');
  return state;
};
/** A short form of a decision: the types of its events, or the name of the failure. */
const outcome = (decision: Decision<PaymentEvent>): unknown =>
  'refused' in decision ? decision.refused.failure : decision.events;
const accept = (state: PaymentState, change: Partial<Parameters<typeof acceptPayment>[1]> = {}) =>
  outcome(
    acceptPayment(
      state,
      { authorisationId, psuId: 'ivan', debtor: { account, ownedByPsu: true }, now, ...change },
      profile,
    ),
  );
const sign = (state: PaymentState, change: Partial<Parameters<typeof signPayment>[1]> = {}) =>
  outcome(signPayment(state, { authorisationId, psuId: 'ivan', now, ...change }, profile));
const rejection = (reason: string, psuId = 'ivan'): unknown => [
  { type: 'rejected', data: { authorisationId, reason, psuId } },
];

describe('initiation (spec 3.1)', () => {
  it('sets RCVD and the scaStatus received, and allows 15 minutes to sign', () => {
    expect(given()).toMatchObject({
      status: 'RCVD',
      expiresAt: tooLate,
      authorisations: [{ authorisationId, scaStatus: 'received' }],
      body: { a: 1 },
      entryBooked: false,
    });
  });

  it('stores the PSU that the TPP named', () => {
    expect(given(...initiated({ psuId: 'ivan' }))).toMatchObject({ namedPsuId: 'ivan' });
  });
});

describe('acceptance (contract 8)', () => {
  it('changes the status to ACCP when the owner is accepted', () => {
    expect(accept(given())).toEqual([accepted]);
    expect(given(accepted)).toMatchObject({
      status: 'ACCP',
      authorisations: [{ scaStatus: 'psuIdentified', psuId: 'ivan' }],
    });
  });

  it('changes nothing if repeated by the same PSU', () => {
    expect(accept(given(accepted))).toEqual([]);
  });

  it('is refused for a second PSU after the first was accepted, without ending the payment', () => {
    expect(accept(given(accepted), { psuId: 'maria' })).toBe('statusForbidsAuthorisation');
  });

  it.each<[string, object]>([
    ['not-the-account-owner', { debtor: { account, ownedByPsu: false } }],
    ['not-the-account-owner', { debtor: { ownedByPsu: false } }],
    ['debtor-account-unusable', { debtor: { account: { ...account, status: 'blocked' }, ownedByPsu: true } }],
    ['not-authorised-in-time', { now: tooLate }],
  ])('rejects the payment: %s', (reason, change) => {
    expect(accept(given(), change)).toEqual(rejection(reason));
  });

  it('rejects a PSU other than the named one before it reads the account', () => {
    const state = given(...initiated({ psuId: 'maria' }));
    expect(accept(state, { debtor: { ownedByPsu: false } })).toEqual(rejection('not-the-named-psu'));
  });

  it('refuses an unknown authorisation', () => {
    expect(accept(given(), { authorisationId: 'auth-2' })).toBe('resourceUnknown');
  });

  it.each([
    ['signed', [accepted, signed]],
    ['rejected', [rejected]],
    ['cancelled', [cancelled]],
    ['unfunded', [accepted, signed, unfunded]],
  ])('is refused for a payment that is %s', (_stage, events) => {
    expect(accept(given(...events))).toBe('statusForbidsAuthorisation');
  });
});

describe('signature (contract 8)', () => {
  it('leaves the status at ACCP and makes the payment due one minute later', () => {
    expect(sign(given(accepted))).toEqual([signed]);
    expect(given(accepted, signed)).toMatchObject({
      status: 'ACCP',
      authorisations: [{ scaStatus: 'finalised' }],
      signed: { dueAt: '2026-11-20T10:01:00.000Z' },
    });
  });

  it.each([
    ['today', '2026-11-20', '2026-11-20', '2026-11-20T10:01:00.000Z'],
    ['passed meanwhile', '2026-11-19', '2026-11-20', '2026-11-20T10:01:00.000Z'],
    ['tomorrow', '2026-11-21', '2026-11-21', '2026-11-20T22:00:00.000Z'],
    ['in summer', '2027-07-01', '2027-07-01', '2027-06-30T21:00:00.000Z'],
  ])('handles an execution date that is %s', (_when, requestedExecutionDate, executionDate, dueAt) => {
    const state = given(...initiated({ requestedExecutionDate }), accepted);
    expect(sign(state)).toMatchObject([{ type: 'signed', data: { executionDate, dueAt } }]);
  });

  it('takes effect only once', () => {
    expect(sign(given(accepted, signed))).toBe('statusForbidsAuthorisation');
  });

  it('is possible until the deadline but not afterwards', () => {
    expect(sign(given(accepted), { now: inTime })).toMatchObject([{ type: 'signed' }]);
    expect(sign(given(accepted), { now: tooLate })).toEqual(rejection('not-authorised-in-time'));
  });

  it.each<[string, readonly PaymentEvent[], object, string]>([
    ['not accepted', [], {}, 'statusForbidsAuthorisation'],
    ['accepted by somebody else', [accepted], { psuId: 'maria' }, 'statusForbidsAuthorisation'],
    ['another authorisation', [accepted], { authorisationId: 'x' }, 'resourceUnknown'],
    ['cancelled', [accepted, cancelled], {}, 'statusForbidsAuthorisation'],
    ['rejected', [accepted, rejected], {}, 'statusForbidsAuthorisation'],
  ])('is refused: %s', (_why, events, change, failure) => {
    expect(sign(given(...events), change)).toBe(failure);
  });
});

describe('rejection (contract 8)', () => {
  const reject = (state: PaymentState, psuId?: string) =>
    outcome(rejectPayment(state, { authorisationId, reason: 'psu-refused', psuId }));

  it('sets RJCT and fails the authorisation if the payment is unsigned', () => {
    expect(reject(given(), 'ivan')).toEqual([rejected]);
    expect(reject(given(accepted), 'ivan')).toEqual([rejected]);
    expect(given(accepted, rejected)).toMatchObject({
      status: 'RJCT',
      authorisations: [{ scaStatus: 'failed', psuId: 'ivan' }],
      rejectionReason: 'psu-refused',
    });
  });

  it('is refused once the payment is signed or final, and for a PSU other than the accepted one', () => {
    for (const events of [
      [accepted, signed],
      [rejected],
      [cancelled],
      [accepted, signed, unfunded],
      [accepted, signed, started],
    ]) {
      expect(reject(given(...events))).toBe('statusForbidsAuthorisation');
    }
    expect(reject(given(accepted), 'maria')).toBe('statusForbidsAuthorisation');
    expect(outcome(rejectPayment(given(), { authorisationId: 'x', reason: 'sca-failed' }))).toBe(
      'resourceUnknown',
    );
  });

  it('happens if the payment is not signed within 15 minutes, or when a TPP in the sandbox ends that time (contract 13)', () => {
    const event = [{ type: 'rejected', data: { authorisationId, reason: 'not-authorised-in-time' } }];
    expect(outcome(expirePayment(given(), { now: tooLate }))).toEqual(event);
    expect(outcome(expirePayment(given(accepted), { now: tooLate }))).toEqual(event);
    expect(outcome(expirePayment(given(accepted), { now: inTime }))).toEqual([]);
    expect(outcome(expirePayment(given(accepted, signed), { now: '2030-01-01T00:00:00Z' }))).toEqual([]);
    for (const state of [given(), given(accepted)]) expect(outcome(expirePaymentNow(state))).toEqual(event);
    expect(outcome(expirePaymentNow(given(accepted, signed)))).toBe('statusForbidsExpiry');
  });
});

describe('cancellation (spec 3.3)', () => {
  const cancel = (state: PaymentState, idempotencyKey?: string, tppId = 'tpp-1') =>
    outcome(cancelPayment(state, { tppId, idempotencyKey, now }));

  it.each([[[]], [[accepted]], [[accepted, signed]]])('is possible in RCVD and ACCP, after %j', (events) => {
    expect(cancel(given(...events), 'key-1')).toEqual([cancelled]);
  });

  it.each([
    [[rejected]],
    [[accepted, signed, started]],
    [[accepted, signed, started, settled]],
    [[accepted, signed, unfunded]],
  ])('is not possible after %j', (events) => {
    expect(cancel(given(...events), 'key-1')).toBe('cancellationNotPossible');
  });

  it('changes nothing if repeated with the same key, and is refused if repeated with another key or none', () => {
    expect(cancel(given(cancelled), 'key-1')).toEqual([]);
    expect(cancel(given(cancelled), 'key-2')).toBe('cancellationNotPossible');
    expect(cancel(given(cancelled))).toBe('cancellationNotPossible');
    const withoutKey: PaymentEvent = { type: 'cancelled', data: { tppId: 'tpp-1' } };
    expect(cancel(given(withoutKey))).toBe('cancellationNotPossible');
  });

  it.each<[string, readonly PaymentEvent[], string]>([
    ['an authorisation that was not completed has failed', [cancelled], 'failed'],
    ['so has one whose PSU had only signed in', [accepted, cancelled], 'failed'],
    ['a signature stays finalised', [accepted, signed, cancelled], 'finalised'],
  ])('%s', (_what, events, scaStatus) => {
    expect(given(...events)).toMatchObject({ status: 'CANC', authorisations: [{ scaStatus }] });
  });

  it('is possible only for the initiating TPP', () => {
    expect(cancel(given(), 'key-1', 'tpp-2')).toBe('resourceUnknown');
  });
});

describe('settlement (spec 3.1)', () => {
  const start = (state: PaymentState, holdId = 'hold-1') =>
    outcome(
      startSettlement(
        single(state),
        { holdId, transactionId: 'tx-1', now: '2026-11-20T10:01:00.000Z' },
        profile,
      ),
    );
  const settle = (state: PaymentState) => outcome(settlePayment(single(state), { postingId: 'post-1' }));
  const book = (state: PaymentState) => outcome(bookEntry(single(state)));
  const noFunds = (state: PaymentState) =>
    outcome(refuseFunds(single(state), { reason: 'insufficient-funds' }));
  const forbidden = 'statusForbidsAuthorisation';

  it('sets ACSP with the hold and ACSC with the posting, and adds the booked entry after five minutes', () => {
    expect(start(given(accepted, signed))).toEqual([started]);
    expect(given(accepted, signed, started)).toMatchObject({
      status: 'ACSP',
      fundsAvailable: true,
      transactionId: 'tx-1',
    });
    expect(settle(given(accepted, signed, started))).toEqual([settled]);
    expect(book(given(accepted, signed, started, settled))).toEqual([booked]);
    expect(given(accepted, signed, started, settled, booked)).toMatchObject({
      status: 'ACSC',
      entryBooked: true,
    });
  });

  it('ends as ACCP if there are insufficient funds', () => {
    expect(noFunds(given(accepted, signed))).toEqual([unfunded]);
    expect(given(accepted, signed, unfunded)).toMatchObject({ status: 'ACCP', fundsAvailable: false });
    expect(start(given(accepted, signed, unfunded))).toBe(forbidden);
  });

  it('records a repeated step only once', () => {
    expect(start(given(accepted, signed, started))).toEqual([]);
    expect(start(given(accepted, signed, started, settled))).toEqual([]);
    expect(settle(given(accepted, signed, started, settled))).toEqual([]);
    expect(book(given(accepted, signed, started, settled, booked))).toEqual([]);
    expect(noFunds(given(accepted, signed, unfunded))).toEqual([]);
    expect(start(given(accepted, signed, started), 'hold-2')).toBe(forbidden);
  });

  it.each([[[]], [[accepted]], [[cancelled]], [[rejected]], [[accepted, signed, cancelled]]])(
    'is never possible after %j',
    (events) => {
      const state = given(...events);
      expect([start(state), settle(state), book(state), noFunds(state)]).toEqual([
        forbidden,
        forbidden,
        forbidden,
        forbidden,
      ]);
    },
  );

  it('cannot skip a step', () => {
    expect(settle(given(accepted, signed))).toBe(forbidden);
    expect(book(given(accepted, signed))).toBe(forbidden);
    expect(noFunds(given(accepted, signed, started))).toBe(forbidden);
  });
});

describe('event streams', () => {
  it('are rejected if they violate the lifecycle', () => {
    expect(() => given(signed)).toThrow('RCVD');
    expect(() => evolvePayment(undefined, accepted, now)).toThrow('not initiated');
    expect(() => paymentFrom([...initiated(), ...initiated()], now)).toThrow('initiated');
    expect(paymentFrom([], now)).toBeUndefined();
  });

  it('contain only events that can be folded, and none that changes a final status', () => {
    const commands: readonly ((state: PaymentState, at: string) => Decision<PaymentEvent>)[] = [
      (state, at) =>
        acceptPayment(
          state,
          { authorisationId, psuId: 'ivan', debtor: { account, ownedByPsu: true }, now: at },
          profile,
        ),
      (state, at) => signPayment(state, { authorisationId, psuId: 'ivan', now: at }, profile),
      (state) => rejectPayment(state, { authorisationId, reason: 'psu-cancelled' }),
      (state, at) => expirePayment(state, { now: at }),
      (state) => cancelPayment(state, { tppId: 'tpp-1', idempotencyKey: 'k', now }),
      (state) => refuseFunds(single(state), { reason: 'insufficient-funds' }),
      (state, at) => startSettlement(single(state), { holdId: 'h', transactionId: 't', now: at }, profile),
      (state) => settlePayment(single(state), { postingId: 'p' }),
      (state) => bookEntry(single(state)),
    ];
    const scripts = fc.array(fc.tuple(fc.constantFrom(...commands), fc.constantFrom(now, inTime, tooLate)), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(scripts, (script) => {
        let state = given();
        for (const [command, at] of script) {
          const before = state;
          const decision = command(state, at);
          if ('events' in decision)
            state = decision.events.reduce((next, event) => evolvePayment(next, event, at), state);
          if (isFinal(before)) expect(state.status).toBe(before.status);
        }
      }),
    );
  });
});
