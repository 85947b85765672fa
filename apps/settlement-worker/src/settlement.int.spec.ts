import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { type Moment, outside, type Step } from './testing/outside.js';
import { ignoreFailedCall, type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 90_000);
afterAll(async () => world.stop(), 30_000);
afterEach(async () => {
  outside.interfere = async () => undefined;
  expect(await ledgerViolations(world.bank.pool)).toEqual([]);
});

/**
 * Reads whether a payment is still due and how often the worker failed to settle it; returns no row if no work is
 * left.
 */
const left = async (paymentId: string) =>
  world.sql(
    `SELECT due_at IS NOT NULL AS due, u.attempts FROM payments.payment_view
     LEFT JOIN settlement.unfinished u ON payment_id = stream_id
     WHERE stream_id = $1 AND (due_at IS NOT NULL OR payment_id IS NOT NULL)`,
    [paymentId],
  );
const entryToBook = [{ due: true, attempts: null }];
const signedToAcsc = ['initiated', 'accepted', 'signed', 'settlement-started', 'settled'];
/** Fails once, at one point of one step. */
const breakOnce = (step: Step, moment: Moment, error: () => Error): { broke: boolean } => {
  const result = { broke: false };
  outside.interfere = async (at, when) => {
    if (result.broke || at !== step || when !== moment) return;
    result.broke = true;
    throw error();
  };
  return result;
};
describe('settlement of a funded payment (spec 3.1, contract 8)', () => {
  it('happens one minute after the signature, and books the entry five minutes later', async () => {
    const from = await world.account(10_000);
    const paymentId = await world.signed({ from, minor: 2500 });
    await world.later(55);
    expect((await world.state(paymentId)).status).toBe('ACCP');
    expect(await world.transfers(paymentId)).toEqual([]);
    await world.later(6);
    expect(await world.state(paymentId)).toMatchObject({
      status: 'ACSC',
      fundsAvailable: true,
      entryBooked: false,
    });
    expect(await world.transfers(paymentId)).toEqual(['hold', 'post']);
    expect(await left(paymentId)).toEqual(entryToBook);
    await world.later(295);
    expect((await world.state(paymentId)).entryBooked).toBe(false);
    await world.later(6);
    expect(await world.eventTypes(paymentId)).toEqual([...signedToAcsc, 'entry-booked']);
    expect(await left(paymentId)).toEqual([]);
  });
});

describe('insufficient funds (spec 3.1)', () => {
  it('are final: no money moves, and the funds are not checked again later', async () => {
    const from = await world.account(10_000);
    const paymentId = await world.signed({ from, minor: 10_001 });
    await world.later(61);
    expect(await world.state(paymentId)).toMatchObject({ status: 'ACCP', fundsAvailable: false });
    await world.bank.bank.tools.deposit({ iban: from, body: { amount: '500.00', currency: 'BGN' } });
    await world.later(3600);
    expect(await world.eventTypes(paymentId)).toEqual(['initiated', 'accepted', 'signed', 'funds-refused']);
    expect(await world.transfers(paymentId)).toEqual([]);
    expect(await left(paymentId)).toEqual([]);
  });

  it('do not stop payments that are covered; these settle in the order in which they are due', async () => {
    const from = await world.account(10_000);
    const ids = [];
    for (const minor of [6000, 6000, 4000, 1]) ids.push(await world.signed({ from, minor }));
    await world.later(61);
    const states = await Promise.all(ids.map(async (id) => world.state(id)));
    expect(states.map(({ fundsAvailable }) => fundsAvailable)).toEqual([true, false, true, false]);
  });

  it('are determined with the money from earlier payments of the same batch, but not from later ones', async () => {
    const [first, second, third] = [
      await world.account(1000),
      await world.account(0),
      await world.account(1000),
    ];
    const early = await world.signed({ from: second, minor: 400 });
    const paysIn = await world.signed({ from: first, minor: 1000, to: second });
    const onward = await world.signed({ from: second, minor: 700, to: third });
    const last = await world.signed({ from: third, minor: 1700 });
    await world.later(61);
    const states = await Promise.all([early, paysIn, onward, last].map(async (id) => world.state(id)));
    expect(states.map(({ fundsAvailable }) => fundsAvailable)).toEqual([false, true, true, true]);
  });
});

describe('cancellation versus settlement (spec 3.3): one winner, money moves once or not at all', () => {
  it('holds nothing for a payment that was cancelled before it was due', async () => {
    const from = await world.account(10_000);
    const cancelled = await world.signed({ from, minor: 10_000 });
    const other = await world.signed({ from, minor: 10_000 });
    await world.cancel(cancelled);
    await world.later(61);
    expect(await world.transfers(cancelled)).toEqual([]);
    expect((await world.state(other)).status).toBe('ACSC');
  });

  it('has one winner in 50 interleavings: before, during and after each step', async () => {
    const moments: (readonly [Step, Moment])[] = [
      ['due', 'before'],
      ['due', 'after'],
      ['hold', 'before'],
      ['hold', 'after'],
      ['started', 'before'],
      ['started', 'after'],
      ['post', 'before'],
      ['post', 'after'],
      ['settled', 'before'],
      ['settled', 'after'],
    ];
    const from = await world.account(100_000);
    const plan = new Map<string, readonly [Step, Moment]>();
    for (let index = 0; index < 50; index += 1) {
      const moment = moments[index % moments.length];
      if (moment !== undefined) plan.set(await world.signed({ from, minor: 100 + index }), moment);
    }
    const answers = new Map<string, Promise<string>>();
    outside.interfere = async (step, moment) => {
      const now = [...plan].filter(([id, [s, m]]) => s === step && m === moment && !answers.has(id));
      for (const [id] of now) answers.set(id, world.cancel(id));
      // Every second call is not awaited, so it races with the next step.
      await Promise.all(now.filter((_, index) => index % 2 === 0).map(async ([id]) => answers.get(id)));
    };
    await world.later(61);
    for (const [id] of plan) {
      const answer = await (answers.get(id) ?? world.cancel(id));
      const { status } = await world.state(id);
      const transfers = await world.transfers(id);
      const moved = transfers.includes('post');
      expect({ answer, status, moved }).toEqual(
        answer === 'cancelled'
          ? { answer, status: 'CANC', moved: false }
          : { answer: 'too late', status: 'ACSC', moved: true },
      );
      if (!moved) expect([[], ['hold', 'void']]).toContainEqual(transfers);
    }
    const winners = new Set(
      await Promise.all([...plan.keys()].map(async (id) => (await world.state(id)).status)),
    );
    expect([...winners].sort()).toEqual(['ACSC', 'CANC']);
  }, 30_000);

  it('makes money held for a cancelled payment available to the next one in the same batch', async () => {
    const from = await world.account(10_000);
    const cancelled = await world.signed({ from, minor: 10_000 });
    const next = await world.signed({ from, minor: 10_000 });
    outside.interfere = async (step, moment) => {
      if (step === 'hold' && moment === 'after') await world.cancel(cancelled);
    };
    await world.later(61);
    expect(await world.transfers(cancelled)).toEqual(['hold', 'void']);
    expect(await world.state(next)).toMatchObject({ status: 'ACSC' });
  });
});

describe('settlement after a crash between two steps (architecture, Settlement)', () => {
  const steps: readonly Step[] = ['due', 'hold', 'started', 'post', 'settled'];
  const cases = steps.flatMap((step) => [
    { step, moment: 'before' as const },
    { step, moment: 'after' as const },
  ]);

  it.each(cases)(
    'completes exactly once when the called service goes down $moment $step',
    async ({ step, moment }) => {
      const from = await world.account(10_000);
      const ids = [await world.signed({ from, minor: 2500 }), await world.signed({ from, minor: 2500 })];
      const fault = breakOnce(step, moment, () => dependencyDown());
      await world.later(61).catch(ignoreFailedCall);
      await world.retryNow();
      expect(fault.broke).toBe(true);
      for (const id of ids) {
        expect(await world.eventTypes(id)).toEqual(signedToAcsc);
        expect(await world.transfers(id)).toEqual(['hold', 'post']);
        expect(await left(id)).toEqual(entryToBook);
      }
    },
  );

  it.each(cases)(
    'completes exactly once when an unexpected error occurs $moment $step',
    async ({ step, moment }) => {
      const from = await world.account(10_000);
      const id = await world.signed({ from, minor: 2500 });
      const fault = breakOnce(step, moment, () => new TypeError('broken'));
      await world.later(61).catch(ignoreFailedCall);
      await world.retryNow();
      expect(fault.broke).toBe(true);
      expect(await world.eventTypes(id)).toEqual(signedToAcsc);
      expect(await world.transfers(id)).toEqual(['hold', 'post']);
    },
  );

  it('releases the remaining hold if the payment is cancelled before the step is repeated', async () => {
    const from = await world.account(10_000);
    const id = await world.signed({ from, minor: 2500 });
    outside.interfere = async (step, moment) => {
      if (step === 'hold' && moment === 'after') throw dependencyDown();
    };
    await expect(world.later(61)).rejects.toThrow('dependencyDown');
    expect(await world.transfers(id)).toEqual(['hold']);
    expect(await world.cancel(id)).toBe('cancelled');
    outside.interfere = async () => undefined;
    await world.retryNow();
    expect(await world.transfers(id)).toEqual(['hold', 'void']);
    expect(await left(id)).toEqual([]);
  });

  it('keeps a recorded refusal even if the money has arrived in the meantime', async () => {
    const from = await world.account(0);
    const id = await world.signed({ from, minor: 2500 });
    let recorded = false;
    outside.interfere = async (step, moment) => {
      recorded ||= step === 'refused' && moment === 'after';
      if (recorded) throw dependencyDown();
    };
    await expect(world.later(61)).rejects.toThrow('dependencyDown');
    await world.bank.bank.tools.deposit({ iban: from, body: { amount: '500.00', currency: 'BGN' } });
    outside.interfere = async () => undefined;
    await world.retryNow();
    expect(await world.eventTypes(id)).toEqual(['initiated', 'accepted', 'signed', 'funds-refused']);
    expect(await world.transfers(id)).toEqual([]);
  });

  it('repeats the booking of the entry', async () => {
    const from = await world.account(10_000);
    const id = await world.signed({ from, minor: 2500 });
    await world.later(61);
    const fault = breakOnce('booked', 'after', () => dependencyDown());
    await world.later(301).catch(ignoreFailedCall);
    await world.retryNow();
    expect(fault.broke).toBe(true);
    expect(await world.eventTypes(id)).toEqual([...signedToAcsc, 'entry-booked']);
    expect(await left(id)).toEqual([]);
  });
});

describe('failures during settlement (architecture, Settlement)', () => {
  const degraded = async (): Promise<readonly string[]> => (await world.worker.health.ready()).degraded;

  it('of one payment do not cause the refusal of others that it would have covered', async () => {
    const [first, second] = [await world.account(1000), await world.account(0)];
    await world.signed({ from: first, minor: 1000, to: second });
    const onward = await world.signed({ from: second, minor: 700 });
    breakOnce('hold', 'before', () => new TypeError('broken'));
    await world.later(61);
    await world.retryNow();
    expect(await world.state(onward)).toMatchObject({ status: 'ACSC' });
  });

  it('do not cause the refusal of payments that an earlier one covers, even if a service is down for a long time', async () => {
    const [first, second] = [await world.account(1000), await world.account(0)];
    await world.signed({ from: first, minor: 1000, to: second });
    const onward = await world.signed({ from: second, minor: 700 });
    let down = true;
    outside.interfere = async (step, moment) => {
      if (down && step === 'hold' && moment === 'before') throw dependencyDown();
    };
    await world.later(61).catch(ignoreFailedCall);
    for (let tries = 0; tries < 12; tries += 1) {
      await world.drain().catch(ignoreFailedCall);
      const rows = await world.sql('SELECT payment_id FROM settlement.unfinished WHERE retry_at > now()');
      if (rows.length === 1) break;
    }
    down = false;
    await world.drain().catch(ignoreFailedCall);
    await world.retryNow();
    expect(await world.state(onward)).toMatchObject({ status: 'ACSC' });
  }, 60_000);

  it('of one payment do not stop the others, and the payment is retried later', async () => {
    const from = await world.account(100_000);
    const ids = [];
    for (let index = 0; index < 12; index += 1) ids.push(await world.signed({ from, minor: 100 }));
    const [, poisoned = ''] = ids;
    outside.interfere = async (step, moment, paymentIds) => {
      if (step === 'post' && moment === 'before' && paymentIds.includes(poisoned))
        throw new TypeError('broken');
    };
    await world.later(61);
    const states = await Promise.all(ids.map(async (id) => (await world.state(id)).status));
    expect(states).toEqual(ids.map((id) => (id === poisoned ? 'ACSP' : 'ACSC')));
    expect(
      await world.sql(
        'SELECT attempts > 0 AS counted, retry_at IS NOT NULL AS later, last_failure FROM settlement.unfinished WHERE payment_id = $1',
        [poisoned],
      ),
    ).toEqual([{ counted: true, later: true, last_failure: 'internal' }]);
    expect((await degraded()).join()).toMatch(/1 due payments failed/);
    outside.interfere = async () => undefined;
    await world.retryNow();
    expect(await world.eventTypes(poisoned)).toEqual(signedToAcsc);
    await world.drain();
    expect(await degraded()).toEqual([]);
  });

  it('are repaired if the ledger lost a hold in a reset to an earlier state: the worker places the hold again and pays', async () => {
    const from = await world.account(1000);
    const id = await world.signed({ from, minor: 1000 });
    await outside.payments.many.change(
      [id],
      () => ({
        events: [
          {
            type: 'settlement-started',
            data: { holdId: id, transactionId: id, bookAt: world.worker.clock.now() },
          },
        ],
      }),
      { actor: 'settlement' },
    );
    await world.later(61);
    expect((await world.state(id)).status).toBe('ACSC');
    expect(await world.transfers(id)).toEqual(['hold', 'post']);
  });

  it('make all payments wait while a service is down', async () => {
    const from = await world.account(10_000);
    const id = await world.signed({ from, minor: 100 });
    outside.interfere = async () => {
      throw dependencyDown();
    };
    await expect(world.later(61)).rejects.toThrow('dependencyDown');
    // The wait may end because its own call fails, before the pass that also fails.
    while (!/due payments wait/.test((await degraded()).join())) await world.drain().catch(ignoreFailedCall);
    expect((await world.worker.health.ready()).ok).toBe(true);
    outside.interfere = async () => undefined;
    await world.retryNow();
    expect((await world.state(id)).status).toBe('ACSC');
  });

  it('do not block other payments if a service never responds for one payment', async () => {
    const from = await world.account(100_000);
    const ids = [];
    for (let index = 0; index < 20; index += 1) ids.push(await world.signed({ from, minor: 100 }));
    const [first = ''] = ids;
    outside.interfere = async (step, _moment, paymentIds) => {
      if (step !== 'due' && step !== 'read' && paymentIds.includes(first)) throw dependencyDown();
    };
    await expect(world.later(61)).rejects.toThrow('dependencyDown');
    for (let tries = 0; tries < 10; tries += 1) await world.drain().catch(ignoreFailedCall);
    const states = await Promise.all(ids.map(async (id) => (await world.state(id)).status));
    expect(states).toEqual(ids.map((id) => (id === first ? 'ACCP' : 'ACSC')));
    outside.interfere = async () => undefined;
    await world.retryNow();
    expect((await world.state(first)).status).toBe('ACSC');
  });
});
