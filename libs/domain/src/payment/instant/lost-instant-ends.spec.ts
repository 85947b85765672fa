import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../../testing/profiles.js';
import { signedInstantEvents } from '../../testing/instant-payments.js';
import { bulkFrom, signedBulkEvents } from '../../testing/initiations.js';
import { evolvePayment } from '../evolve-payment.js';
import { mayForbidSettlement } from '../lost-payment-events.js';
import type { PaymentEvent } from '../payment-events.js';
import type { PaymentState } from '../payment-state.js';
import { decideInstantStep, instantProgress } from './decide-instant.js';
import { instantProduct } from './instant-payments.js';
import type { InstantProgress, InstantStep } from './instant-steps.js';
import { isInstantEnd, lostInstantEnds } from './lost-instant-ends.js';

const profile = makeProfile('bg-euro');
const now = '2027-01-04T22:30:00.000Z';
const answerBy = '2027-01-04T22:30:09.000Z';
const order = {
  amount: { minor: 1250, currency: 'EUR' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'DE89370400440532013000',
  creditorName: 'Max Mustermann',
  remittance: 'goods',
};

const held: InstantStep = { step: 'held', holdId: 'hold', transactionId: 'tx', answerBy };
const settled: InstantStep = { step: 'answered', answer: { outcome: 'settled' } };
const rejectedBy = (reasonCode: string): readonly InstantStep[] => [
  held,
  { step: 'answered', answer: { outcome: 'rejected', reasonCode } },
  { step: 'released', reasonCode },
];
const paid: readonly InstantStep[] = [held, settled, { step: 'posted', postingId: 'post' }];
const unfunded: readonly InstantStep[] = [{ step: 'released', reasonCode: 'AM04' }];

const fold = (events: readonly PaymentEvent[], from?: PaymentState): PaymentState => {
  const state = events.reduce<PaymentState | undefined>((so, event) => evolvePayment(so, event, now), from);
  if (state === undefined) throw new Error('no events');
  return state;
};
const endOf = (state: PaymentState): object => {
  const { status } = state;
  return { status, reasonCode: 'reasonCode' in state ? state.reasonCode : undefined };
};
/** The events of these steps, from this state. */
const eventsOf = (
  from: PaymentState,
  steps: readonly (readonly [InstantStep, number?])[],
): PaymentEvent[] => {
  let state = from;
  return steps.flatMap(([step, number]) => {
    const decision = decideInstantStep(state, step, now, number);
    if ('refused' in decision) throw new Error(`${step.step} was refused`);
    state = fold(decision.events, state);
    return decision.events;
  });
};
/** What the worker makes of it if every payee's bank now confirms, and the steps that it takes. */
const goOn = (
  from: PaymentState,
  number?: number,
): { readonly state: PaymentState; readonly steps: string[] } => {
  const stepOf = (progress: InstantProgress): InstantStep | undefined =>
    ({ hold: held, send: settled, post: paid[2], void: undefined, none: undefined })[progress.next] ??
    (progress.next === 'void' ? { step: 'released', reasonCode: progress.reasonCode } : undefined);
  const steps: string[] = [];
  let state = from;
  for (;;) {
    const progress = instantProgress(state, now, number);
    const step = stepOf(progress);
    if (step === undefined) return { state, steps };
    steps.push(progress.next);
    state = fold(eventsOf(state, [[step, number]]), state);
  }
};

const signedEvents = signedInstantEvents({ paymentId: 'pay-1', order, now }, profile);
const single = (steps: readonly InstantStep[]): PaymentEvent[] =>
  eventsOf(
    fold(signedEvents),
    steps.map((step) => [step]),
  );

describe('an instant payment whose end the database lost (ADR 35)', () => {
  it.each([
    ['rejected by the payee’s bank', rejectedBy('AC04')],
    ['rejected before it was sent', unfunded],
    ['rejected, and confirmed late', [...rejectedBy('AB05'), settled]],
  ])('ends as before, wherever the database went back to: %s', (_name, steps) => {
    const events = single(steps);
    const end = fold([...signedEvents, ...events]);
    for (const kept of events.keys()) {
      const state = fold([...signedEvents, ...events.slice(0, kept)]);
      const again = lostInstantEnds(state, events.slice(kept), now);
      expect(again).toBeDefined();
      const after = goOn(fold(again ?? [], state));
      expect(after.steps).not.toContain('send');
      expect(after.state).toMatchObject(endOf(end));
    }
  });

  it('has its hold voided by the worker before it is rejected again', () => {
    const events = single(rejectedBy('AC04'));
    const state = fold([...signedEvents, ...events.slice(0, 1)]);
    const again = lostInstantEnds(state, events.slice(1), now);
    expect(again?.map(({ type }) => type)).toEqual(['instant-answered']);
    expect(goOn(fold(again ?? [], state)).steps).toEqual(['void']);
    // Only the rejection was lost, so the worker just continues.
    expect(lostInstantEnds(fold([...signedEvents, ...events.slice(0, 2)]), events.slice(2), now)).toEqual([]);
  });

  it('waits for an operator if a lost event contradicts what it became, or ended it in another way', () => {
    const [rejection] = single(unfunded);
    const confirmed = fold([...signedEvents, ...single(paid)]);
    const cancelled = { type: 'cancelled', data: { tppId: 'tpp' } } as unknown as PaymentEvent;
    if (rejection === undefined) throw new Error('no rejection');
    expect(lostInstantEnds(confirmed, [rejection], now)).toBeUndefined();
    expect(lostInstantEnds(fold(signedEvents), [cancelled, rejection], now)).toBeUndefined();
    // Held, but the answer by which it was rejected is not known.
    expect(lostInstantEnds(fold([...signedEvents, ...single([held])]), [rejection], now)).toBeUndefined();
  });

  it('is recognised by types that hold a payment after a loss', () => {
    const types = ['instant-rejected', 'transaction-rejected', 'instant-answered-late'];
    expect(types.every((type) => isInstantEnd(type) && mayForbidSettlement(type))).toBe(true);
    expect(['cancelled', 'rejected', 'transaction-refused', 'settled'].filter(isInstantEnd)).toEqual([]);
  });
});

describe('a bulk payment of instant payments that lost the end of entries (ADR 35)', () => {
  const orders = [order, order, order];
  const signedBulk = bulkFrom(
    signedBulkEvents({ orders }, { paymentId: 'bulk-1', now, profile, product: instantProduct }),
  );
  /** The steps of the entries interleaved, as they come when entries are under way together. */
  const steps: readonly (readonly [InstantStep, number])[] = [
    [held, 1],
    [held, 2],
    [settled, 1],
    ...rejectedBy('AC04')
      .slice(1, 2)
      .map((step) => [step, 2] as const),
    [{ step: 'posted', postingId: 'post' }, 1],
    [{ step: 'released', reasonCode: 'AC04' }, 2],
    [{ step: 'released', reasonCode: 'AM04' }, 3],
  ];
  const events = eventsOf(signedBulk, steps);

  it('ends as before, wherever the database went back to', () => {
    const end = fold(events, signedBulk);
    expect(end.status).toBe('PART');
    for (const taken of steps.keys()) {
      // The events of a step are stored together.
      const kept = eventsOf(signedBulk, steps.slice(0, taken)).length;
      const state = fold(events.slice(0, kept), signedBulk);
      const again = lostInstantEnds(state, events.slice(kept), now);
      expect(again).toBeDefined();
      const ended = [1, 2, 3].reduce((so, number) => goOn(so, number).state, fold(again ?? [], state));
      const entriesOf = (bulk: PaymentState) =>
        bulk.service === 'bulk-payments' &&
        bulk.entries.map(({ transactionStatus, reasonCode }) => [transactionStatus, reasonCode]);
      expect([ended.status, entriesOf(ended)]).toEqual([end.status, entriesOf(end)]);
    }
  });
});
