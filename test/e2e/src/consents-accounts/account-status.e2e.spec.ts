import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  authorised,
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  listPaths,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
const present = { headers: { 'psu-ip-address': '198.51.100.7' } };
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());

const change = async (iban: string, json: unknown): Promise<Answer> =>
  tpp.call('PATCH', `/sandbox/accounts/${iban}`, await tpp.applicationToken(), { json });
const become = async (iban: string, status: string): Promise<void> => {
  const answer = await change(iban, { status });
  expect([answer.status, parseJson(answer)]).toEqual([200, { iban, status }]);
};
const firstIban = ({ accounts }: FreshPsu, place = 0): string => accounts[place]?.iban ?? '';

describe('an account blocked or deleted after the consent (contract 3, 6)', () => {
  it('is shown as blocked, then deleted, with readable balances and history, and as enabled once it is open again', async () => {
    const psu = await world.person('50.00', '7.00');
    const ibans = psu.accounts.map(({ iban }) => iban);
    const { tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody(ibans, dayFrom(await sandboxNow(world), 30)),
    );
    const read = async (tail = ''): Promise<Answer> =>
      tpp.call('GET', `/v1/accounts${tail}`, tokens.access_token, present);
    const statuses = async (): Promise<string[]> =>
      parseJson<{ accounts: { iban: string; status: string }[] }>(await read())
        .accounts.filter(({ iban }) => iban === firstIban(psu))
        .map(({ status }) => status);
    const { accounts } = parseJson<{ accounts: { iban: string; resourceId: string }[] }>(await read());
    const id = accounts.find(({ iban }) => iban === firstIban(psu))?.resourceId ?? '';
    for (const [status, shown] of [
      ['blocked', 'blocked'],
      ['closed', 'deleted'],
      ['enabled', 'enabled'],
    ] as const) {
      await become(firstIban(psu), status);
      expect(await statuses()).toEqual([shown]);
      for (const tail of ['', '/balances', '/transactions'])
        expect([status, tail, (await read(`/${id}${tail}`)).status]).toEqual([status, tail, 200]);
    }
  });

  it.each(['blocked', 'closed'])('(%s) cannot make payments: 400 PAYMENT_FAILED', async (status) => {
    const psu = await world.person('50.00');
    await become(firstIban(psu), status);
    const answer = await tpp.call('POST', domesticPath, await tpp.applicationToken(), {
      json: domesticPayment(firstIban(psu)),
    });
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([
      400,
      ['PAYMENT_FAILED'],
      ['debtorAccount'],
    ]);
  });

  it.each(['blocked', 'closed'])(
    '(%s between initiation and sign-in) causes the payment to become RJCT',
    async (status) => {
      const psu = await world.person('50.00');
      const payment = await initiate(tpp, await tpp.applicationToken(), domesticPayment(firstIban(psu)));
      await become(firstIban(psu), status);
      await walkAndApprove(world.browser(), payment.scaRedirect, psu);
      expect(await readStatus(tpp, await tpp.applicationToken(), payment.path)).toMatchObject({
        transactionStatus: 'RJCT',
      });
    },
  );

  it('(closed between signature and settlement) leaves the payment at ACCP with fundsAvailable=false, and no money moves', async () => {
    const psu = await world.person('50.00');
    const payment = await initiate(tpp, await tpp.applicationToken(), domesticPayment(firstIban(psu)));
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    await become(firstIban(psu), 'closed');
    await world.advance('PT2M');
    expect(await readStatus(tpp, await tpp.applicationToken(), payment.path)).toMatchObject({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
    });
    await become(firstIban(psu), 'enabled');
    const { access_token } = await authorised(world, tpp, psu, 'PSP_IC');
    const whole = await tpp.call('POST', '/v1/funds-confirmations', access_token, {
      json: { instructedAmount: { currency: homeCurrency, amount: '50.00' } },
    });
    expect(whole.text).toBe('{"fundsAvailable":true}');
  });

  it('(closed) accepts no deposits and confirms no funds, and the first open account becomes the main account (contract 7)', async () => {
    const psu = await world.person('500.00', '7.00');
    const { access_token } = await authorised(world, tpp, psu, 'PSP_IC');
    const ask = async (amount: string, iban?: string): Promise<string> =>
      (
        await tpp.call('POST', '/v1/funds-confirmations', access_token, {
          json: {
            ...(iban === undefined ? {} : { account: { iban } }),
            instructedAmount: { currency: homeCurrency, amount },
          },
        })
      ).text;
    expect(await ask('500.00')).toBe('{"fundsAvailable":true}');
    await become(firstIban(psu), 'closed');
    expect([await ask('7.00'), await ask('7.01'), await ask('1.00', firstIban(psu))]).toEqual([
      '{"fundsAvailable":true}',
      '{"fundsAvailable":false}',
      '{"fundsAvailable":false}',
    ]);
    const refused = await tpp.call(
      'POST',
      `/sandbox/accounts/${firstIban(psu)}/deposit`,
      await tpp.applicationToken(),
      { json: { amount: '1.00', currency: homeCurrency } },
    );
    expect([refused.status, listCodes(refused)]).toEqual([404, ['RESOURCE_UNKNOWN']]);
  });

  it('(closed before its consent is signed) causes the consent to be rejected (contract 5)', async () => {
    const psu = await world.person('1.00');
    const management = await tpp.applicationToken('PSP_AI');
    const answer = await tpp.call('POST', '/v1/consents', management, {
      json: consentBody([firstIban(psu)], dayFrom(await sandboxNow(world), 30)),
      headers: { 'psu-id': psu.psuId },
    });
    const { _links } = parseJson<{ _links: Record<string, { href: string }> }>(answer);
    await become(firstIban(psu), 'closed');
    await walkAndApprove(world.browser(), _links['scaRedirect']?.href ?? '', psu);
    expect(parseJson(await tpp.call('GET', _links['status']?.href ?? '', management))).toEqual({
      consentStatus: 'rejected',
    });
  });
});

describe('PATCH /sandbox/accounts/{iban} (in addition to contract 13)', () => {
  it.each([
    [{}, 400, ['FORMAT_ERROR'], ['status']],
    [{ status: 'gone' }, 400, ['FORMAT_ERROR'], ['status']],
    [{ status: 1, extra: 1 }, 400, ['FORMAT_ERROR', 'FORMAT_ERROR'], ['status', 'extra']],
  ])('%j: %d', async (body, status, codes, paths) => {
    const psu = await world.person('1.00');
    const answer = await change(firstIban(psu), body);
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([status, codes, paths]);
  });

  it('returns 404 RESOURCE_UNKNOWN for an unknown account', async () => {
    for (const iban of ['BG17XSBK92001099999999', 'DE89370400440532013000', 'x']) {
      const answer = await change(iban, { status: 'closed' });
      expect([answer.status, listCodes(answer)]).toEqual([404, ['RESOURCE_UNKNOWN']]);
    }
  });
});
