import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  listPaths,
  present,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());

interface Report {
  readonly booked: readonly string[];
  readonly pending: readonly string[];
  to(name: string): string;
}

/** Creates a PSU and a consent to the PSU's account, and returns functions to read the account and to pay into it. */
const reader = async (frequencyPerDay = 4) => {
  const psu = await world.person('1000.00');
  const iban = psu.accounts[0]?.iban ?? '';
  const until = dayFrom(await sandboxNow(world), 30);
  const { tokens } = await consented(world, tpp, psu, consentBody([iban], until, { frequencyPerDay }));
  let token = tokens.access_token;
  const renew = async (): Promise<void> => {
    token = (await tpp.refresh(tokens.refresh_token ?? '')).access_token;
  };
  const [resourceId = ''] = await resourceIds(tpp, token);
  const path = `/v1/accounts/${resourceId}/transactions`;
  const report = async (reportPath: string, options: object = present): Promise<Report> => {
    const answer = await tpp.call('GET', reportPath, token, options);
    const { transactions } = parseJson<{
      transactions: Record<'booked' | 'pending', { transactionId: string }[] | undefined> & {
        _links: Record<string, { href: string }>;
      };
    }>(answer);
    const ids = (name: 'booked' | 'pending'): string[] =>
      transactions[name]?.map(({ transactionId }) => transactionId) ?? [];
    return {
      booked: ids('booked'),
      pending: ids('pending'),
      to: (name) => transactions._links[name]?.href ?? '',
    };
  };
  const paidIn = async (amount: string): Promise<string> =>
    parseJson<{ transactionId: string }>(
      await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, await tpp.applicationToken(), {
        json: { amount, currency: homeCurrency },
      }),
    ).transactionId;
  return { psu, iban, path, token, renew, report, paidIn };
};

describe('deltaList: entries booked since the last report, and pending entries (contract 6)', () => {
  it('returns everything in the first report, and in each later report the entries since the previous one', async () => {
    const { path, report, paidIn } = await reader();
    const first = [await paidIn('1.00'), await paidIn('2.00')].reverse();
    const delta = `${path}?deltaList=true`;
    expect((await report(delta)).booked.slice(0, 2)).toEqual(first);
    expect((await report(delta)).booked).toEqual([]);
    const second = await paidIn('3.00');
    expect((await report(delta)).booked).toEqual([second]);
    expect((await report(delta)).booked).toEqual([]);
  });

  it('continues from any earlier report, counted or not; requests for pages, pending entries or earlier periods are not reports', async () => {
    const { path, report, paidIn, token } = await reader();
    for (const amount of ['1.00', '2.00']) await paidIn(amount);
    const plain = await report(`${path}?pageSize=1`, {});
    const arrived = await paidIn('3.00');
    await report(plain.to('next'));
    const earlier = dayFrom(await sandboxNow(world), -2);
    await report(`${path}?bookingStatus=pending`);
    await report(`${path}?dateFrom=${earlier}&dateTo=${earlier}`);
    await tpp.call('GET', `${path}/${arrived}`, token, present);
    const forged = await tpp.call('GET', `${path}?deltaList=true&cursor=forged`, token, present);
    expect([forged.status, listCodes(forged), listPaths(forged)]).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['cursor'],
    ]);
    expect((await report(`${path}?deltaList=true`)).booked).toEqual([arrived]);
  });

  it('includes a payment as pending, and again once it is booked after 5 minutes (spec 3.1)', async () => {
    const { psu, iban, path, renew, report } = await reader();
    await report(path);
    const token = await tpp.applicationToken('PSP_PI');
    const { scaRedirect } = await initiate(tpp, token, domesticPayment(iban));
    await walkAndApprove(world.browser(), scaRedirect, psu);
    await world.advance('PT1M1S');
    const delta = `${path}?deltaList=true`;
    const held = await report(delta);
    expect([held.booked, held.pending.length]).toEqual([[], 1]);
    expect((await report(delta)).pending).toEqual(held.pending);
    await world.advance('PT5M');
    await renew();
    const booked = await report(delta);
    expect([booked.booked, booked.pending]).toEqual([held.pending, []]);
    expect((await report(delta)).booked).toEqual([]);
  });

  it('has links that page through a single report, even while entries arrive and other reports are created', async () => {
    const { path, report, paidIn } = await reader();
    await paidIn('1.00');
    await report(path);
    const five = [];
    for (const amount of ['2.00', '3.00', '4.00', '5.00', '6.00']) five.unshift(await paidIn(amount));
    const first = await report(`${path}?deltaList=true&pageSize=2`);
    const late = await paidIn('7.00');
    const another = await report(`${path}?deltaList=true`);
    expect(another.booked).toEqual([late]);
    const second = await report(first.to('next'));
    const third = await report(second.to('next'));
    expect([...first.booked, ...second.booked, ...third.booked]).toEqual(five);
    expect(third.to('next')).toBe('');
    expect((await report(third.to('previous'))).booked).toEqual(second.booked);
    const again = await report(third.to('first'));
    expect(again.booked).toEqual([late, five[0]]);
  });

  it('changes nothing if a report is refused, and returns no report once the call limit is exceeded (spec 8)', async () => {
    const { path, report, paidIn, token } = await reader(1);
    await report(path, {});
    const arrived = await paidIn('1.00');
    const refused = await tpp.call('GET', `${path}?deltaList=true`, token);
    expect([refused.status, listCodes(refused)]).toEqual([429, ['ACCESS_EXCEEDED']]);
    expect((await report(`${path}?deltaList=true`)).booked).toEqual([arrived]);
  });

  it.each(['dateFrom=2026-01-01', 'dateTo=2026-01-01', 'entryReferenceFrom=a'])(
    'returns 400 FORMAT_ERROR when combined with %s',
    async (other) => {
      const { path, token } = await reader();
      const answer = await tpp.call('GET', `${path}?deltaList=true&${other}`, token, present);
      expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([
        400,
        ['FORMAT_ERROR'],
        ['deltaList'],
      ]);
    },
  );
});
