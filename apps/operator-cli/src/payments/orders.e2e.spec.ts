// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayFrom, domesticPayment, sandboxNow } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { Pool } from 'pg';
import type { ShownPayment } from './show.js';
import type { Queue } from './settlement-queue.js';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let owner: Pool;
beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  owner = new Pool({ connectionString: world.sandbox.databaseUrl('xs2a_owner'), max: 1 });
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await world?.stop();
});

/** Initiates and signs a payment; returns its id. */
const signed = async (psu: FreshPsu, path: string, json: Record<string, unknown>): Promise<string> => {
  const tpp = world.tpp();
  const answer = await tpp.call('POST', path, await tpp.applicationToken(), { json });
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  const { paymentId, _links } = parseJson<{ paymentId: string; _links: { scaRedirect: { href: string } } }>(
    answer,
  );
  await walkAndApprove(world.browser(), _links.scaRedirect.href, psu);
  return paymentId;
};
const firstIban = (psu: FreshPsu): string => psu.accounts[0]?.iban ?? '';
const show = async (id: string): Promise<ShownPayment> => operator.oneJson('payments', 'show', id);

describe('xs2a payments show (docs/how-to/operate.md)', () => {
  it('shows a periodic order’s schedule, its occurrences (including those without funds) and the next occurrence', async () => {
    const psu = await world.person('15.00');
    const startDate = dayFrom(await sandboxNow(world), 1);
    const body = domesticPayment(firstIban(psu), '10.00', {
      frequency: 'Daily',
      numberOfPayments: 3,
      startDate,
    });
    const id = await signed(psu, '/v1/periodic-payments/domestic', body);
    await world.advance('P2D');
    const order = await show(id);
    expect(order).toMatchObject({
      service: 'periodic-payments',
      status: 'ACSP',
      amount: '10.00 BGN',
      debtor: `…${firstIban(psu).slice(-4)}`,
      schedule: { frequency: 'Daily', startDate, numberOfPayments: 3 },
    });
    expect(order.occurrences).toMatchObject([
      { number: 1, executionDate: startDate, fundsAvailable: true },
      { number: 2, fundsAvailable: false },
      { number: 3 },
    ]);
    const { stdout } = await operator.xs2a('payments', 'show', id);
    expect(stdout).toContain(`Daily from ${startDate}, 3 payments\n`);
    expect(stdout).toMatch(/^ +2 +\S+ +ACTC +no funds$/m);
    expect(stdout).toMatch(/^ +3 +\S+ +next$/m);
    expect(stdout).not.toContain(firstIban(psu));
  });

  it('shows whether a periodic order was stopped by the PSU or cancelled by the TPP', async () => {
    const psu = await world.person('15.00');
    const startDate = dayFrom(await sandboxNow(world), 1);
    const body = domesticPayment(firstIban(psu), '10.00', { frequency: 'Daily', startDate });
    const path = '/v1/periodic-payments/domestic';
    const [stopped, cancelled] = [await signed(psu, path, body), await signed(psu, path, body)];
    const browser = world.browser();
    const signIn = await browser.open(`${world.baseUrl}/sca/payments`);
    const own = await browser.submit(signIn, { psuId: psu.psuId, password: psu.password });
    await browser.submit(own, { paymentId: stopped }, 'stop');
    await world.tpp().call('DELETE', `${path}/${cancelled}`, await world.tpp().applicationToken());
    for (const [id, isStoppedByPsu] of [
      [stopped, true],
      [cancelled, false],
    ] as const) {
      expect(await show(id)).toMatchObject({ status: 'CANC', isStoppedByPsu });
      const { stdout } = await operator.xs2a('payments', 'show', id);
      expect(stdout.includes('stopped by the PSU')).toBe(isStoppedByPsu);
    }
  });

  it('counts the entries of a bulk payment by status and names the unpaid ones', async () => {
    const psu = await world.person('25.00');
    const { debtorAccount, ...entry } = domesticPayment(firstIban(psu), '10.00');
    const body = { debtorAccount, payments: [entry, entry, entry] };
    const id = await signed(psu, '/v1/bulk-payments/domestic-credit-transfer-BGN', body);
    await world.advance('PT61S');
    expect(await show(id)).toMatchObject({
      service: 'bulk-payments',
      status: 'PART',
      amount: '30.00 BGN',
      entries: [
        { number: 1, transactionStatus: 'ACSC' },
        { number: 2, transactionStatus: 'ACSC' },
        { number: 3, transactionStatus: 'ACCP', fundsAvailable: false },
      ],
    });
    const { stdout } = await operator.xs2a('payments', 'show', id);
    expect(stdout).toContain('3 entries: 2 ACSC, 1 ACCP no funds\n');
    expect(stdout).toMatch(/^ +3 +10\.00 BGN +ACCP no funds$/m);
  });

  it('shows when a single payment is due', async () => {
    const psu = await world.person('25.00');
    const path = '/v1/payments/domestic-credit-transfer-BGN';
    const id = await signed(psu, path, domesticPayment(firstIban(psu), '10.00'));
    expect(await show(id)).toMatchObject({ service: 'payments', status: 'ACCP', amount: '10.00 BGN' });
    expect((await operator.xs2a('payments', 'show', id)).stdout).toMatch(/^next due \d{4}-/m);
  });

  it('refuses an unknown payment id', async () => {
    const refused = await operator.xs2a('payments', 'show', '01890a5d-ac96-774b-bcce-b302099a8051');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('There is no payment or signing basket'),
    ]);
  });
});

describe('xs2a settlement queue and doctor', () => {
  it('show an occurrence under its order, and the number of late occurrences', async () => {
    const psu = await world.person('15.00');
    const startDate = dayFrom(await sandboxNow(world), 1);
    const body = domesticPayment(firstIban(psu), '10.00', { frequency: 'Daily', startDate });
    const id = await signed(psu, '/v1/periodic-payments/domestic', body);
    const queue = async (): Promise<Queue> => operator.oneJson('settlement', 'queue');
    const before = await queue();
    expect(before.entries.find(({ paymentId }) => paymentId === id)).toMatchObject({
      number: 1,
      kind: 'settle',
      state: 'later',
      amount: '10.00 BGN',
    });
    expect(before.lateOccurrences).toBe(0);
    expect((await operator.xs2a('settlement', 'queue')).stdout).toContain(`${id} #1 `);
    // The column only serves to find due payments; the payment's state decides and is unchanged, so nothing
    // is executed.
    await owner.query(
      "UPDATE payments.payment_view SET due_at = due_at - interval '10 days' WHERE stream_id = $1",
      [id],
    );
    expect(await queue()).toMatchObject({ counts: { overdue: 1 }, lateOccurrences: 1 });
    expect((await operator.xs2a('doctor')).stdout).toContain('1 occurrence of periodic orders late');
  });

  it('show a failing entry under its bulk payment', async () => {
    const psu = await world.person('25.00');
    const { debtorAccount, ...entry } = domesticPayment(firstIban(psu), '10.00');
    const payments = [entry, { ...entry, instructedAmount: { currency: 'BGN', amount: '5.00' } }];
    const path = '/v1/bulk-payments/domestic-credit-transfer-BGN';
    const requestedExecutionDate = dayFrom(await sandboxNow(world), 2);
    const id = await signed(psu, path, { debtorAccount, payments, requestedExecutionDate });
    await owner.query(
      `INSERT INTO settlement.unfinished (payment_id, part_of_payment, part_number, attempts, retry_at, last_failure)
       VALUES (gen_random_uuid(), $1, 2, 3, now() + interval '1 hour', 'OutOfStep')`,
      [id],
    );
    const { entries } = await operator.oneJson<Queue>('settlement', 'queue', '--state', 'failing');
    await owner.query('DELETE FROM settlement.unfinished WHERE part_of_payment = $1', [id]);
    expect(entries).toMatchObject([
      { paymentId: id, number: 2, kind: 'settle', amount: '5.00 BGN', attempts: 3, reason: 'OutOfStep' },
    ]);
  });
});
