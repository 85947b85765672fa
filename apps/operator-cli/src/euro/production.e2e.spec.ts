// Lane: nightly (a bank with the production profile switches to euro).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { bankingDayFrom, isWeekendOrHoliday } from '@xs2a/domain/time/banking-days';
import {
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
import { readDocumentAgain } from '@xs2a/test-support/contract/openapi';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { makeOperator } from '../testing/command-process.js';
import type { reportJson } from './report.js';

let world: World;
let tpp: TppClient;
let psu: FreshPsu;
beforeAll(async () => {
  world = await World.around({ profile: 'production' });
  tpp = world.tpp();
}, 180_000);
afterAll(async () => world?.stop());

const timeZone = 'Europe/Sofia';
const [before, after] = [makeProfile('production'), makeProfile('bg-euro-production')];

/** The first banking day in leva, at least a week from now, that is a closing day of TARGET after another banking day. */
const findClosingDay = (today: string): string => {
  const isOpen = ({ holidays }: typeof before, day: string): boolean => !isWeekendOrHoliday(day, holidays);
  for (let day = addDays(today, 7); ; day = addDays(day, 1))
    if (
      isOpen(before, day) &&
      !isOpen(after, day) &&
      [-1, -2, -3].every((days) => isOpen(after, addDays(day, days)))
    )
      return day;
};

const moveTo = async (instant: string): Promise<void> => {
  const ms = Date.parse(instant) - Date.parse(await sandboxNow(world));
  await world.advance(`PT${(ms / 1000).toFixed(3)}S`);
};
/** The instant of a local time `HH:MM` on a bank's day. */
const atTime = (day: string, time: string): string => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(Date.parse(startOfBankDay(day, timeZone)) + (hours * 60 + minutes) * 60_000).toISOString();
};
const signed = async (body: Readonly<Record<string, unknown>>, path?: string): Promise<Initiated> => {
  const payment = await initiate(tpp, await tpp.applicationToken(), body, {}, path);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};
const statusOf = async ({ path }: Initiated): Promise<unknown> =>
  (await readStatus(tpp, await tpp.applicationToken(), path))['transactionStatus'];
const read = async ({ path }: Initiated) =>
  parseJson(await tpp.call('GET', path, await tpp.applicationToken()));
const ibanIn = (currency: string): string =>
  psu.accounts.find((one) => one.currency === currency)?.iban ?? '';

/** The booked balance of each account by its IBAN, and the amounts of the entries of the account in `currency`. */
const readAccounts = async (currency: string) => {
  const ibans = psu.accounts.map(({ iban }) => iban);
  const body = consentBody(ibans, dayFrom(await sandboxNow(world), 5));
  const token = (await consented(world, tpp, psu, body)).tokens.access_token;
  const balances: Record<string, string> = {};
  const entries: string[] = [];
  for (const id of await resourceIds(tpp, token)) {
    const answer = await tpp.call('GET', `/v1/accounts/${id}/balances`, token, present);
    const { account, balances: list } = parseJson<{
      account: { iban: string };
      balances: { balanceType: string; balanceAmount: { currency: string; amount: string } }[];
    }>(answer);
    const booked = list.find(({ balanceType }) => balanceType === 'interimAvailable')?.balanceAmount;
    balances[account.iban] = `${booked?.amount} ${booked?.currency}`;
    if (account.iban !== ibanIn(currency)) continue;
    const { transactions } = parseJson<{
      transactions: { booked: { transactionAmount: { currency: string; amount: string } }[] };
    }>(await tpp.call('GET', `/v1/accounts/${id}/transactions`, token, present));
    entries.push(
      ...transactions.booked.map(({ transactionAmount: { amount, currency } }) => `${amount} ${currency}`),
    );
  }
  return { balances, entries };
};

describe('a bank in production that switches to bg-euro-production (contract-euro E6.1, E6.3)', () => {
  let closing: string;
  let firstDay: string;
  let dollars: Initiated;
  let afterCutOff: Initiated;
  let future: Initiated;
  let inEuro: Initiated;

  it('converts what is due later, with fee and debit, and keeps what is in other currencies', async () => {
    const json = {
      accounts: [
        { currency: 'BGN', opening: '5000.00' },
        { currency: 'EUR', opening: '300.00' },
        { currency: 'USD', opening: '400.00' },
      ],
    };
    psu = bodyOf<FreshPsu>(
      await tpp.call('POST', '/sandbox/psus', await tpp.applicationToken(), { json }),
      201,
    );
    closing = findClosingDay(toBankDate(await sandboxNow(world), timeZone));
    firstDay = addDays(closing, -2);
    const at = startOfBankDay(firstDay, timeZone);
    const operator = makeOperator(world.dataDir);
    const run = async (...more: readonly string[]) => {
      const { code, stdout, stderr } = await operator.xs2a('euro', 'switch', '--at', at, ...more, '--json');
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ReturnType<typeof reportJson>;
    };
    expect(await run()).toEqual({ planned: at, target: 'bg-euro-production' });

    const eve = addDays(firstDay, -1);
    await moveTo(atTime(eve, '15:30'));
    const [lev, euro] = [ibanIn('BGN'), ibanIn('EUR')];
    const sameDay = await signed(domesticPayment(lev, '10.00'));
    future = await signed(domesticPayment(lev, '100.00', { requestedExecutionDate: closing }));
    const fromEuro = { ...exampleBodies['SEPA-Credit-Transfer'], debtorAccount: { iban: euro } };
    inEuro = await signed(
      { ...fromEuro, requestedExecutionDate: firstDay },
      '/v1/payments/SEPA-Credit-Transfer',
    );
    await moveTo(atTime(eve, '16:10'));
    expect(await statusOf(sameDay)).toBe('ACSC');
    afterCutOff = await signed(domesticPayment(lev, '20.00'));
    dollars = await signed(
      {
        ...exampleBodies['cross-border-credit-transfer'],
        debtorAccount: { iban: lev },
        instructedAmount: { currency: 'USD', amount: '100.00' },
      },
      '/v1/payments/cross-border-credit-transfer',
    );
    expect(await statusOf(afterCutOff)).toBe('ACCP');

    const expected = await run('--dry-run');
    await moveTo(at);
    const report = await run();
    expect({ ...report, invariants: undefined }).toEqual({ ...expected, dryRun: false });
    expect(report).toMatchObject({ payments: { converted: 3, rejectedUnsigned: 0 }, invariants: '8 of 8' });
    readDocumentAgain(world.baseUrl);
    expect(await read(afterCutOff)).toMatchObject({ convertedAmount: { currency: 'EUR', amount: '10.23' } });
    // Its amount stays in dollars; only what it debits was in leva.
    expect(await read(dollars)).not.toHaveProperty('convertedAmount');
    expect(await read(inEuro)).not.toHaveProperty('convertedAmount');
  }, 180_000);

  it('executes each of them in euro at the amount that was approved', async () => {
    await moveTo(atTime(firstDay, '00:30'));
    for (const payment of [afterCutOff, dollars, inEuro]) expect(await statusOf(payment)).toBe('ACSC');
    // Settled by 00:30 at the latest, and booked five minutes later.
    await moveTo(atTime(firstDay, '00:40'));
    const { balances, entries } = await readAccounts('BGN');
    // 100 USD cost 173.00 BGN and 20.00 BGN of charges: 88.45 EUR and 10.23 EUR.
    for (const amount of ['-88.45 EUR', '-10.23 EUR', '-0.41 EUR', '-10.00 BGN'])
      expect(entries).toContain(amount);
    expect(balances[ibanIn('USD')]).toBe('400.00 USD');
    expect(balances[ibanIn('EUR')]).toBe('289.59 EUR');
  }, 60_000);

  it('does not execute on a closing day of TARGET, but on the next banking day', async () => {
    await moveTo(atTime(closing, '12:00'));
    expect(await statusOf(future)).toBe('ACCP');
    const next = bankingDayFrom(closing, 'following', after.holidays);
    await moveTo(atTime(addDays(next, -1), '23:50'));
    expect(await statusOf(future)).toBe('ACCP');
    await moveTo(atTime(next, '00:10'));
    expect(await statusOf(future)).toBe('ACSC');
    expect(await read(future)).toMatchObject({ convertedAmount: { currency: 'EUR', amount: '51.13' } });
  }, 60_000);

  it('has the cut-off and the fees of the new profile from then on', async () => {
    const body = { ...euroExampleBodies['SEPA-Credit-Transfer'], debtorAccount: { iban: ibanIn('BGN') } };
    const path = '/v1/payments/SEPA-Credit-Transfer';
    const today = toBankDate(await sandboxNow(world), timeZone);
    await moveTo(atTime(today, '15:50'));
    const early = await signed(body, path);
    const answer = await tpp.call('POST', path, await tpp.applicationToken(), { json: body });
    expect(parseJson(answer)).toMatchObject({ transactionFees: { currency: 'EUR', amount: '0.40' } });
    await moveTo(atTime(today, '16:05'));
    const late = await signed(body, path);
    await moveTo(atTime(today, '23:50'));
    expect([await statusOf(early), await statusOf(late)]).toEqual(['ACSC', 'ACCP']);
    await world.advance('P5D');
    expect(await statusOf(late)).toBe('ACSC');
  }, 60_000);
});
