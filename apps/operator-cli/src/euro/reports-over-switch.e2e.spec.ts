// Lane: nightly (the bank switches to euro).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { switchOverChecks } from '@xs2a/invariants/switch-over-checks';
import { readDocumentAgain } from '@xs2a/test-support/contract/openapi';
import {
  authorised,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  present,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { Pool } from 'pg';
import { makeOperator } from '../testing/command-process.js';

interface Entry {
  readonly transactionId: string;
  readonly entryReference: string;
  readonly transactionAmount: { readonly currency: string; readonly amount: string };
  readonly currencyExchange?: readonly { readonly quotationDate: string }[];
}

let world: World;
let tpp: TppClient;
let psu: FreshPsu;
let iban: string;
/** The switch-over: the start of the next day. */
let at: string;
beforeAll(async () => {
  world = await World.start();
  tpp = world.tpp();
  psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
  at = startOfBankDay(addDays(toBankDate(await sandboxNow(world), 'Europe/Sofia'), 1), 'Europe/Sofia');
}, 120_000);
afterAll(async () => world?.stop());

const moveTo = async (instant: string): Promise<void> => {
  const ms = Date.parse(instant) - Date.parse(await sandboxNow(world));
  await world.advance(`PT${(ms / 1000).toFixed(3)}S`);
};
const paidIn = async (amount: string): Promise<void> => {
  const answer = await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, await tpp.applicationToken(), {
    json: { amount, currency: 'BGN' },
  });
  if (answer.status >= 300) throw new Error(answer.text);
};
const switchOver = async (): Promise<void> => {
  const { code, stderr } = await makeOperator(world.dataDir).xs2a('euro', 'switch', '--at', at);
  if (code !== 0) throw new Error(stderr);
  readDocumentAgain(world.baseUrl);
};

describe('reports of an account that is converted between them', () => {
  let token: string;
  let path: string;
  let nextPage: string;
  const ask = async (tail: string, options: object = present) => tpp.call('GET', tail, token, options);
  const read = async (tail: string): Promise<{ booked: readonly Entry[]; next: string }> => {
    const { booked, _links } = bodyOf<{
      transactions: { booked: Entry[]; _links: Readonly<Record<string, { href: string }>> };
    }>(await ask(tail), 200).transactions;
    return { booked, next: _links['next']?.href ?? '' };
  };
  const amounts = (entries: readonly Entry[]): string[] =>
    entries.map(({ transactionAmount: { currency, amount } }) => `${amount} ${currency}`);
  /** The conversion of 1006.00 leva, newest entry first. */
  const conversion = ['514.36 EUR', '-1006.00 BGN'];
  let before: readonly Entry[];

  it('bring the two entries of the conversion once, and no older entry again (contract E5.4)', async () => {
    const until = dayFrom(await sandboxNow(world), 30);
    const { consentId, tokens } = await consented(world, tpp, psu, consentBody([iban], until));
    token = tokens.access_token;
    const [id] = await resourceIds(tpp, token);
    path = `/v1/accounts/${id}/transactions`;
    for (const amount of ['1.00', '2.00']) await paidIn(amount);
    nextPage = (await read(`${path}?pageSize=1`)).next;
    before = (await read(path)).booked;
    for (const uncounted of [200, 200, 200]) expect((await ask(path, {})).status).toBe(uncounted);
    await paidIn('3.00');
    const later = domesticPayment(iban, '10.00', {
      requestedExecutionDate: addDays(toBankDate(at, 'Europe/Sofia'), 9),
    });
    const { scaRedirect } = await initiate(tpp, await tpp.applicationToken(), later);
    await walkAndApprove(world.browser(), scaRedirect, psu);
    await moveTo(at);
    await switchOver();

    // A fresh authorisation, because a reference may lead back further than a refreshed token reads.
    token = (await authorised(world, tpp, psu, 'PSP_AI', consentId)).access_token;
    const delta = `${path}?deltaList=true`;
    expect(amounts((await read(delta)).booked)).toEqual([...conversion, '3.00 BGN']);
    expect((await read(delta)).booked).toEqual([]);
  }, 180_000);

  it('continue from a reference and a link from before (contract E5.4)', async () => {
    const since = async (reference = ''): Promise<readonly Entry[]> =>
      (await read(`${path}?entryReferenceFrom=${reference}`)).booked;
    const reported = await since(before[0]?.entryReference);
    expect(amounts(reported)).toEqual([...conversion, '3.00 BGN']);
    expect(amounts(await since(reported[2]?.entryReference))).toEqual(conversion);
    expect(await since(reported[0]?.entryReference)).toEqual([]);
    expect(amounts((await read(nextPage)).booked)).toEqual(['1.00 BGN']);
  });

  it('neither count a call nor free one (contract E5.4)', async () => {
    const statuses = [await ask(path, {}), await ask(path, {})].map(({ status }) => status);
    expect(statuses).toEqual([200, 429]);
  });

  it('and refusals name the day of the switch-over (contract E6.1a)', async () => {
    const day = toBankDate(at, 'Europe/Sofia');
    const { booked } = await read(`${path}?dateFrom=${addDays(day, -1)}`);
    const days = booked.flatMap(({ currencyExchange = [] }) => currencyExchange);
    expect(new Set(days.map(({ quotationDate }) => quotationDate))).toEqual(new Set([day]));
    const application = await tpp.applicationToken();
    const inLeva = domesticPayment(iban, '1.00', { serviceLevel: undefined });
    const refused = await tpp.call('POST', '/v1/payments/SEPA-Credit-Transfer', application, {
      json: inLeva,
    });
    expect(parseJson(refused)).toMatchObject({
      tppMessages: [{ code: 'PAYMENT_FAILED', text: expect.stringContaining(`ended on ${day}.`) }],
    });
    const closed = await tpp.call('POST', '/v1/payments/domestic-credit-transfer-BGN', application, {
      json: inLeva,
    });
    expect([closed.status, closed.text]).toEqual([404, expect.stringContaining(day)]);
  });
});

/** A statement that breaks an invariant, in the schema in which it is checked. */
type Fault = readonly [rule: string, schema: 'accounts' | 'payments', statement: string];

describe('the invariants of the switch-over (contract E6.6)', () => {
  const convertedIn = (side: string, currency: string): string =>
    `id = (SELECT t.id FROM transfer t JOIN ledger_account a ON a.id = t.${side}_account AND a.customer
       WHERE t.kind = 'direct' AND t.at ${currency === 'EUR' ? '>=' : '<'} a.converted_at ORDER BY t.at DESC LIMIT 1)`;

  it.each<Fault>([
    [
      'debits = credits',
      'accounts',
      'UPDATE ledger_account SET credits_posted = credits_posted + 1 WHERE customer',
    ],
    ['no customer balance', 'accounts', "UPDATE ledger_account SET currency = 'BGN' WHERE customer"],
    [
      'at the fixed rate',
      'accounts',
      `UPDATE transfer SET amount = amount + 1 WHERE ${convertedIn('credit', 'EUR')}`,
    ],
    [
      'the rounding account',
      'accounts',
      `UPDATE transfer SET amount = amount + 1 WHERE ${convertedIn('credit', 'EUR')}`,
    ],
    [
      'no transfer in leva',
      'accounts',
      "UPDATE ledger_account SET currency = 'BGN' WHERE NOT customer AND currency = 'EUR'",
    ],
    [
      'only the switch-over changed a status',
      'payments',
      `UPDATE events SET meta = jsonb_set(meta::jsonb, '{actor}', '"euro-switch"') WHERE type = 'accepted'`,
    ],
    [
      'nothing signed is left in leva',
      'payments',
      "UPDATE payment_view SET currency = 'BGN', due_at = now(), status = 'ACCP'",
    ],
    ['the hash chains', 'payments', `UPDATE events SET data = '{}' WHERE type = 'signed'`],
  ])('find what breaks this one: %s', async (rule, schema, statement) => {
    const pools = new Map(
      (['accounts', 'payments', 'consents'] as const).map((name) => [
        name,
        new Pool({
          connectionString: world.sandbox.databaseUrl('postgres'),
          options: `-c search_path=${name},public -c session_replication_role=replica`,
          max: 1,
        }),
      ]),
    );
    const of = (name: 'accounts' | 'payments' | 'consents'): Pool => {
      const pool = pools.get(name);
      if (pool === undefined) throw new Error(`no pool of ${name}`);
      return pool;
    };
    const check = switchOverChecks({ schemas: { of }, at }).find((one) => one.rule.includes(rule));
    expect(await check?.check()).toEqual([]);
    await of(schema).query('BEGIN');
    expect((await of(schema).query(statement)).rowCount).toBeGreaterThan(0);
    const again = switchOverChecks({ schemas: { of }, at }).find((one) => one.rule.includes(rule));
    expect(await again?.check()).not.toEqual([]);
    await of(schema).query('ROLLBACK');
    for (const pool of pools.values()) await pool.end();
  });
});
