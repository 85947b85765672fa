import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { equal } from 'node:assert/strict';
import type { AccountFacts } from '../account/debtor-account.js';
import type { Decision } from '../decision.js';
import { makeProfile } from '../testing/profiles.js';
import {
  acceptPayment,
  expirePayment,
  rejectPayment,
  signPayment,
  startPaymentAuthorisation,
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
import type { PaymentEvent, PaymentEventType } from './payment-events.js';
import type { PaymentState, PaymentStatus } from './payment-state.js';
import { single } from '../testing/initiations.js';
import { bgnOrder } from '../testing/signed-payment.js';

const profile = makeProfile('sandbox');
const account: AccountFacts = {
  iban: 'BG67XSBK92001000000021',
  currency: 'BGN',
  type: 'CACC',
  status: 'enabled',
  internetBanking: true,
  signaturesRequired: 1,
};
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();

/** One action by a TPP or a PSU. `link` is the number of an authorisation. */
interface Command {
  readonly does: keyof typeof real;
  readonly psu: string;
  readonly link: number;
  readonly debtor: 'usable' | 'not theirs' | 'blocked';
  readonly tpp: string;
  readonly key?: string;
  readonly hold: string;
}
/** A command, and whether its sender reads the payment first. The default PSU is the one for whom the link was created. */
interface Step extends Omit<Command, 'psu'> {
  readonly psu?: string;
  readonly writer: 0 | 1;
  readonly reads: boolean;
  readonly minutes: number;
}
interface Setup {
  readonly required: number;
  readonly named?: string;
}

/** The rules of spec 3.1, 3.3 and contract 8, 10 in the terms of the specification, without stages or event data. */
interface Model extends Setup {
  readonly status: PaymentStatus;
  readonly links: readonly { readonly named?: string; readonly taken?: string; readonly over: boolean }[];
  readonly signers: readonly string[];
  readonly isSigned: boolean;
  readonly isUnfunded: boolean;
  readonly hold?: string;
  readonly isBooked: boolean;
  readonly cancelKey?: string;
}
type Outcome = 'refused' | 'nothing' | readonly [PaymentEventType, Partial<Model>];
type Rule = (model: Model, command: Command, minute: number) => Outcome;

const minutesToSign = 15;
const isWaiting = ({ status, isSigned }: Model): boolean =>
  ['RCVD', 'PATC', 'ACCP'].includes(status) && !isSigned;
const rejects: Outcome = ['rejected', { status: 'RJCT' }];
const withLink = (
  { links }: Model,
  link: number,
  change: Partial<Model['links'][number]>,
): Pick<Model, 'links'> => ({ links: links.map((one, at) => (at === link ? { ...one, ...change } : one)) });
const isOthers = ({ required, links }: Model, link: number, psu: string): boolean =>
  links.some(({ taken }, at) => taken !== undefined && taken !== psu && (at === link || required === 1));
/** A rule about one authorisation. The command is always refused if the authorisation is unknown or has ended. */
const onLink =
  (rule: Rule): Rule =>
  (model, command, minute) => {
    const link = model.links[command.link];
    return link === undefined || link.over || !isWaiting(model) ? 'refused' : rule(model, command, minute);
  };

const rules: Readonly<Record<Command['does'], Rule>> = {
  start: (model, { psu }, minute) => {
    const { required, named, signers, links } = model;
    const isAnother = required === 1 && named !== undefined && named !== psu;
    if (!isWaiting(model) || minute >= minutesToSign || isAnother || signers.includes(psu)) return 'refused';
    return links.length >= 20
      ? 'refused'
      : ['authorisation-started', { links: [...links, { named: psu, over: false }] }];
  },
  accept: onLink((model, { psu, link, debtor }, minute) => {
    if (minute >= minutesToSign) return rejects;
    if (isOthers(model, link, psu)) return 'refused';
    const { named, taken } = model.links[link] ?? {};
    if (taken === psu) return 'nothing';
    if (named !== undefined && named !== psu) return rejects;
    if (model.signers.includes(psu)) return 'refused';
    if (debtor !== 'usable') return rejects;
    const takes = withLink(model, link, { taken: psu });
    return model.required === 1 ? ['accepted', { ...takes, status: 'ACCP' }] : ['signer-identified', takes];
  }),
  sign: onLink((model, { psu, link }, minute) => {
    if (minute >= minutesToSign) return rejects;
    if (model.links[link]?.taken !== psu || model.signers.includes(psu)) return 'refused';
    const signers = [...model.signers, psu];
    const done = { ...withLink(model, link, { over: true }), signers };
    return signers.length < model.required
      ? ['partly-signed', { ...done, status: 'PATC' }]
      : ['signed', { ...done, status: 'ACCP', isSigned: true }];
  }),
  refuse: onLink((model, { psu, link }) => (isOthers(model, link, psu) ? 'refused' : rejects)),
  refuseUnknown: onLink(({ links }) =>
    links.some(({ taken }) => taken !== undefined) ? 'refused' : rejects,
  ),
  expire: (model, _command, minute) => (isWaiting(model) && minute >= minutesToSign ? rejects : 'nothing'),
  cancel: ({ status, isUnfunded, cancelKey }, { tpp, key }) => {
    if (tpp !== 'tpp-1') return 'refused';
    if (status === 'CANC') return key !== undefined && key === cancelKey ? 'nothing' : 'refused';
    return ['RCVD', 'PATC', 'ACCP'].includes(status) && !isUnfunded
      ? ['cancelled', { status: 'CANC', cancelKey: key }]
      : 'refused';
  },
  refuseFunds: ({ status, isSigned, isUnfunded }) => {
    if (isUnfunded) return 'nothing';
    return status === 'ACCP' && isSigned ? ['funds-refused', { isUnfunded: true }] : 'refused';
  },
  startSettlement: ({ status, isSigned, isUnfunded, hold: held }, { hold }) => {
    if (held !== undefined) return held === hold ? 'nothing' : 'refused';
    return status === 'ACCP' && isSigned && !isUnfunded
      ? ['settlement-started', { status: 'ACSP', hold }]
      : 'refused';
  },
  settle: ({ status }) => {
    if (status === 'ACSC') return 'nothing';
    return status === 'ACSP' ? ['settled', { status: 'ACSC' }] : 'refused';
  },
  book: ({ hold, isBooked }) => {
    if (isBooked) return 'nothing';
    return hold === undefined ? 'refused' : ['entry-booked', { isBooked: true }];
  },
};

/** The same commands, applied to the real payment. */
const real = {
  start: (state: PaymentState, { psu }: Command, now: string): Decision<PaymentEvent> =>
    startPaymentAuthorisation(state, {
      authorisationId: `auth-${state.authorisations.length}`,
      psuId: psu,
      now,
    }),
  accept: (state: PaymentState, { psu, link, debtor }: Command, now: string): Decision<PaymentEvent> => {
    const facts = debtor === 'blocked' ? { ...account, status: 'blocked' as const } : account;
    return acceptPayment(
      state,
      {
        authorisationId: `auth-${link}`,
        psuId: psu,
        debtor: { account: facts, ownedByPsu: debtor !== 'not theirs' },
        now,
      },
      profile,
    );
  },
  sign: (state: PaymentState, { psu, link }: Command, now: string): Decision<PaymentEvent> =>
    signPayment(state, { authorisationId: `auth-${link}`, psuId: psu, now }, profile),
  refuse: (state: PaymentState, { psu, link }: Command): Decision<PaymentEvent> =>
    rejectPayment(state, { authorisationId: `auth-${link}`, reason: 'psu-refused', psuId: psu }),
  /** A refusal by a person who has the link but has not signed in. */
  refuseUnknown: (state: PaymentState, { link }: Command): Decision<PaymentEvent> =>
    rejectPayment(state, { authorisationId: `auth-${link}`, reason: 'psu-refused' }),
  expire: (state: PaymentState, _command: Command, now: string): Decision<PaymentEvent> =>
    expirePayment(state, { now }),
  cancel: (state: PaymentState, { tpp, key }: Command, now: string): Decision<PaymentEvent> =>
    cancelPayment(state, { tppId: tpp, idempotencyKey: key, now }),
  refuseFunds: (state: PaymentState): Decision<PaymentEvent> =>
    refuseFunds(single(state), { reason: 'insufficient-funds' }),
  startSettlement: (state: PaymentState, { hold }: Command, now: string): Decision<PaymentEvent> =>
    startSettlement(single(state), { holdId: hold, transactionId: `entry-${hold}`, now }, profile),
  settle: (state: PaymentState): Decision<PaymentEvent> =>
    settlePayment(single(state), { postingId: 'posting-1' }),
  book: (state: PaymentState): Decision<PaymentEvent> => bookEntry(single(state)),
};

/** One name occurs twice: with three links, a returning PSU is as likely as three different PSUs. */
const people = ['georgi', 'elena', 'georgi', 'petar'];
const psuFor = ({ links }: Model, { does, link }: Step): string =>
  (does === 'start' ? people[links.length % people.length] : (links[link]?.named ?? links[link]?.taken)) ??
  'georgi';

/** The parts of an event store that two writers need: the events, with the payment and the model after each. */
class Stream {
  readonly events: PaymentEvent[];
  readonly versions: { readonly state: PaymentState; readonly model: Model }[];
  /** The version that each writer last read. */
  private readonly read: [number, number] = [0, 0];
  conflicts = 0;
  /** How often a PSU who had already signed came back, by action. */
  readonly again = new Map<Command['does'], number>();

  constructor({ required, named }: Setup) {
    this.events = decideInitiation(
      {
        type: 'initiated',
        data: {
          paymentId: 'pay-1',
          tppId: 'tpp-1',
          product: 'domestic-credit-transfer-BGN',
          paymentType: 'DOMESTIC',
          body: {},
          order: bgnOrder(account.iban, 1250, 'BG26RZBB91551023456789'),
          signaturesRequired: required,
          authorisationId: required === 1 ? 'auth-0' : undefined,
          psuId: named,
          redirectUris: {},
        },
      },
      at(0),
      profile,
    );
    const state = paymentFrom(this.events, at(0));
    if (state === undefined) throw new Error('not initiated');
    const links = required === 1 ? [{ named, over: false }] : [];
    const nothingYet = { signers: [], isSigned: false, isUnfunded: false, isBooked: false };
    this.versions = [{ state, model: { required, named, status: 'RCVD', links, ...nothingYet } }];
  }

  get last(): { readonly state: PaymentState; readonly model: Model } {
    const last = this.versions.at(-1);
    if (last === undefined) throw new Error('no version');
    return last;
  }

  /** Optimistic locking: a decision based on an old version is not stored but made again on the newest version. */
  act(step: Step, minute: number): string {
    if (step.reads) this.read[step.writer] = this.versions.length - 1;
    for (;;) {
      const known = this.read[step.writer];
      const { state, model } = this.versions[known] ?? this.last;
      const command = { ...step, psu: step.psu ?? psuFor(model, step) };
      if (isWaiting(model) && model.signers.includes(command.psu))
        this.again.set(step.does, (this.again.get(step.does) ?? 0) + 1);
      const decision = real[step.does](state, command, at(minute));
      const expected = rules[step.does](model, command, minute);
      const events = 'events' in decision ? decision.events : [];
      const decided = 'refused' in decision ? 'refused' : events.map(({ type }) => type).join() || 'nothing';
      equal(decided, typeof expected === 'string' ? expected : expected[0]);
      if (typeof expected === 'string') return expected;
      if (known === this.versions.length - 1) {
        const after = { ...model, ...expected[1] };
        const next = events.reduce((next, event) => evolvePayment(next, event, at(minute)), state);
        this.events.push(...events);
        this.versions.push({ state: next, model: after });
        equal(next.status, after.status);
        this.read[step.writer] += 1;
        return `${model.status}${model.isSigned ? ' signed' : ''}: ${decided}`;
      }
      this.conflicts += 1;
      this.read[step.writer] = this.versions.length - 1;
    }
  }
}

const rare = <Value>(often: Value, ...seldom: Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant(often) },
    { weight: 1, arbitrary: fc.constantFrom(...seldom) },
  );
const weights: Readonly<Record<Command['does'], number>> = {
  start: 50,
  accept: 100,
  sign: 120,
  refuse: 3,
  refuseUnknown: 5,
  expire: 10,
  cancel: 6,
  refuseFunds: 6,
  startSettlement: 50,
  settle: 50,
  book: 30,
};
const verbs = Object.keys(weights).filter((name): name is Command['does'] => name in weights);
const step: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(...verbs.map((verb) => ({ weight: weights[verb], arbitrary: fc.constant(verb) }))),
  psu: rare<string | undefined>(undefined, ...people),
  link: fc.oneof(fc.constant(0), fc.nat({ max: 2 })),
  debtor: rare<Command['debtor']>('usable', 'not theirs', 'blocked'),
  tpp: rare('tpp-1', 'tpp-2'),
  key: fc.constantFrom(undefined, 'key-1', 'key-2'),
  hold: rare('hold-1', 'hold-2'),
  writer: fc.constantFrom<0 | 1>(0, 1),
  reads: fc.boolean(),
  minutes: rare(0, 1, 7, 15),
});
const setup: fc.Arbitrary<Setup> = fc.record({
  required: fc.constantFrom(1, 1, 2, 3),
  named: rare<string | undefined>(undefined, ...people),
});

const moneySteps: readonly PaymentEventType[] = [
  'funds-refused',
  'settlement-started',
  'settled',
  'entry-booked',
];
const rank = ['RCVD', 'PATC', 'ACCP', 'ACSP', 'ACSC', 'RJCT', 'CANC'];

/** Checks the properties that every history must have, whatever the detailed rules are. */
function checkHistory({ events, versions, last }: Stream): void {
  const types = events.map(({ type }) => type);
  const count = (type: PaymentEventType): number => types.filter((one) => one === type).length;
  for (const once of [...moneySteps, 'initiated', 'signed', 'rejected', 'cancelled'] as const)
    expect(count(once)).toBeLessThanOrEqual(1);
  expect(
    count('cancelled') + count('rejected') + count('funds-refused') + count('settlement-started'),
  ).toBeLessThanOrEqual(1);
  const end = types.findIndex((type) => ['cancelled', 'rejected', 'funds-refused'].includes(type));
  if (end >= 0) expect(types.slice(end + 1)).toEqual([]);
  const settled = types.indexOf('settled');
  if (settled >= 0) expect(types.slice(settled + 1).filter((type) => type !== 'entry-booked')).toEqual([]);
  const money = types.findIndex((type) => moneySteps.includes(type));
  if (money >= 0) expect(types.slice(0, money)).toContain('signed');
  const signers = events.flatMap(({ type, data }) =>
    type === 'signed' || type === 'partly-signed' ? [data.psuId] : [],
  );
  expect(new Set(signers).size).toBe(signers.length);
  expect(signers.length === last.state.signaturesRequired).toBe(types.includes('signed'));
  const ranks = versions.map(({ state }) => rank.indexOf(state.status));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(paymentFrom(events, at(0))).toEqual(last.state);
}

/** Every step in spec 3.1, 3.3 and contract 8, 10 that the histories must reach. */
const steps = [
  'RCVD: authorisation-started',
  'RCVD: signer-identified',
  'RCVD: partly-signed',
  'RCVD: accepted',
  'RCVD: rejected',
  'RCVD: cancelled',
  'PATC: authorisation-started',
  'PATC: signer-identified',
  'PATC: partly-signed',
  'PATC: signed',
  'PATC: rejected',
  'PATC: cancelled',
  'ACCP: authorisation-started',
  'ACCP: accepted',
  'ACCP: signed',
  'ACCP: rejected',
  'ACCP: cancelled',
  'ACCP signed: cancelled',
  'ACCP signed: funds-refused',
  'ACCP signed: settlement-started',
  'ACSP signed: settled',
  'ACSP signed: entry-booked',
  'ACSC signed: entry-booked',
];

describe('a payment compared with a model (spec 3.1, 3.3; contract 8, 10)', () => {
  it('agrees with it in 10,000 histories of two writers who act in any order and at any time', () => {
    const seen = new Set<string>();
    let conflicts = 0;
    const again = new Map<string, number>();
    fc.assert(
      fc.property(setup, fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }), (chosen, history) => {
        const stream = new Stream(chosen);
        let minute = 0;
        for (const one of history) {
          minute += one.minutes;
          seen.add(stream.act(one, minute));
        }
        conflicts += stream.conflicts;
        for (const [verb, times] of stream.again) again.set(verb, (again.get(verb) ?? 0) + times);
        checkHistory(stream);
      }),
      { numRuns: 10_000 },
    );
    expect([...seen].sort()).toEqual([...steps, 'nothing', 'refused'].sort());
    expect(conflicts).toBeGreaterThan(1000);
    // Minimum counts of cases in which a PSU uses a second link, opened before or after this PSU signed, or
    // is asked to sign again.
    const often = { start: 300, accept: 300, sign: 300, refuse: 20 };
    for (const [verb, min] of Object.entries(often))
      expect([verb, (again.get(verb) ?? 0) >= min]).toEqual([verb, true]);
  }, 300_000);
});
