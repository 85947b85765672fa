import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  awayFromMidnight,
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  periodicPath,
  periodicPayment,
  present,
  resourceIds,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import { domesticProduct, homeCurrency, otherProduct } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
/** The day on which a test begins. It remains the current day unless the test moves the clock past it. */
let today: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
beforeEach(async () => {
  await awayFromMidnight(world);
  token = await tpp.applicationToken();
  today = dayFrom(await sandboxNow(world), 0);
});
afterAll(async () => world.stop());

const dayAfter = (days: number): string => dayFrom(`${today}T12:00:00Z`, days);
const firstIban = (psu: FreshPsu): string => psu.accounts[0]?.iban ?? '';
const order = async (psu: FreshPsu, changes: object = {}): Promise<Initiated> =>
  initiate(
    tpp,
    token,
    periodicPayment(firstIban(psu), today, { frequency: 'Daily', ...changes }),
    {},
    periodicPath,
  );
const signed = async (psu: FreshPsu, changes: object = {}): Promise<Initiated> => {
  const initiated = await order(psu, changes);
  await walkAndApprove(world.browser(), initiated.scaRedirect, psu);
  return initiated;
};
/** Moves the clock and renews the application token, which may have expired. */
const advance = async (duration: string): Promise<void> => {
  await world.advance(duration);
  token = await tpp.applicationToken();
};

interface Occurrence {
  readonly transactionId: string;
  readonly executionDate: string;
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
const readDetails = async (
  path: string,
): Promise<{ readonly transactionStatus: string; readonly occurrences: readonly Occurrence[] }> =>
  parseJson(await tpp.call('GET', path, token));
/** Returns the occurrences in order, such as `2027-01-31 ACTC true`. */
const occurrencesAt = async (path: string): Promise<string[]> =>
  (await readDetails(path)).occurrences.map(
    ({ executionDate, transactionStatus, fundsAvailable }) =>
      `${executionDate} ${transactionStatus} ${fundsAvailable ?? '-'}`,
  );
const status = async (path: string): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];
const cancel = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  tpp.call('DELETE', path, token, { headers });

interface Entry {
  readonly transactionId: string;
  readonly transactionAmount: { readonly amount: string };
}
const readHistory = async (
  psu: FreshPsu,
): Promise<{ readonly booked: readonly Entry[]; readonly pending: readonly Entry[] }> => {
  const validUntil = dayFrom(await sandboxNow(world), 30);
  const { tokens } = await consented(world, tpp, psu, consentBody([firstIban(psu)], validUntil));
  const [id = ''] = await resourceIds(tpp, tokens.access_token);
  const answer = await tpp.call('GET', `/v1/accounts/${id}/transactions`, tokens.access_token, present);
  const { booked = [], pending = [] } = parseJson<{ transactions: { booked?: Entry[]; pending?: Entry[] } }>(
    answer,
  ).transactions;
  return { booked, pending };
};

describe('a periodic order (spec 3.2, contract 9)', () => {
  it('goes through RCVD and ACCP to ACSP with the first occurrence, which is pending, then booked, and to ACSC after the last', async () => {
    const psu = await world.person('100.00');
    const { path, scaRedirect } = await order(psu, { endDate: dayAfter(1) });
    expect(await status(path)).toBe('RCVD');
    await walkAndApprove(world.browser(), scaRedirect, psu);
    expect(await status(path)).toBe('ACCP');
    expect(await occurrencesAt(path)).toEqual([`${today} ACTC -`]);

    await advance('PT1M');
    expect(await status(path)).toBe('ACSP');
    expect(await occurrencesAt(path)).toEqual([`${today} ACTC true`, `${dayAfter(1)} ACTC -`]);
    const [first] = (await readDetails(path)).occurrences;
    expect(first?.transactionId).toMatch(/^[!-~]{1,35}$/);
    const { pending } = await readHistory(psu);
    expect(pending).toMatchObject([
      { transactionId: first?.transactionId, transactionAmount: { amount: '-12.50' } },
    ]);

    await advance('PT5M');
    const after = await readHistory(psu);
    expect(after.pending).toEqual([]);
    expect(after.booked).toContainEqual(expect.objectContaining({ transactionId: first?.transactionId }));
    expect(await status(path)).toBe('ACSP');
    expect(await occurrencesAt(path)).toEqual([`${today} ACTC true`, `${dayAfter(1)} ACTC -`]);

    await advance('P1D');
    await advance('PT5M');
    expect(await status(path)).toBe('ACSC');
    expect(await occurrencesAt(path)).toEqual([`${today} ACSC true`, `${dayAfter(1)} ACSC true`]);
    expect((await readHistory(psu)).booked.map(({ transactionAmount }) => transactionAmount.amount)).toEqual(
      expect.arrayContaining(['-12.50', '-12.50']),
    );
  });

  it('has occurrences that are not payments: a transactionId is not a paymentId', async () => {
    const psu = await world.person('100.00');
    const { path } = await signed(psu);
    await advance('PT1M');
    const [first] = (await readDetails(path)).occurrences;
    for (const service of ['payments', 'periodic-payments', 'bulk-payments']) {
      const at = `/v1/${service}/${domesticProduct}/${first?.transactionId}/status`;
      expect([service, listCodes(await tpp.call('GET', at, token))]).toEqual([service, ['RESOURCE_UNKNOWN']]);
    }
    await cancel(path);
  });

  it('waits in ACCP for its first day if it starts later', async () => {
    const psu = await world.person('100.00');
    const { path } = await signed(psu, { startDate: dayAfter(2) });
    await advance('P1D');
    expect(await status(path)).toBe('ACCP');
    expect(await occurrencesAt(path)).toEqual([`${dayAfter(2)} ACTC -`]);
    await advance('P1D');
    expect(await status(path)).toBe('ACSP');
    await cancel(path);
  });

  it('skips and flags an occurrence without funds, never retries it, and continues', async () => {
    const psu = await world.person('20.00');
    const { path } = await signed(psu, { numberOfPayments: 3 });
    await advance('PT1M');
    await advance('P1D');
    expect(await occurrencesAt(path)).toEqual([
      `${today} ACTC true`,
      `${dayAfter(1)} ACTC false`,
      `${dayAfter(2)} ACTC -`,
    ]);
    expect(await status(path)).toBe('ACSP');
    await tpp.call('POST', `/sandbox/accounts/${firstIban(psu)}/deposit`, token, {
      json: { amount: '100.00', currency: homeCurrency },
    });
    await advance('P1D');
    await advance('PT5M');
    expect(await status(path)).toBe('ACSC');
    expect(await occurrencesAt(path)).toEqual([
      `${today} ACSC true`,
      `${dayAfter(1)} CANC false`,
      `${dayAfter(2)} ACSC true`,
    ]);
    expect(
      (await readHistory(psu)).booked.filter(
        ({ transactionAmount }) => transactionAmount.amount === '-12.50',
      ),
    ).toHaveLength(2);
  });

  it('with numberOfPayments, has exactly that many occurrences', async () => {
    const psu = await world.person('100.00');
    const { path } = await signed(psu, { numberOfPayments: 2, frequency: 'Weekly' });
    await advance('PT1M');
    await advance('P7D');
    await advance('PT5M');
    expect([await status(path), await occurrencesAt(path)]).toEqual([
      'ACSC',
      [`${today} ACSC true`, `${dayAfter(7)} ACSC true`],
    ]);
    await advance('P14D');
    expect(await occurrencesAt(path)).toHaveLength(2);
  });

  it('executes missed occurrences at once, oldest first, each with its planned day', async () => {
    const psu = await world.person('100.00');
    const { path } = await signed(psu, { numberOfPayments: 5 });
    await advance('P10D');
    await advance('PT5M');
    expect([await status(path), await occurrencesAt(path)]).toEqual([
      'ACSC',
      [0, 1, 2, 3, 4].map((days) => `${dayAfter(days)} ACSC true`),
    ]);
  });
});

describe('the authorisation of a periodic order by the PSU (spec 3.4)', () => {
  it('makes the order RJCT if it is refused or not signed within 15 minutes', async () => {
    const psu = await world.person('100.00');
    const refused = await order(psu);
    await walkAndDecline(world.browser(), refused.scaRedirect, psu, 'refuse');
    const forgotten = await order(psu);
    await advance('PT15M1S');
    expect([await status(refused.path), await status(forgotten.path)]).toEqual(['RJCT', 'RJCT']);
  });

  it('can be listed, read and started again, and never belongs to a cancellation (spec 4.6)', async () => {
    const psu = await world.person('100.00');
    const { path, scaRedirect } = await order(psu);
    const listed = async (): Promise<string[]> =>
      parseJson<{ authorisationIds: string[] }>(await tpp.call('GET', `${path}/authorisations`, token))
        .authorisationIds;
    const [id = ''] = await listed();
    expect(scaRedirect).toContain(id);
    const read = async (one: string): Promise<unknown> =>
      parseJson(await tpp.call('GET', `${path}/authorisations/${one}`, token));
    expect(await read(id)).toEqual({ scaStatus: 'received' });
    const anew = await tpp.call('POST', `${path}/authorisations`, token);
    expect(anew.status).toBe(201);
    const { authorisationId, _links } = parseJson<{
      authorisationId: string;
      _links: { scaRedirect: { href: string }; scaStatus: { href: string } };
    }>(anew);
    expect(_links.scaStatus.href).toBe(`${path}/authorisations/${authorisationId}`);
    expect(await listed()).toEqual([id, authorisationId]);
    await walkAndApprove(world.browser(), _links.scaRedirect.href, psu);
    expect(await read(authorisationId)).toEqual({ scaStatus: 'finalised' });
    expect(listCodes(await tpp.call('POST', `${path}/authorisations`, token))).toEqual(['STATUS_INVALID']);
    expect(listCodes(await tpp.call('GET', `${path}/authorisations/${randomUUID()}`, token))).toEqual([
      'RESOURCE_UNKNOWN',
    ]);
    expect(parseJson(await tpp.call('GET', `${path}/cancellation-authorisations`, token))).toEqual({
      authorisationIds: [],
    });
    for (const version of ['1.0.0', '1.3.2']) {
      const answer = await tpp.call('GET', `${path}/authorisations`, token, {
        headers: { 'x-api-version': version },
      });
      expect(answer.headers.get('x-api-version')).toBe(version);
    }
    await cancel(path);
  });
});

describe('cancellation of a periodic order (contract 9)', () => {
  it('returns 204 in RCVD, ACCP and ACSP and sets CANC; nothing more is executed, and pending entries are booked', async () => {
    const psu = await world.person('100.00');
    const received = await order(psu);
    const accepted = await signed(psu, { startDate: dayAfter(1) });
    const running = await signed(psu);
    await advance('PT1M');
    expect([await status(received.path), await status(accepted.path), await status(running.path)]).toEqual([
      'RCVD',
      'ACCP',
      'ACSP',
    ]);
    for (const { path } of [received, accepted, running]) {
      const answer = await cancel(path);
      expect([answer.status, answer.text, await status(path)]).toEqual([204, '', 'CANC']);
    }
    await advance('P3D');
    await advance('PT5M');
    expect(await occurrencesAt(running.path)).toContain(`${today} ACSC true`);
    expect((await occurrencesAt(running.path)).filter((one) => one.includes('ACSC'))).toHaveLength(1);
    expect((await readDetails(accepted.path)).occurrences.map((one) => one.transactionStatus)).not.toContain(
      'ACSC',
    );
    expect(
      (await readHistory(psu)).booked.filter(
        ({ transactionAmount }) => transactionAmount.amount === '-12.50',
      ),
    ).toHaveLength(1);
  });

  it('returns 204 again for the same Idempotency-Key and 405 otherwise, and is refused for a finished order or an order of another TPP', async () => {
    const psu = await world.person('100.00');
    const { path } = await order(psu);
    const key = { 'idempotency-key': randomUUID() };
    const second = world.tpp('sandbox-tpp-2');
    expect(listCodes(await second.call('DELETE', path, await second.applicationToken()))).toEqual([
      'RESOURCE_UNKNOWN',
    ]);
    expect([(await cancel(path, key)).status, (await cancel(path, key)).status]).toEqual([204, 204]);
    const again = await cancel(path);
    expect([again.status, listCodes(again)]).toEqual([405, ['CANCELLATION_INVALID']]);
    const settled = await signed(psu, { numberOfPayments: 1 });
    await advance('PT1M');
    expect(await status(settled.path)).toBe('ACSC');
    expect(listCodes(await cancel(settled.path))).toEqual(['CANCELLATION_INVALID']);
  });
});

describe('an order requested under another path (contract 3)', () => {
  it('returns 405 SERVICE_INVALID for another service, 403 PRODUCT_INVALID for another product; a payment under an order’s path also gets 405', async () => {
    const psu = await world.person('100.00');
    const { paymentId } = await order(psu);
    const payment = await initiate(tpp, token, domesticPayment(firstIban(psu)));
    for (const tail of ['', '/status', '/authorisations', '/cancellation-authorisations']) {
      for (const [at, expected] of [
        [`/v1/payments/${domesticProduct}/${paymentId}`, [405, 'SERVICE_INVALID']],
        [`/v1/bulk-payments/${domesticProduct}/${paymentId}`, [405, 'SERVICE_INVALID']],
        [`/v1/periodic-payments/${otherProduct}/${paymentId}`, [403, 'PRODUCT_INVALID']],
        [`${periodicPath}/${payment.paymentId}`, [405, 'SERVICE_INVALID']],
        [`${periodicPath}/${randomUUID()}`, [404, 'RESOURCE_UNKNOWN']],
      ] as const) {
        const answer = await tpp.call('GET', `${at}${tail}`, token);
        expect([at, tail, answer.status, listCodes(answer)[0]]).toEqual([at, tail, ...expected]);
      }
    }
    const wrongly = await cancel(`/v1/payments/${domesticProduct}/${paymentId}`);
    expect([wrongly.status, listCodes(wrongly)]).toEqual([405, ['SERVICE_INVALID']]);
    expect(await status(`${periodicPath}/${paymentId}`)).toBe('RCVD');
  });
});
