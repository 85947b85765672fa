// Lane: nightly (instant payments have ten seconds, and their worker is killed).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { initiate, type Initiated, readStatus, until } from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Pool } from 'pg';
import type { LateInstants } from '../payments/late-instants.js';
import { makeOperator } from '../testing/command-process.js';

const product = 'instant-SEPA-credit-transfer';
const atOnce = 'DE89370400440532013000';
const closed = 'BG73XSBV92001000000203';
/** Payees whose banks are away, silent, refuse, or settle at once or after eight seconds (contract E8.2). */
const payees = [
  atOnce,
  'BG30XSBV92001000000201',
  'BG03XSBV92001000000202',
  closed,
  'BG46XSBV92001000000204',
  'BG19XSBV92001000000205',
];

let world: World;
let operator: ReturnType<typeof makeOperator>;
let tpp: TppClient;
let token: string;
let database: Pool;
let psus: readonly FreshPsu[];
beforeAll(async () => {
  world = await World.inEuro();
  operator = makeOperator(world.dataDir);
  database = new Pool({ connectionString: world.sandbox.databaseUrl('postgres'), max: 1 });
  tpp = world.tpp();
  token = await tpp.applicationToken();
  psus = await Promise.all(payees.map(async () => world.person('1000.00')));
}, 120_000);
afterAll(async () => {
  await database?.end();
  await world?.stop();
});

const count = async (from: string, ids: readonly string[]): Promise<number> => {
  const { rows } = await database.query<{ count: string }>(`SELECT count(*) FROM ${from}`, [ids]);
  return Number(rows[0]?.count);
};
const sign = async ({ scaRedirect }: Initiated, psu: FreshPsu): Promise<void> => {
  await walkAndApprove(world.browser(), scaRedirect, psu);
};
const bodyTo = (payee: string): Record<string, unknown> => ({
  ...euroExampleBodies[product],
  debtorAccount: undefined,
  creditorAccount: { iban: payee },
  creditorAgent: undefined,
  instructedAmount: { currency: 'EUR', amount: '1.00' },
});
const debtorOf = (psu: FreshPsu) => ({ debtorAccount: { iban: psu.accounts[0]?.iban } });
/** One payment to each of the payees, each from another person. */
const initiateWave = async (): Promise<readonly Initiated[]> =>
  Promise.all(
    psus.map(async (psu, index) =>
      initiate(
        tpp,
        token,
        { ...bodyTo(payees[index] ?? ''), ...debtorOf(psu) },
        {},
        `/v1/payments/${product}`,
      ),
    ),
  );
const ended = async ({ path }: Initiated, seconds = 30): Promise<unknown> => {
  const { transactionStatus } = await until(
    async () => readStatus(tpp, token, path),
    (status) => ['ACSC', 'RJCT', 'PART'].includes(String(status['transactionStatus'])),
    seconds,
  );
  return transactionStatus;
};
const transfersOf = async (paymentId: string): Promise<string[]> => {
  const { rows } = await database.query<{ kind: string }>(
    'SELECT kind FROM accounts.transfer WHERE payment_id = $1 ORDER BY kind',
    [paymentId],
  );
  return rows.map(({ kind }) => kind);
};

const payments: { readonly payment: Initiated; readonly status: unknown }[] = [];
const anyWith = (status: string): string => {
  const found = payments.find((one) => one.status === status)?.payment.paymentId;
  if (found === undefined) throw new Error(`no payment is ${status}`);
  return found;
};
/** A rejected payment whose amount was held. */
const rejectedWithHold = async (): Promise<string> => {
  for (const { payment, status } of payments)
    if (status === 'RJCT' && (await transfersOf(payment.paymentId)).length > 0) return payment.paymentId;
  throw new Error('no rejected payment was held');
};

describe('instant payments whose worker is killed at several moments (contract E3.5)', () => {
  it('each end as ACSC and posted, or as RJCT and voided, and never both', async () => {
    const all: Initiated[] = [];
    for (const steps of [1, 2, 3, 4, 6]) {
      const wave = await initiateWave();
      all.push(...wave);
      const signing = Promise.all(
        wave.map(async (payment, index) => {
          const psu = psus[index];
          if (psu !== undefined) await sign(payment, psu);
        }),
      );
      const ids = wave.map(({ paymentId }) => paymentId);
      await until(
        async () =>
          count(
            `payments.events WHERE stream_id = ANY($1::uuid[])
               AND type IN ('settlement-started', 'instant-answered', 'settled', 'instant-rejected')`,
            ids,
          ),
        (recorded) => recorded >= steps,
      );
      const { pid } = world.sandbox.services['settlement-worker'];
      world.kill('settlement-worker');
      await until(
        async () => {
          await nextTurn();
          return world.sandbox.services['settlement-worker'].pid;
        },
        (now) => now > 0 && now !== pid,
      );
      await signing;
    }
    expect(all).toHaveLength(30);
    for (const payment of all) payments.push({ payment, status: await ended(payment) });
    const ways = { ACSC: [['hold', 'post']], RJCT: [['hold', 'void'], []] };
    for (const { payment, status } of payments)
      await until(
        async () => transfersOf(payment.paymentId),
        (kinds) =>
          ways[status as keyof typeof ways].some((way) => JSON.stringify(way) === JSON.stringify(kinds)),
      );
    expect(new Set(payments.map(({ status }) => status))).toEqual(new Set(['ACSC', 'RJCT']));
  }, 90_000);
});

interface Links {
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}

/** Signs a payment in a signing basket, after its payee was verified. */
const signInBasket = async (psu: FreshPsu): Promise<void> => {
  const body = { ...bodyTo(atOnce), ...debtorOf(psu) };
  const payment = await initiate(tpp, token, body, {}, `/v1/payments/${product}`);
  const json = { paymentIds: [payment.paymentId] };
  const basket = await tpp.call('POST', '/v1/signing-baskets', token, { json });
  await sign({ ...payment, scaRedirect: bodyOf<Links>(basket, 201)._links.scaRedirect.href }, psu);
  expect(await ended(payment)).toBe('ACSC');
};

describe('xs2a doctor --deep in a bank with instant payments', () => {
  let bulkId: string;

  it('finds nothing wrong with settled and rejected ones, also in a bulk payment or a signing basket', async () => {
    const [psu] = psus;
    if (psu === undefined) throw new Error('no person');
    const entries = [atOnce, closed].map(bodyTo);
    const body = { ...debtorOf(psu), payments: entries };
    const bulk = await initiate(tpp, token, body, {}, `/v1/bulk-payments/${product}`);
    await sign(bulk, psu);
    expect(await ended(bulk)).toBe('PART');
    bulkId = bulk.paymentId;
    await signInBasket(psu);
    const { stdout } = await operator.xs2a('doctor', '--deep');
    expect(stdout.match(/^✗ invariant.*$/gm)).toBeNull();
    expect(stdout.match(/^✓ invariant \d/gm)).toHaveLength(8);
  }, 60_000);

  it('finds an instant payment that is both posted and rejected, settled against the answer, or booked later', async () => {
    const [rejected, settled] = [await rejectedWithHold(), anyWith('ACSC')];
    await database.query(
      "UPDATE accounts.transfer SET kind = 'post' WHERE payment_id = $1 AND kind = 'void'",
      [rejected],
    );
    await database.query(
      `UPDATE payments.events SET data = jsonb_set(data::jsonb, '{answer}', '{"outcome": "rejected", "reasonCode": "AC04"}')::json
       WHERE stream_id = $1 AND type = 'instant-answered'`,
      [settled],
    );
    await database.query(
      `UPDATE accounts.entry SET book_at = pending_at + interval '1 hour'
       WHERE transfer_id = (SELECT id FROM accounts.transfer WHERE payment_id = $1 AND kind = 'hold')`,
      [settled],
    );
    await database.query(
      `UPDATE accounts.transfer SET kind = 'post' WHERE kind = 'void' AND pending_id IN (
         SELECT (data->>'holdId')::uuid FROM payments.events WHERE stream_id = $1 AND type = 'transaction-started')`,
      [bulkId],
    );
    const { stdout, code } = await operator.xs2a('doctor', '--deep');
    expect(code).toBe(1);
    const line = /^✗ invariant 2 .*$/m.exec(stdout)?.[0];
    expect(line).toContain(`payment ${rejected} (RJCT) has 1 holds, 1 posts, 0 voids`);
    expect(line).toContain(`instant payment ${settled} has 1 × answered (rejected), 1 × settled`);
    expect(line).toContain(`instant payment ${settled} is settled, and its entry is booked later`);
    expect(line).toContain(
      `transaction 2 of ${bulkId} has 1 holds, 1 posts, 0 voids, 0 × settled, 1 × rejected`,
    );
  }, 60_000);

  it('finds a payment that was signed before its payee was verified', async () => {
    const [first, second] = payments.slice(-2);
    if (first === undefined || second === undefined) throw new Error('no payments');
    const signedWithout = second.payment.paymentId;
    await database.query(
      "UPDATE payments.events SET type = 'accepted' WHERE stream_id = $1 AND type = 'payee-verified'",
      [signedWithout],
    );
    const { stdout } = await operator.xs2a('doctor', '--deep');
    const line = /^✗ invariant 6 .*$/m.exec(stdout)?.[0];
    expect(line).toContain(`payment ${signedWithout} was signed before its payees were verified`);
    expect(line).not.toContain(`payment ${first.payment.paymentId} was signed before`);
  }, 60_000);
});

describe('xs2a settlement late (docs/runbooks/instant-answered-late.md)', () => {
  it('lists the instant payments that were confirmed after their rejection, newest first', async () => {
    expect((await operator.xs2a('settlement', 'late')).stdout).toBe('0 confirmed after rejection\n');
    const [single, bulkPayment] = [anyWith('RJCT'), randomUUID()];
    await database.query(
      `INSERT INTO settlement.instant_follow_up (payment_id, confirmed_at, part_of_payment, part_number)
       VALUES ($1, now(), NULL, NULL), ($2, now() - interval '1 hour', $3, 3)
       -- The worker may be asking about it already.
       ON CONFLICT (payment_id) DO UPDATE SET confirmed_at = excluded.confirmed_at`,
      [single, randomUUID(), bulkPayment],
    );
    const late = await operator.oneJson<LateInstants>('settlement', 'late');
    expect(late).toMatchObject({
      total: 2,
      payments: [
        { paymentId: single, number: null, amount: '1.00 EUR' },
        { paymentId: bulkPayment, number: 3, amount: null },
      ],
    });
    const { stdout } = await operator.xs2a('settlement', 'late', '--limit', '1');
    expect(stdout).toMatch(
      new RegExp(`^2 confirmed after rejection\\npayment .*\\n${single} +\\S+Z +1\\.00 EUR\\n$`),
    );
    expect((await operator.xs2a('settlement', 'late')).stdout).toContain(`\n${bulkPayment}#3 `);
  });

  it('closes those that were handled, with a reason that is recorded, and refuses what is not listed', async () => {
    const { payments: listed } = await operator.oneJson<LateInstants>('settlement', 'late');
    const close = async (id: string, ...more: readonly string[]) =>
      operator.xs2a('settlement', 'late', 'close', id, ...more);
    const reason = ['--reason', 'case 4711: returned'];
    for (const { paymentId, number } of listed) {
      const id = number === null ? paymentId : `${paymentId}#${number}`;
      const { stdout, code } = await close(id, ...reason);
      expect([code, stdout]).toEqual([0, '✓ The payment is closed and no longer listed.\n']);
      expect((await close(id, ...reason)).code).toBe(1);
    }
    expect((await operator.xs2a('settlement', 'late')).stdout).toBe('0 confirmed after rejection\n');
    expect((await close('seven', ...reason)).code).toBe(2);
    expect((await close(randomUUID())).code).toBe(2);
  });
});
