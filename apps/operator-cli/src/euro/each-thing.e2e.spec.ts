// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import {
  bulkPath,
  bulkPayment,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  present,
  readStatus,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { type FreshPsu, registerTpp } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import type { Page } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { Pool } from 'pg';
import { makeOperator } from '../testing/command-process.js';
import type { reportJson } from './report.js';

let world: World;
let receiver: HttpReceiver;
let tpp: TppClient;
let psu: FreshPsu;
let owner: Pool;
beforeAll(async () => {
  world = await World.around({ profile: 'sandbox' });
  receiver = await HttpReceiver.start();
  tpp = new TppClient(world.baseUrl, await registerTpp(world.baseUrl, 'Pushed', `${receiver.url}/callback`));
  psu = await world.person('1000.00', '40.00', '30.01');
  owner = new Pool({ connectionString: world.sandbox.databaseUrl('xs2a_owner'), max: 1 });
}, 180_000);
afterAll(async () => {
  await owner?.end();
  await world?.stop();
  await receiver?.stop();
});

const [main, blocked, closed] = [0, 1, 2].map((index) => () => psu.accounts[index]?.iban ?? '');
/** A savings account of the fixtures with 10,000.00 BGN. */
const savings = 'BG45XSBK92001500000012';
const iban = (): string => main?.() ?? '';
const budgetPath = '/v1/payments/domestic-budget-transfer-BGN';

/** The headers that register for pushes at their own address. */
const pushedTo = (name: string) => ({ 'tpp-notification-uri': `${receiver.url}/${name}` });
/** The statuses pushed to that address, in order, each delivery once. */
const pushed = (name: string): unknown[] => {
  const posts = receiver.posts.filter(({ path }) => path === `/${name}`);
  const byId = new Map(posts.map(({ headers, body }) => [headers['x-request-id'], body]));
  return [...byId.values()].map(
    (body) => (JSON.parse(body) as { transactionStatus: string }).transactionStatus,
  );
};
const untilPushed = async (name: string, status: string): Promise<unknown[]> => {
  while (pushed(name).at(-1) !== status) await receiver.received(receiver.posts.length + 1);
  return pushed(name);
};
const post = async (
  body: Readonly<Record<string, unknown>>,
  name: string,
  path?: string,
): Promise<Initiated> => initiate(tpp, await tpp.applicationToken(), body, pushedTo(name), path);
const signed = async (body: Readonly<Record<string, unknown>>, name: string, path?: string) => {
  const payment = await post(body, name, path);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};
const moveTo = async (instant: string): Promise<void> => {
  const ms = Date.parse(instant) - Date.parse(await sandboxNow(world));
  await world.advance(`PT${(ms / 1000).toFixed(3)}S`);
};
const read = async ({ path }: Initiated) =>
  parseJson(await tpp.call('GET', path, await tpp.applicationToken()));
const statusOf = async ({ path }: Initiated) => readStatus(tpp, await tpp.applicationToken(), path);

/** The booked balance of an account of the sandbox ledger, in minor units, with its currency and limit. */
const readLedger = async (ofIban: string): Promise<unknown> =>
  (
    await owner.query(
      `SELECT (credits_posted - debits_posted)::int AS booked, currency, status
       FROM accounts.account JOIN accounts.ledger_account USING (id) WHERE iban = $1`,
      [ofIban],
    )
  ).rows[0];

describe('what the switch-over does to each thing (contract-euro E6.3)', () => {
  let due: Initiated;
  let partly: Initiated;
  let budget: Initiated;
  let unsigned: Initiated;
  let open: Page;
  let report: ReturnType<typeof reportJson>;
  let lastDay: string;
  const browser = () => world.browser();
  let ofUnsigned: ReturnType<typeof browser>;

  it('ends with a report whose attention lists the budget payment without an identifier', async () => {
    const now = await sandboxNow(world);
    const at = startOfBankDay(addDays(toBankDate(now, 'Europe/Sofia'), 2), 'Europe/Sofia');
    lastDay = dayFrom(now, 1);
    const operator = makeOperator(world.dataDir);
    const run = async () => operator.xs2a('euro', 'switch', '--at', at, '--json');
    expect((await run()).code).toBe(0);
    for (const [account, status] of [
      [blocked, 'blocked'],
      [closed, 'closed'],
    ] as const) {
      const path = `/sandbox/accounts/${account?.()}`;
      const answer = await tpp.call('PATCH', path, await tpp.applicationToken(), { json: { status } });
      expect(answer.status).toBe(200);
    }
    await moveTo(new Date(Date.parse(at) - 240_000).toISOString());
    const day = { requestedExecutionDate: dayFrom(now, 5) };
    await signed(domesticPayment(iban(), '100.00', day), 'future');
    const {
      taxpayerId: _id,
      taxpayerType: _type,
      ...details
    } = Object(exampleBodies['domestic-budget-transfer-BGN']['budgetPaymentDetails']);
    budget = await signed(
      {
        ...exampleBodies['domestic-budget-transfer-BGN'],
        ...day,
        debtorAccount: { iban: iban() },
        instructedAmount: { currency: 'BGN', amount: '12.50' },
        budgetPaymentDetails: details,
      },
      'budget',
      budgetPath,
    );
    due = await signed(domesticPayment(iban(), '10.00'), 'due');
    partly = await signed(bulkPayment(iban(), ['20.00', '5000.00']), 'partly', bulkPath);
    unsigned = await post(domesticPayment(iban(), '1.00'), 'unsigned');
    ofUnsigned = browser();
    const signIn = await ofUnsigned.open(unsigned.scaRedirect);
    open = await ofUnsigned.submit(signIn, { psuId: psu.psuId, password: psu.password }, 'approve');
    // Both are due before the moment, and their entries are pending then.
    await moveTo(new Date(Date.parse(at) - 60_000).toISOString());
    await moveTo(at);
    const doctor = await operator.xs2a('doctor', '--deep');
    expect(doctor.stdout).toContain(`the switch-over to euro at ${at} is not done`);
    const done = await run();
    expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
    report = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '') as typeof report;
    expect(report).toMatchObject({
      payments: { converted: 2, rejectedUnsigned: 1 },
      attention: [{ paymentId: budget.paymentId, why: 'budget-without-identifier' }],
      invariants: '8 of 8',
    });
  }, 180_000);

  it('books entries that were pending in leva, on the last day', async () => {
    const { tokens } = await consented(world, tpp, psu, consentBody([iban()], addDays(lastDay, 30)));
    const [id] = await resourceIds(tpp, tokens.access_token);
    const path = `/v1/accounts/${id}/transactions?bookingStatus=both&dateFrom=${lastDay}`;
    const { transactions } = parseJson<{
      transactions: {
        booked: { bookingDate: string; transactionAmount: unknown }[];
        pending?: unknown[];
      };
    }>(await tpp.call('GET', path, tokens.access_token, present));
    expect(transactions.pending ?? []).toEqual([]);
    for (const amount of ['-10.00', '-20.00'])
      expect(transactions.booked).toContainEqual(
        expect.objectContaining({ bookingDate: lastDay, transactionAmount: { currency: 'BGN', amount } }),
      );
  });

  it('leaves what has ended as it is: a payment, and a bulk payment that is paid in part', async () => {
    expect(await statusOf(due)).toMatchObject({ transactionStatus: 'ACSC' });
    expect(await statusOf(partly)).toMatchObject({ transactionStatus: 'PART' });
    for (const payment of [due, partly]) {
      const { convertedAmount, payments } = await read(payment);
      expect([convertedAmount, JSON.stringify(payments ?? '')]).toEqual([
        undefined,
        expect.not.stringContaining('convertedAmount'),
      ]);
    }
  });

  it('converts accounts that are blocked or closed, and savings accounts, and keeps their status', async () => {
    expect(await readLedger(blocked?.() ?? '')).toEqual({ booked: 2045, currency: 'EUR', status: 'blocked' });
    expect(await readLedger(closed?.() ?? '')).toEqual({ booked: 1534, currency: 'EUR', status: 'closed' });
    expect(await readLedger(savings)).toEqual({ booked: 511_292, currency: 'EUR', status: 'enabled' });
  });

  it('pushes the rejection of what was not signed, and ends its open page', async () => {
    expect(await untilPushed('unsigned', 'RJCT')).toContain('RJCT');
    const ended = await ofUnsigned.submit(open, {}, 'approve');
    expect(ended.forms.flatMap(({ buttons }) => buttons.map(({ value }) => value))).not.toContain('approve');
    const authorisation = `${unsigned.path}/authorisations/${unsigned.scaRedirect.split('/').at(-1)}`;
    const answer = await tpp.call('GET', authorisation, await tpp.applicationToken());
    expect(parseJson(answer)).toMatchObject({ scaStatus: 'failed' });
  });

  it('pushes nothing about a conversion: the next push is that of the execution', async () => {
    const before = pushed('future');
    await world.advance('P4D');
    expect(await untilPushed('future', 'ACSC')).toEqual([...before, 'ACSP', 'ACSC']);
    expect(await untilPushed('budget', 'ACSC')).toEqual([...before, 'ACSP', 'ACSC']);
    expect(await read(budget)).toMatchObject({ convertedAmount: { currency: 'EUR', amount: '6.39' } });
  }, 60_000);
});
