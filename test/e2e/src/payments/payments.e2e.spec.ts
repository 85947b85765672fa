import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { sign } from '@xs2a/test-support/persistent-tpp';
import {
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  sandboxNow,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
const callback = 'http://127.0.0.1:8090/callback';

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());
const fresh = async (): Promise<void> => {
  token = await tpp.applicationToken();
};

const balances = async (accountsToken: string, resourceId: string): Promise<Record<string, string>> => {
  const answer = await tpp.call('GET', `/v1/accounts/${resourceId}/balances`, accountsToken, {
    headers: { 'psu-ip-address': '198.51.100.7' },
  });
  const list = parseJson<{ balances: { balanceType: string; balanceAmount: { amount: string } }[] }>(
    answer,
  ).balances;
  return Object.fromEntries(
    list.map(({ balanceType, balanceAmount }) => [balanceType, balanceAmount.amount]),
  );
};

describe('a single payment (spec 2.5, 3.1, 5.6, contract 8)', () => {
  it('goes through RCVD, ACCP and ACSC; its entry is pending, then booked, and both balances change', async () => {
    await fresh();
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const { tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody([iban], dayFrom(await sandboxNow(world), 30)),
    );
    const present = { headers: { 'psu-ip-address': '198.51.100.7' } };
    const { accounts } = parseJson<{ accounts: { resourceId: string }[] }>(
      await tpp.call('GET', '/v1/accounts', tokens.access_token, present),
    );
    const resourceId = accounts[0]?.resourceId ?? '';

    const answer = await tpp.call('POST', domesticPath, token, {
      json: domesticPayment(iban),
      headers: { 'tpp-redirect-uri': callback },
    });
    expect(answer.status).toBe(201);
    const created = parseJson<{
      transactionStatus: string;
      paymentId: string;
      _links: Record<string, { href: string }>;
    }>(answer);
    expect(created.transactionStatus).toBe('RCVD');
    expect(answer.headers.get('aspsp-sca-approach')).toBe('REDIRECT');
    expect(answer.headers.get('location')).toBe(`${domesticPath}/${created.paymentId}`);
    expect(Object.keys(created._links).sort()).toEqual(['scaRedirect', 'scaStatus', 'self', 'status']);
    const path = `${domesticPath}/${created.paymentId}`;
    const browser = world.browser();
    const seen: string[] = [];
    const statuses: unknown[] = [];
    await walkAndApprove(browser, created._links['scaRedirect']?.href ?? '', psu, {
      watch: (step) => seen.push(step),
    });
    expect(seen).toEqual(['sign in', 'review', 'code', 'result']);
    expect(browser.leftTo).toMatch(/^http:\/\/127\.0\.0\.1:8090\/callback/);
    statuses.push(await readStatus(tpp, token, path));
    expect(statuses).toEqual([{ transactionStatus: 'ACCP' }]);

    await world.advance('PT1M');
    const settled = await readStatus(tpp, token, path);
    expect(settled).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    const details = parseJson(await tpp.call('GET', path, token));
    expect(details).toMatchObject({
      ...domesticPayment(iban),
      transactionStatus: 'ACSC',
      paymentType: 'DOMESTIC',
      fundsAvailable: true,
    });
    expect(await balances(tokens.access_token, resourceId)).toEqual({
      interimAvailable: '87.50',
      expected: '87.50',
    });

    const history = async (accessToken: string): Promise<{ booked?: unknown[]; pending?: unknown[] }> =>
      parseJson<{ transactions: { booked?: unknown[]; pending?: unknown[] } }>(
        await tpp.call('GET', `/v1/accounts/${resourceId}/transactions`, accessToken, present),
      ).transactions;
    const isThePayment = expect.objectContaining({
      transactionAmount: { currency: homeCurrency, amount: '-12.50' },
    });
    expect((await history(tokens.access_token)).pending).toEqual([isThePayment]);
    await world.advance('PT4M');
    const refreshed = await tpp.refresh(tokens.refresh_token ?? '');
    expect((await history(refreshed.access_token)).pending).toEqual([isThePayment]);
    await world.advance('PT1M');
    const after = await history(refreshed.access_token);
    expect(after.pending ?? []).toEqual([]);
    expect(after.booked).toContainEqual(isThePayment);
    expect(await readStatus(tpp, token, path)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
  });

  it('stays ACCP with fundsAvailable=false if funds are insufficient (spec 3.1), even after a later deposit', async () => {
    await fresh();
    const psu = await world.person('10.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const payment = await initiate(tpp, token, domesticPayment(iban, '10.01'));
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    await world.advance('PT1M');
    const refused = await readStatus(tpp, token, payment.path);
    expect(refused).toMatchObject({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
      tppMessages: [{ category: 'WARNING', code: 'FUNDS_NOT_AVAILABLE' }],
    });
    const deposit = await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, token, {
      json: { amount: '100.00', currency: homeCurrency },
    });
    expect(deposit.status).toBe(201);
    await world.advance('PT10M');
    expect(await readStatus(tpp, token, payment.path)).toEqual(refused);
    const cancelled = await tpp.call('DELETE', payment.path, token);
    expect([cancelled.status, listCodes(cancelled)]).toEqual([405, ['CANCELLATION_INVALID']]);
    expect(cancelled.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it.each(['refuse', 'cancel'] as const)(
    'becomes RJCT when the PSU presses %s, and the browser goes to the Nok URI (spec 3.4)',
    async (decision) => {
      await fresh();
      const psu = await world.person();
      const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''), {
        'tpp-redirect-uri': callback,
        'tpp-nok-redirect-uri': `${callback}?outcome=nok`,
      });
      const browser = world.browser();
      await walkAndDecline(browser, payment.scaRedirect, psu, decision);
      expect(browser.leftTo).toBe(`${callback}?outcome=nok`);
      expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
      const { authorisationIds } = parseJson<{ authorisationIds: string[] }>(
        await tpp.call('GET', `${payment.path}/authorisations`, token),
      );
      const sca = await tpp.call('GET', `${payment.path}/authorisations/${authorisationIds[0]}`, token);
      expect(parseJson(sca)).toEqual({ scaStatus: 'failed' });
    },
  );

  it('becomes RJCT when it is not signed within 15 minutes, even if the link is never opened', async () => {
    await fresh();
    const psu = await world.person();
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    await world.advance('PT14M59S');
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RCVD' });
    await world.advance('PT2S');
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
    const page = await world.browser().open(payment.scaRedirect);
    expect(page.forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).not.toContain('psuId');
  });

  it('becomes RJCT after five wrong codes', async () => {
    await fresh();
    const psu = await world.person();
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const browser = world.browser();
    let page = await browser.open(payment.scaRedirect);
    page = await browser.submit(page, { psuId: psu.psuId, password: psu.password }, 'approve');
    page = await browser.submit(page, {}, 'approve');
    for (let tries = 0; tries < 5; tries += 1)
      page = await browser.submit(page, { otp: '654321' }, 'approve');
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
  });

  it('becomes RJCT when a PSU who does not own the debtor account signs in', async () => {
    await fresh();
    const [owner, stranger] = [await world.person(), await world.person()];
    const payment = await initiate(tpp, token, domesticPayment(owner.accounts[0]?.iban ?? ''));
    await walkAndApprove(world.browser(), payment.scaRedirect, stranger);
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
  });

  it('becomes RJCT when a PSU other than the one named in the request signs in', async () => {
    await fresh();
    const [named, other] = [await world.person(), await world.person()];
    const payment = await initiate(tpp, token, domesticPayment(other.accounts[0]?.iban ?? ''), {
      'psu-id': named.psuId,
    });
    await walkAndApprove(world.browser(), payment.scaRedirect, other);
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
  });

  it('is executed on its day if it is future-dated, and is ACCP and cancellable until then', async () => {
    await fresh();
    const psu = await world.person();
    const date = dayFrom(await sandboxNow(world), 3);
    const payment = await initiate(
      tpp,
      token,
      domesticPayment(psu.accounts[0]?.iban ?? '', '5.00', { requestedExecutionDate: date }),
    );
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    await world.advance('P1D');
    await fresh();
    expect(await readStatus(tpp, token, payment.path)).toEqual({ transactionStatus: 'ACCP' });
    await world.advance('P3D');
    await fresh();
    expect(await readStatus(tpp, token, payment.path)).toEqual({
      transactionStatus: 'ACSC',
      fundsAvailable: true,
    });
  });
});

describe('cancellation (spec 3.3, 5.7, contract 8)', () => {
  it('returns 204 in RCVD and ACCP and sets CANC; a retry gets 204 only with the same Idempotency-Key', async () => {
    await fresh();
    const psu = await world.person();
    const received = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const first = await tpp.call('DELETE', received.path, token, key);
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await tpp.call('DELETE', received.path, token, key)).status).toBe(204);
    const again = await tpp.call('DELETE', received.path, token);
    expect([again.status, listCodes(again)]).toEqual([405, ['CANCELLATION_INVALID']]);
    expect(await readStatus(tpp, token, received.path)).toEqual({ transactionStatus: 'CANC' });

    const accepted = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    await walkAndApprove(world.browser(), accepted.scaRedirect, psu);
    expect((await tpp.call('DELETE', accepted.path, token)).status).toBe(204);
    await world.advance('PT2M');
    expect(await readStatus(tpp, token, accepted.path)).toEqual({ transactionStatus: 'CANC' });
  });

  it('is refused in ACSC and RJCT', async () => {
    await fresh();
    const psu = await world.person();
    const settled = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    await walkAndApprove(world.browser(), settled.scaRedirect, psu);
    const rejected = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    await walkAndDecline(world.browser(), rejected.scaRedirect, psu, 'refuse');
    await world.advance('PT1M');
    for (const { path } of [settled, rejected]) {
      const answer = await tpp.call('DELETE', path, token);
      expect([answer.status, listCodes(answer)]).toEqual([405, ['CANCELLATION_INVALID']]);
    }
  });

  it('returns the same response, byte for byte, for a payment of another TPP and for an unknown payment', async () => {
    await fresh();
    const psu = await world.person();
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const second = world.tpp('sandbox-tpp-2');
    const foreignToken = await second.applicationToken();
    for (const [method, tail] of [
      ['DELETE', ''],
      ['GET', ''],
      ['GET', '/status'],
      ['GET', '/authorisations'],
    ] as const) {
      const foreign = await second.call(method, `${payment.path}${tail}`, foreignToken);
      const unknown = await second.call(method, `${domesticPath}/${randomUUID()}${tail}`, foreignToken);
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe(unknown.text);
    }
  });
});

describe('idempotency (contract 2)', () => {
  it('returns the first response, byte for byte, for the same key and body; paths with and without /v1 are equivalent', async () => {
    await fresh();
    const psu = await world.person();
    const sending = {
      json: domesticPayment(psu.accounts[0]?.iban ?? ''),
      headers: { 'idempotency-key': randomUUID() },
    };
    const first = await tpp.call('POST', domesticPath, token, sending);
    const second = await tpp.call('POST', domesticPath.replace('/v1', ''), token, sending);
    expect([second.status, second.text]).toEqual([201, first.text]);
    const other = await tpp.call('POST', domesticPath, token, {
      ...sending,
      json: domesticPayment(psu.accounts[0]?.iban ?? '', '13.00'),
    });
    expect([other.status, listCodes(other)]).toEqual([409, ['STATUS_INVALID']]);
    const malformed = await tpp.call('POST', domesticPath, token, { ...sending, json: {} });
    expect([malformed.status, listCodes(malformed)]).toEqual([409, ['STATUS_INVALID']]);
  });

  it('uses the client’s X-Request-ID as the key if no Idempotency-Key is sent', async () => {
    await fresh();
    const psu = await world.person();
    const sending = {
      json: domesticPayment(psu.accounts[0]?.iban ?? ''),
      headers: { 'x-request-id': randomUUID() },
    };
    const [first, second] = [
      await tpp.call('POST', domesticPath, token, sending),
      await tpp.call('POST', domesticPath, token, sending),
    ];
    expect(second.text).toBe(first.text);
  });

  it('creates one payment for twenty parallel requests', async () => {
    await fresh();
    const psu = await world.person();
    const sending = {
      json: domesticPayment(psu.accounts[0]?.iban ?? ''),
      headers: { 'idempotency-key': randomUUID() },
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => tpp.call('POST', domesticPath, token, sending)),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(
      answers
        .filter(({ status }) => status !== 201)
        .every(({ status, headers }) => status === 409 && headers.get('retry-after') !== null),
    ).toBe(true);
    expect(created.length).toBeGreaterThan(0);
  });

  it('stores only successful responses, so a refused request can be corrected and sent again', async () => {
    await fresh();
    const psu = await world.person();
    const headers = { 'idempotency-key': randomUUID() };
    const wrong = await tpp.call('POST', domesticPath, token, {
      json: domesticPayment(psu.accounts[0]?.iban ?? '', '0.00'),
      headers,
    });
    expect(wrong.status).toBe(400);
    const right = await tpp.call('POST', domesticPath, token, {
      json: domesticPayment(psu.accounts[0]?.iban ?? ''),
      headers,
    });
    expect(right.status).toBe(201);
  });
});

describe('concurrent signatures', () => {
  it('bring exactly one of 60 payments of 60.00 on an account with 100.00 to ACSC', async () => {
    await fresh();
    const psu = await world.person('100.00');
    const payments = await Promise.all(
      Array.from({ length: 60 }, async () =>
        initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? '', '60.00')),
      ),
    );
    for (let at = 0; at < payments.length; at += 20)
      await Promise.all(payments.slice(at, at + 20).map(async (one) => sign(world, one, psu)));
    await world.advance('PT1M');
    const statuses = await Promise.all(
      payments.map(async ({ path }) =>
        until(
          async () => readStatus(tpp, token, path),
          (status) => status['fundsAvailable'] !== undefined,
        ),
      ),
    );
    expect(statuses.filter(({ transactionStatus }) => transactionStatus === 'ACSC')).toHaveLength(1);
    expect(
      statuses.filter(
        ({ transactionStatus, fundsAvailable }) => transactionStatus === 'ACCP' && fundsAvailable === false,
      ),
    ).toHaveLength(59);
  });

  it('in two browsers for the same authorisation count once', async () => {
    await fresh();
    const psu = await world.person('100.00');
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? '', '60.00'));
    await Promise.allSettled(
      [1, 2, 3].map(async () => walkAndApprove(world.browser(), payment.scaRedirect, psu)),
    );
    await world.advance('PT1M');
    expect(await readStatus(tpp, token, payment.path)).toEqual({
      transactionStatus: 'ACSC',
      fundsAvailable: true,
    });
  });
});
