import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  authorised,
  listCodes,
  consentBody,
  consented,
  dayFrom,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());

const present = { headers: { 'psu-ip-address': '198.51.100.7' } };
const day = 86_400;

/** Creates a consent of a new PSU to accounts with these opening balances. */
const createConsentFor = async (
  openings: readonly string[],
  changes: Readonly<Record<string, unknown>> = {},
) => {
  const psu = await world.person(...openings);
  const ibans = psu.accounts.map(({ iban }) => iban);
  const body = consentBody(ibans, dayFrom(await sandboxNow(world), 30), changes);
  const { consentId, tokens } = await consented(world, tpp, psu, body);
  const fresh = async (): Promise<string> =>
    (await authorised(world, tpp, psu, 'PSP_AI', consentId)).access_token;
  return { consentId, token: tokens.access_token, fresh };
};
const listIds = async (token: string): Promise<string[]> =>
  parseJson<{ accounts: { resourceId: string }[] }>(
    await tpp.call('GET', '/v1/accounts', token, present),
  ).accounts.map(({ resourceId }) => resourceId);
const times = async (count: number, path: string, token: string): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let call = 0; call < count; call += 1) answers.push(await tpp.call('GET', path, token));
  return answers;
};
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
const consentOfTpp = async (consentId: string): Promise<Record<string, unknown>> =>
  parseJson(await tpp.call('GET', `/v1/consents/${consentId}`, await tpp.applicationToken('PSP_AI')));
const retryAfter = (answer: Answer | undefined): number => Number(answer?.headers.get('retry-after'));

describe('unattended calls (spec 8 rule 3, contract 5)', () => {
  it('are limited to four per endpoint for each of two accounts, and to four for the account list; the fifth returns 429 ACCESS_EXCEEDED', async () => {
    const { token } = await createConsentFor(['1.00', '2.00']);
    const ids = await listIds(token);
    expect(ids).toHaveLength(2);
    const paths = ids.flatMap((id) => ['', '/balances', '/transactions'].map((tail) => `/${id}${tail}`));
    for (const path of ['', ...paths]) {
      const answers = await times(5, `/v1/accounts${path}`, token);
      expect([path, statuses(answers)]).toEqual([path, [200, 200, 200, 200, 429]]);
      expect(listCodes(answers[4] as Answer)).toEqual(['ACCESS_EXCEEDED']);
    }
    // The accounts have no unattended calls left, but calls with the PSU present still succeed.
    for (const path of ['', ...paths])
      expect((await tpp.call('GET', `/v1/accounts${path}`, token, present)).status).toBe(200);
  });

  it('are counted in a rolling window: each becomes available again after 24 hours, and Retry-After shows when', async () => {
    const { token, fresh } = await createConsentFor(['1.00']);
    const [id = ''] = await listIds(token);
    const path = `/v1/accounts/${id}/balances`;
    expect(statuses(await times(2, path, token))).toEqual([200, 200]);
    await world.advance('PT10H');
    const answers = await times(3, path, await fresh());
    expect(statuses(answers)).toEqual([200, 200, 429]);
    // The first call leaves the window 24 hours after it was made, which is 14 hours from now, minus the
    // duration of the test.
    expect(retryAfter(answers[2])).toBeGreaterThan(0.55 * day);
    expect(retryAfter(answers[2])).toBeLessThanOrEqual((14 / 24) * day);
    await world.advance('PT13H');
    expect(statuses(await times(1, path, await fresh()))).toEqual([429]);
    await world.advance('PT1H');
    const rolled = await times(3, path, await fresh());
    expect(statuses(rolled)).toEqual([200, 200, 429]);
    expect(retryAfter(rolled[2])).toBeGreaterThan(0.38 * day);
    expect(retryAfter(rolled[2])).toBeLessThanOrEqual((10 / 24) * day);
  });

  it.each([
    [2, 2],
    [4, 4],
    [50, 4],
  ])('with frequencyPerDay %d are limited to %d, as GET shows', async (asked, effective) => {
    const { consentId, token } = await createConsentFor(['1.00'], { frequencyPerDay: asked });
    expect(await consentOfTpp(consentId)).toMatchObject({ frequencyPerDay: effective });
    const answers = statuses(await times(effective + 1, '/v1/accounts', token));
    expect(answers).toEqual([...Array.from({ length: effective }, () => 200), 429]);
  });

  it('are counted only after the other checks: header, account and query errors come first (contract 3: precedence)', async () => {
    const { token } = await createConsentFor(['1.00']);
    const [id = ''] = await listIds(token);
    const [own, unknown] = [id, randomUUID()].map((account) => `/v1/accounts/${account}/transactions`);
    expect(statuses(await times(5, own ?? '', token))).toEqual([200, 200, 200, 200, 429]);
    const verdict = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await tpp.call('GET', path, token, { headers });
      return [answer.status, ...listCodes(answer)];
    };
    const wrong = { 'consent-id': randomUUID() };
    expect(await verdict(`${unknown}?pageSize=0`, wrong)).toEqual([400, 'CONSENT_UNKNOWN']);
    expect(await verdict(`${unknown}?pageSize=0`)).toEqual([404, 'RESOURCE_UNKNOWN']);
    expect(await verdict(`${own}?pageSize=0`)).toEqual([400, 'FORMAT_ERROR']);
    expect(await verdict(`${own}?dateFrom=2026-01-02&dateTo=2026-01-01`)).toEqual([400, 'PERIOD_INVALID']);
    expect(await verdict(own ?? '')).toEqual([429, 'ACCESS_EXCEEDED']);
  });
});

describe('a one-off consent (contract 5)', () => {
  const oneOff = { recurringIndicator: false, frequencyPerDay: 1 };

  it.each([
    ['with the PSU', present],
    ['unattended', {}],
  ])(
    '%s: allows one answered call per endpoint and account; the second returns 429, even with the PSU present',
    async (_who, sending) => {
      const { consentId, token } = await createConsentFor(['1.00', '2.00'], oneOff);
      const list = parseJson<{ accounts: { resourceId: string }[] }>(
        await tpp.call('GET', '/v1/accounts', token, sending),
      );
      const tails = list.accounts.flatMap(({ resourceId }) =>
        ['', '/balances', '/transactions'].map((tail) => `/${resourceId}${tail}`),
      );
      // A malformed call is not counted.
      const refused = await tpp.call('GET', `/v1/accounts${tails[2]}?pageSize=0`, token, sending);
      expect(refused.status).toBe(400);
      for (const tail of tails) {
        const first = await tpp.call('GET', `/v1/accounts${tail}`, token, sending);
        const second = await tpp.call('GET', `/v1/accounts${tail}`, token, sending);
        const third = await tpp.call('GET', `/v1/accounts${tail}`, token, present);
        expect([tail, first.status, second.status, third.status]).toEqual([tail, 200, 429, 429]);
        expect(listCodes(second)).toEqual(['ACCESS_EXCEEDED']);
        // Waiting does not help, so no time is named.
        expect(second.headers.get('retry-after')).toBeNull();
      }
      expect(await consentOfTpp(consentId)).toMatchObject({ consentStatus: 'valid' });
    },
  );

  it('allows only one of 20 concurrent calls', async () => {
    const { token } = await createConsentFor(['1.00'], oneOff);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => tpp.call('GET', '/v1/accounts', token, present)),
    );
    expect(statuses(answers).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 429)]);
  });

  it('ends 20 minutes after the first answered call; a refused call changes nothing', async () => {
    const { consentId, token } = await createConsentFor(['1.00'], oneOff);
    expect((await tpp.call('GET', '/v1/accounts', token, present)).status).toBe(200);
    await world.advance('PT4M');
    expect((await tpp.call('GET', `/v1/accounts/${randomUUID()}`, token, present)).status).toBe(404);
    await world.advance('PT16M1S');
    expect(await consentOfTpp(consentId)).toMatchObject({ consentStatus: 'expired' });
  });
});
