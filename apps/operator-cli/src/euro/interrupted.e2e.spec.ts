// Lane: nightly (the command is killed, and runs twice at the same time).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import {
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  readStatus,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { Pool } from 'pg';
import { ended, launch, type Ran } from '../testing/command-process.js';
import type { reportJson } from './report.js';

type Report = ReturnType<typeof reportJson>;

let world: World;
let tpp: TppClient;
let psu: FreshPsu;
let owner: Pool;
let at: string;
beforeAll(async () => {
  world = await World.start();
  tpp = world.tpp();
  psu = await world.person('1000.00', '0.01', '12.50', '77.77');
  owner = new Pool({ connectionString: world.sandbox.databaseUrl('xs2a_owner'), max: 2 });
}, 180_000);
afterAll(async () => {
  await owner?.end();
  await world?.stop();
});

const iban = (): string => psu.accounts[0]?.iban ?? '';
const run = async (env: Record<string, string> = {}, ...more: readonly string[]): Promise<Ran> =>
  ended(launch(world.dataDir, ['euro', 'switch', '--at', at, '--json', ...more], env));
const parse = ({ code, stdout, stderr }: Ran): Report => {
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
};
const post = async (body: Record<string, unknown>): Promise<Initiated> =>
  initiate(tpp, await tpp.applicationToken(), body);
const signed = async (body: Record<string, unknown>): Promise<Initiated> => {
  const payment = await post(body);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};
/** What the switch-over writes: the rows of each table that it changes. */
const written = async (): Promise<unknown> =>
  (
    await owner.query(
      `SELECT (SELECT count(*) FROM payments.events) AS events, (SELECT count(*) FROM accounts.transfer) AS transfers,
        (SELECT json_agg(phase) FROM payments.switch_over) AS plan,
        (SELECT count(*) FROM pg_trigger WHERE tgname = 'switch_over') AS triggers`,
    )
  ).rows;

/** Runs the command while a transaction, which began before it, is holding a payment in leva. */
const runDuringHold = async ({ paymentId }: Initiated): Promise<Ran> => {
  const session = await owner.connect();
  await session.query('BEGIN; LOCK TABLE payments.events IN ROW EXCLUSIVE MODE');
  await session.query("UPDATE payments.payment_view SET status = 'ACSP' WHERE stream_id = $1", [paymentId]);
  const running = run();
  const waiting = "SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND locktype = 'relation'";
  await until(
    async () => owner.query<{ count: number }>(waiting),
    ({ rows }) => (rows[0]?.count ?? 0) > 0,
  );
  await session.query('COMMIT');
  session.release();
  const ran = await running;
  await owner.query("UPDATE payments.payment_view SET status = 'ACCP' WHERE stream_id = $1", [paymentId]);
  return ran;
};

/** Runs the command while a transaction reads the payments, as pg_dump does. */
const runDuringBackup = async (): Promise<Ran> => {
  const session = await owner.connect();
  await session.query('BEGIN; SELECT FROM payments.events LIMIT 1');
  const ran = await run();
  await session.query('COMMIT');
  session.release();
  return ran;
};

/** The places at which the command is killed, in the order in which it reaches them. */
const places = [
  'euro.settling',
  'euro.converting',
  'euro.baskets-rejected',
  'euro.payments-converted',
  'euro.accounts-converted',
  'euro.rounded',
  'euro.announced',
  'euro.done',
];

describe('an interrupted switch-over (contract E6.5)', () => {
  it('goes on after kill -9 anywhere, and converts each item exactly once', async () => {
    const now = await sandboxNow(world);
    at = startOfBankDay(addDays(toBankDate(now, 'Europe/Sofia'), 1), 'Europe/Sofia');
    const date = addDays(dayFrom(now, 1), 4);
    const minutesBefore = Math.floor((Date.parse(at) - Date.parse(now)) / 60_000) - 5;
    await world.advance(`PT${minutesBefore}M`);
    const payments: Initiated[] = [];
    for (const amount of ['10.00', '20.00', '30.01'])
      payments.push(await signed(domesticPayment(iban(), amount, { requestedExecutionDate: date })));
    const basket = await tpp.call('POST', '/v1/signing-baskets', await tpp.applicationToken(), {
      json: { paymentIds: [(await post(domesticPayment(iban(), '5.00'))).paymentId] },
      headers: { 'idempotency-key': '00000000-0000-4000-8000-000000000001' },
    });
    expect(basket.status).toBe(201);
    const { basketId } = parseJson<{ basketId: string }>(basket);

    const before = await written();
    const past = startOfBankDay(addDays(toBankDate(now, 'Europe/Sofia'), -1), 'Europe/Sofia');
    const late = await ended(launch(world.dataDir, ['euro', 'switch', '--at', past, '--dry-run']));
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('Money was booked in leva since')]);
    const expected = parse(await run({}, '--dry-run'));
    expect(await written()).toEqual(before);
    expect(expected.payments).toMatchObject({ settledBefore: 0, converted: 3, rejectedUnsigned: 1 });

    await world.advance('PT6M');
    const beforeWork = await written();
    const [held] = payments;
    const unplanned = held && (await runDuringHold(held));
    expect([unplanned?.code, unplanned?.stderr]).toEqual([1, expect.stringContaining('Money was booked in')]);
    expect(unplanned?.stderr).not.toContain('The gate stays closed');
    expect(await written()).toEqual(beforeWork);

    const outcomes = new Map<string, number | null>();
    for (const place of places) {
      outcomes.set(place, (await run({ FAILPOINT: place })).code);
      if (place === 'euro.converting') {
        const validUntil = addDays(date, 30);
        const consent = await createConsent(tpp, psu.psuId, consentBody([iban()], validUntil));
        expect(consent.status).toBe(201);
      }
    }
    expect([...outcomes.values()]).toEqual(places.map(() => null));
    const duringBackup = await runDuringBackup();
    expect([duringBackup.code, duringBackup.stderr]).toEqual([
      1,
      expect.stringContaining('The switch-over is done, and the gate is open.'),
    ]);
    const deposit = await tpp.call(
      'POST',
      `/sandbox/accounts/${iban()}/deposit`,
      await tpp.applicationToken(),
      { json: { amount: '1.00', currency: 'EUR' } },
    );
    expect(deposit.status).toBeLessThan(300);

    const [one, other] = await Promise.all([run(), run()]);
    const codes = [one.code, other.code].sort();
    expect(codes[0]).toBe(0);
    // The slower one may have come after the end of the other.
    expect([0, 1]).toContain(codes[1]);
    const report = parse(one.code === 0 ? one : other);
    expect({ ...report, invariants: undefined }).toEqual({ ...expected, dryRun: false });
    expect(report.invariants).toBe('8 of 8');

    const token = await tpp.applicationToken();
    expect(parseJson(await tpp.call('GET', `/v1/signing-baskets/${basketId}/status`, token))).toMatchObject({
      transactionStatus: 'RJCT',
    });
    for (const { path } of payments)
      expect(await readStatus(tpp, token, path)).toMatchObject({ transactionStatus: 'ACCP' });
    const { rows } = await owner.query(
      "SELECT count(*)::int AS events, count(DISTINCT stream_id)::int AS streams FROM payments.events WHERE type = 'converted-to-euro'",
    );
    expect(rows).toEqual([{ events: 3, streams: 3 }]);
  }, 240_000);

  it('lets only one of several processes work', async () => {
    const session = await owner.connect();
    await session.query("SELECT pg_advisory_lock(hashtext('xs2a euro switch'))");
    const refused = await run();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Another process is switching');
    await session.query('SELECT pg_advisory_unlock_all()');
    session.release();
  }, 30_000);
});
