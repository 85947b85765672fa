import { describe, expect, it } from '@jest/globals';
import { bulkFrom, signedBulkEvents } from '../../testing/initiations.js';
import { makeProfile } from '../../testing/profiles.js';
import { cancelPayment } from '../decide-payment.js';
import { evolvePayment } from '../evolve-payment.js';
import type { BulkPayment } from '../payment-state.js';
import { isFinal } from '../payment-transitions.js';
import { nextDueAt } from '../settlement/due.js';
import { decideInstantStep, decideInstantSteps, instantProgress } from './decide-instant.js';
import { instantEntriesUnderWay } from './instant-entries.js';
import { instantProduct } from './instant-payments.js';
import type { InstantStep } from './instant-steps.js';

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
const signed = (entries: number): BulkPayment => {
  const orders = Array.from({ length: entries }, () => order);
  const events = signedBulkEvents({ orders }, { paymentId: 'bulk-1', now, profile, product: instantProduct });
  return bulkFrom(events);
};
const held: InstantStep = { step: 'held', holdId: 'hold', transactionId: 'tx', answerBy };
const settled: readonly InstantStep[] = [
  held,
  { step: 'answered', answer: { outcome: 'settled' } },
  { step: 'posted', postingId: 'post' },
];
const rejected = (reasonCode: string): readonly InstantStep[] => [
  held,
  { step: 'answered', answer: { outcome: 'rejected', reasonCode } },
  { step: 'released', reasonCode },
];
const refused = (reasonCode: string): readonly InstantStep[] => [{ step: 'released', reasonCode }];
const decide = (state: BulkPayment, number: number, step: InstantStep): unknown => {
  const decision = decideInstantStep(state, step, now, number);
  return 'refused' in decision ? 'refused' : decision.events.map(({ type }) => type);
};
/** The bulk payment after these steps of its entries, in turn. */
const after = (state: BulkPayment, entries: Readonly<Record<number, readonly InstantStep[]>>): BulkPayment =>
  Object.entries(entries).reduce<BulkPayment>(
    (bulk, [number, steps]) =>
      steps.reduce<BulkPayment>((before, step) => {
        const decision = decideInstantStep(before, step, now, Number(number));
        if ('refused' in decision) throw new Error(`${step.step} of ${number} was refused`);
        return decision.events.reduce(
          (next, event) => evolvePayment(next, event, now) as BulkPayment,
          before,
        );
      }, bulk),
    state,
  );

describe('a bulk payment of instant payments (contract E3.8)', () => {
  it('begins at the signature, up to ten entries at a time, in their order', () => {
    const bulk = signed(25);
    expect(bulk.signed?.dueAt).toBe(now);
    expect(instantEntriesUnderWay(bulk, now)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const later = after(bulk, { 1: settled, 2: [held], 3: rejected('AC04') });
    expect(instantEntriesUnderWay(later, now)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(instantProgress(later, now, 2)).toEqual({ next: 'send', answerBy });
    expect(instantProgress(later, now, 12)).toEqual({ next: 'hold' });
  });

  it('is ACSC if all entries are paid', () => {
    const bulk = after(signed(2), { 1: settled, 2: settled });
    expect(bulk).toMatchObject({
      status: 'ACSC',
      entries: [{ transactionStatus: 'ACSC' }, { transactionStatus: 'ACSC' }],
    });
    expect(isFinal(bulk)).toBe(true);
    expect(nextDueAt(bulk)).toBeUndefined();
  });

  it('is PART if some are paid, and each other entry has its reason', () => {
    const bulk = after(signed(3), { 1: rejected('AB08'), 2: settled, 3: refused('AM04') });
    expect(bulk).toMatchObject({
      status: 'PART',
      entries: [
        { transactionStatus: 'RJCT', reasonCode: 'AB08' },
        { transactionStatus: 'ACSC' },
        { transactionStatus: 'RJCT', reasonCode: 'AM04', fundsAvailable: false },
      ],
    });
    expect(bulk.reasonCode).toBeUndefined();
    expect(nextDueAt(bulk)).toBeUndefined();
  });

  it('is RJCT with the reason of the first entry if none is paid, whichever entry ends last', () => {
    const last = after(signed(2), { 1: refused('AM14'), 2: rejected('AC04') });
    expect(last).toMatchObject({ status: 'RJCT', reasonCode: 'AM14' });
    const open = after(signed(2), { 2: rejected('AC04') });
    expect(after(open, { 1: rejected('AB05') })).toMatchObject({ status: 'RJCT', reasonCode: 'AB05' });
    expect(after(signed(2), { 1: refused('AM04'), 2: refused('AM04') })).toMatchObject({
      status: 'RJCT',
      fundsAvailable: false,
    });
  });

  it('posts or rejects each entry by its first answer, once', () => {
    const bulk = after(signed(2), { 1: settled.slice(0, 2) });
    expect(decide(bulk, 1, { step: 'released', reasonCode: 'AB05' })).toBe('refused');
    expect(
      decide(bulk, 1, { step: 'answered', answer: { outcome: 'rejected', reasonCode: 'AB05' } }),
    ).toEqual([]);
    expect(decide(bulk, 2, { step: 'posted', postingId: 'post' })).toBe('refused');
    expect(decide(bulk, 3, held)).toBe('refused');
    const done = after(bulk, { 1: settled.slice(2) });
    for (const step of settled.slice(2)) expect(decide(done, 1, step)).toEqual([]);
    expect(
      decide(after(signed(2), { 1: refused('AC06') }), 1, { step: 'released', reasonCode: 'AC06' }),
    ).toEqual([]);
  });

  it('records a late confirmation of an entry once, also after its end', () => {
    const bulk = after(signed(2), { 1: rejected('AB05'), 2: settled });
    const late: InstantStep = { step: 'answered', answer: { outcome: 'settled' } };
    expect(decide(bulk, 1, late)).toEqual(['instant-answered-late']);
    const recorded = after(bulk, { 1: [late] });
    expect(recorded).toMatchObject({ status: 'PART', entries: [{ reasonCode: 'AB05' }, {}] });
    const again = [1, 2].map((number) => ({ step: late, number }));
    const { outcomes } = decideInstantSteps(recorded, again, now);
    expect(outcomes.map(({ answeredLate }) => answeredLate)).toEqual([true, false]);
    expect(decide(recorded, 1, late)).toEqual([]);
  });

  it('cannot be cancelled after the last signature', () => {
    expect(cancelPayment(signed(2), { tppId: 'tpp', now })).toMatchObject({
      refused: { failure: 'cancellationNotPossible' },
    });
  });
});
