import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../../decision.js';
import { instantFrom, type SignedInstant, signedInstantEvents } from '../../testing/instant-payments.js';
import { makeProfile } from '../../testing/profiles.js';
import { cancelPayment } from '../decide-payment.js';
import { evolvePayment } from '../evolve-payment.js';
import type { PaymentEvent } from '../payment-events.js';
import type { SinglePayment } from '../payment-state.js';
import { isFinal } from '../payment-transitions.js';
import { bringForward, executionOf } from '../settlement/bring-forward.js';
import { nextDueAt } from '../settlement/due.js';
import { decideSettlementStep } from '../settlement/steps.js';
import { decideInstantStep, instantProgress } from './decide-instant.js';
import { reasonOfRefusal } from './instant-payments.js';
import type { InstantStep } from './instant-steps.js';

const profile = makeProfile('sandbox');
const now = '2027-01-04T22:30:00.000Z';
const later = '2027-01-04T22:30:04.000Z';
const answerBy = '2027-01-04T22:30:09.000Z';
const order = {
  amount: { minor: 1250, currency: 'EUR' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'DE89370400440532013000',
  creditorName: 'Max Mustermann',
  remittance: 'goods',
};
const signed = (change: Partial<SignedInstant> = {}): SinglePayment =>
  instantFrom(signedInstantEvents({ paymentId: 'pay-1', order, now, ...change }, profile), now);

const held: InstantStep = { step: 'held', holdId: 'hold-1', transactionId: 'tx-1', answerBy };
const confirmed: InstantStep = { step: 'answered', answer: { outcome: 'settled' } };
const refused = (reasonCode: string): InstantStep => ({
  step: 'answered',
  answer: { outcome: 'rejected', reasonCode },
});
const posted: InstantStep = { step: 'posted', postingId: 'post-1' };
const released = (reasonCode: string): InstantStep => ({ step: 'released', reasonCode });

const outcome = (decision: Decision<PaymentEvent>): unknown =>
  'refused' in decision ? 'refused' : decision.events.map(({ type }) => type);
const decide = (state: SinglePayment, step: InstantStep): unknown =>
  outcome(decideInstantStep(state, step, later));
const after = (state: SinglePayment, ...steps: readonly InstantStep[]): SinglePayment =>
  steps.reduce<SinglePayment>((before, step) => {
    const decision = decideInstantStep(before, step, later);
    if ('refused' in decision) throw new Error(`${step.step} was refused`);
    return decision.events.reduce(
      (next, event) => evolvePayment(next, event, later) as SinglePayment,
      before,
    );
  }, state);

describe('the time of an instant payment (contract E3.2, E3.6)', () => {
  it('is the signature, whatever cut-off and banking day say', () => {
    const production = makeProfile('production');
    const saturdayNight = '2027-01-02T21:00:00.000Z';
    const events = signedInstantEvents({ paymentId: 'p', order, now: saturdayNight }, production);
    expect(instantFrom(events, saturdayNight).signed).toMatchObject({
      executionDate: '2027-01-02',
      dueAt: saturdayNight,
    });
  });

  it('has a deadline in real time, whatever the sandbox clock says', () => {
    expect(signed().signed?.answerBy).toBe(answerBy);
    expect(signed({ clockOffsetMs: 86_400_000 }).signed?.answerBy).toBe('2027-01-03T22:30:09.000Z');
  });

  it('is the start of a later requested day, at which the deadline begins', () => {
    const state = signed({ requestedExecutionDate: '2027-01-09' });
    const deadline = '2027-01-08T22:00:09.000Z';
    expect(state.signed).toEqual({
      signedAt: now,
      executionDate: '2027-01-09',
      dueAt: '2027-01-08T22:00:00.000Z',
      answerBy: deadline,
    });
    expect(instantProgress(state, now)).toEqual({ next: 'none' });
    const due = instantProgress(state, '2027-01-08T22:00:00.000Z');
    expect(due).toEqual({ next: 'hold', answerBy: deadline });
    const ahead = signed({ requestedExecutionDate: '2027-01-09', clockOffsetMs: 86_400_000 });
    expect(ahead.signed?.answerBy).toBe('2027-01-07T22:00:09.000Z');
  });
});

describe('an instant payment that the sandbox executes before its day (contract 13)', () => {
  const state = signed({ requestedExecutionDate: '2027-01-09' });

  it('is due at once and executed once it is sent, because it ends by itself', () => {
    const decision = bringForward(state, { now: later });
    expect(outcome(decision)).toEqual(['brought-forward']);
    const due = evolvePayment(
      state,
      { type: 'brought-forward', data: { dueAt: later } },
      later,
    ) as SinglePayment;
    expect(instantProgress(due, later)).toMatchObject({ next: 'hold' });
    expect(executionOf(due, [undefined])).toBe('in-progress');
    expect(executionOf(after(due, held), [undefined])).toBe('executed');
  });
});

describe('the cancellation of an instant payment (contract E3.6)', () => {
  const cancel = (state: SinglePayment, at: string): unknown =>
    outcome(cancelPayment(state, { tppId: 'tpp', now: at }));

  it('is refused after the last signature of an immediate one', () => {
    expect(cancel(signed(), now)).toBe('refused');
  });

  it('is possible for one with a later date until the start of that day', () => {
    const state = signed({ requestedExecutionDate: '2027-01-09' });
    expect(cancel(state, '2027-01-08T21:59:59.999Z')).toEqual(['cancelled']);
    expect(cancel(state, '2027-01-08T22:00:00.000Z')).toBe('refused');
  });

  it('wins over a hold that comes later, so that the hold is released', () => {
    const state = signed({ requestedExecutionDate: '2027-01-09' });
    const cancelled = evolvePayment(
      state,
      { type: 'cancelled', data: { tppId: 'tpp' } },
      now,
    ) as SinglePayment;
    expect(decide(cancelled, held)).toBe('refused');
    expect(decide(cancelled, released('AB11'))).toBe('refused');
  });
});

describe('the steps of an instant payment (contract E3.2, E3.3)', () => {
  it('are a hold, an answer and a post: ACSP, then ACSC with a booked entry', () => {
    expect(instantProgress(signed(), now)).toEqual({ next: 'hold', answerBy });
    const sent = after(signed(), held);
    expect(sent).toMatchObject({ status: 'ACSP', fundsAvailable: true });
    expect(instantProgress(sent, now)).toEqual({ next: 'send', answerBy });
    const answered = after(sent, confirmed);
    expect(answered.status).toBe('ACSP');
    expect(nextDueAt(answered)).toBe(now);
    expect(instantProgress(answered, now)).toEqual({ next: 'post' });
    const settled = after(answered, posted);
    expect(settled).toMatchObject({ status: 'ACSC', entryBooked: true });
    expect(isFinal(settled)).toBe(true);
    expect(instantProgress(settled, now)).toEqual({ next: 'none' });
    expect(nextDueAt(settled)).toBeUndefined();
  });

  it.each(Object.values(reasonOfRefusal))('end with RJCT and %s if nothing is held', (reasonCode) => {
    const state = after(signed(), released(reasonCode));
    expect(state).toMatchObject({ status: 'RJCT', reasonCode });
    expect(state.fundsAvailable).toBe(reasonCode === 'AM04' ? false : undefined);
    expect(isFinal(state)).toBe(true);
    expect(nextDueAt(state)).toBeUndefined();
  });

  it.each(['AC01', 'AC04', 'AG01', 'AB05', 'AB08', 'AB11', 'MS03'])(
    'end with RJCT and %s after the answer, once the hold is voided',
    (reasonCode) => {
      const answered = after(signed(), held, refused(reasonCode));
      expect(answered.status).toBe('ACSP');
      expect(instantProgress(answered, now)).toEqual({ next: 'void', reasonCode });
      const rejected = after(answered, released(reasonCode));
      expect(rejected).toMatchObject({ status: 'RJCT', reasonCode });
      expect(rejected.fundsAvailable).toBeUndefined();
    },
  );

  it('are never both posted and rejected: the first answer decides', () => {
    const yes = after(signed(), held, confirmed);
    expect(decide(yes, released('AB05'))).toBe('refused');
    expect(decide(yes, refused('AB05'))).toEqual([]);
    const no = after(signed(), held, refused('AB05'));
    expect(decide(no, posted)).toBe('refused');
  });

  it('cannot be skipped', () => {
    expect(decide(signed(), confirmed)).toBe('refused');
    expect(decide(signed(), posted)).toBe('refused');
    expect(decide(after(signed(), held), posted)).toBe('refused');
    expect(decide(after(signed(), held), released('AB05'))).toBe('refused');
  });

  it('change nothing when they are repeated after a crash', () => {
    const states = [held, confirmed, posted].map((step, index, steps) => ({
      step,
      state: after(signed(), ...steps.slice(0, index + 1)),
    }));
    for (const { step, state } of states) expect(decide(state, step)).toEqual([]);
    expect(decide(after(signed(), released('AM04')), released('AM04'))).toEqual([]);
    expect(decide(after(signed(), held, confirmed, posted), confirmed)).toEqual([]);
  });

  it('are the only ones: the one-minute job settles no instant payment', () => {
    const hold = { step: 'settlement-started', holdId: 'hold-1', transactionId: 'tx-1' } as const;
    expect(outcome(decideSettlementStep(signed(), hold, later, profile))).toBe('refused');
    const settle = { step: 'settled', postingId: 'post-1' } as const;
    expect(outcome(decideSettlementStep(after(signed(), held), settle, later, profile))).toBe('refused');
  });
});

describe('a confirmation after the rejection (contract E3.5)', () => {
  const rejected = after(signed(), held, refused('AB05'), released('AB05'));

  it('is recorded once and changes neither the status nor the reason', () => {
    expect(decide(rejected, confirmed)).toEqual(['instant-answered-late']);
    const late = after(rejected, confirmed);
    expect(late).toMatchObject({ status: 'RJCT', reasonCode: 'AB05', instant: { answeredLate: true } });
    expect(decide(late, confirmed)).toEqual([]);
  });

  it('is recorded as well between the decision and the end of the hold, which is voided all the same', () => {
    const late = after(signed(), held, refused('AB05'), confirmed);
    expect(instantProgress(late, now)).toEqual({ next: 'void', reasonCode: 'AB05' });
  });

  it('is nothing if the later answer rejects as well', () => {
    expect(decide(rejected, refused('AB05'))).toEqual([]);
  });
});
