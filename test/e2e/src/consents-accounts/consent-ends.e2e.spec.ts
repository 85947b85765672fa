import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { Tokens, TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  authorised,
  awayFromMidnight,
  listCodes,
  consentBody,
  consented,
  createConsent,
  dayFrom,
  present,
  sandboxNow,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { testedRules } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  await awayFromMidnight(world);
});
afterAll(async () => world.stop());

const today = async (): Promise<string> => dayFrom(await sandboxNow(world), 0);
const bodyFor = async (psu: FreshPsu, validUntil: string, changes: object = {}) =>
  consentBody([psu.accounts[0]?.iban ?? ''], validUntil, { ...changes });
const management = async (): Promise<string> => tpp.applicationToken('PSP_AI');
const readStatus = async (consentId: string): Promise<unknown> =>
  parseJson(await tpp.call('GET', `/v1/consents/${consentId}/status`, await management()))['consentStatus'];
const list = async (token: string): Promise<Answer> => tpp.call('GET', '/v1/accounts', token, present);
const verdict = (answer: Answer): unknown[] =>
  answer.status === 200 ? [200] : [answer.status, ...listCodes(answer)];
const refreshed = async ({ refresh_token: token = '' }: Tokens): Promise<unknown> =>
  parseJson(await tpp.tokenRequest({ grant_type: 'refresh_token', refresh_token: token }))['error'];
/** Returns the authorization server's response when a consent is to be authorised again. */
const authorisationError = async (consentId: string): Promise<unknown> => {
  const browser = world.browser();
  await browser.open(tpp.authorizationRequest('PSP_AI', consentId).url);
  return new URL(browser.leftTo ?? 'http://nowhere').searchParams.get('error');
};
const pickCredentials = ({ psuId, password }: FreshPsu) => ({ psuId, password });
/** Moves the clock to this many seconds before (or, if negative, after) the end of the bank day `date`. */
const moveBeforeEnd = async (date: string, seconds: number): Promise<void> => {
  const end = Date.parse(startOfBankDay(addDays(date, 1), 'Europe/Sofia'));
  const ahead = Math.floor((end - Date.parse(await sandboxNow(world))) / 1000) - seconds;
  await world.advance(`PT${ahead}S`);
};

describe('the last day of a consent (contract 5, spec 3.5, 7)', () => {
  it.each([0, 2])(
    'with validUntil %d days ahead: the consent is valid until midnight in Sofia, then expired',
    async (days) => {
      const psu = await world.person();
      const validUntil = dayFrom(await sandboxNow(world), days);
      const { consentId } = await consented(world, tpp, psu, await bodyFor(psu, validUntil));
      await moveBeforeEnd(validUntil, 120);
      const tokens = await authorised(world, tpp, psu, 'PSP_AI', consentId);
      expect([await today(), await readStatus(consentId)]).toEqual([validUntil, 'valid']);
      expect(verdict(await list(tokens.access_token))).toEqual([200]);
      await moveBeforeEnd(validUntil, -1);
      expect(await readStatus(consentId)).toBe('expired');
      expect(verdict(await list(tokens.access_token))).toEqual([401, 'CONSENT_EXPIRED']);
      expect(await refreshed(tokens)).toBe('invalid_grant');
      expect(await authorisationError(consentId)).toBe('invalid_request');
      const consent = parseJson(await tpp.call('GET', `/v1/consents/${consentId}`, await management()));
      expect(consent).toMatchObject({ consentStatus: 'expired', validUntil, lastActionDate: await today() });
    },
  );

  it('is at most 90 days ahead, 180 in euro: the consent can be read on that day, but not on the next (spec 8)', async () => {
    const psu = await world.person();
    const last = dayFrom(await sandboxNow(world), testedRules.consentMaxDays);
    const { consentId } = await consented(world, tpp, psu, await bodyFor(psu, '9999-12-31'));
    await moveBeforeEnd(last, 100);
    const tokens = await authorised(world, tpp, psu, 'PSP_AI', consentId);
    expect(verdict(await list(tokens.access_token))).toEqual([200]);
    await moveBeforeEnd(last, -1);
    expect(verdict(await list(tokens.access_token))).toEqual([401, 'CONSENT_EXPIRED']);
  });
});

describe('expiry of a one-off consent (contract 5)', () => {
  it('takes place 20 minutes after the first successful call: every call returns CONSENT_EXPIRED, and the status is final', async () => {
    const psu = await world.person();
    const oneOff = { recurringIndicator: false, frequencyPerDay: 1 };
    const body = await bodyFor(psu, dayFrom(await sandboxNow(world), 30), oneOff);
    const { consentId, tokens } = await consented(world, tpp, psu, body);
    expect(verdict(await list(tokens.access_token))).toEqual([200]);
    await world.advance('PT19M');
    const again = await authorised(world, tpp, psu, 'PSP_AI', consentId);
    expect(await readStatus(consentId)).toBe('valid');
    await world.advance('PT1M1S');
    expect(verdict(await list(again.access_token))).toEqual([401, 'CONSENT_EXPIRED']);
    expect(await refreshed(again)).toBe('invalid_grant');
    expect((await tpp.call('DELETE', `/v1/consents/${consentId}`, await management())).status).toBe(204);
    expect(await readStatus(consentId)).toBe('expired');
  });
});

describe('an authorisation that fails (contract 5)', () => {
  it('rejects the consent after five wrong codes', async () => {
    const psu = await world.person();
    const answer = await createConsent(tpp, psu.psuId, await bodyFor(psu, await today()));
    const { consentId, _links } = parseJson<{ consentId: string; _links: { scaRedirect: { href: string } } }>(
      answer,
    );
    const browser = world.browser();
    let page = await browser.open(_links.scaRedirect.href);
    page = await browser.submit(page, { psuId: psu.psuId, password: psu.password }, 'approve');
    page = await browser.submit(page, {}, 'approve');
    for (let tries = 0; tries < 4; tries += 1)
      page = await browser.submit(page, { otp: '654321' }, 'approve');
    expect(await readStatus(consentId)).toBe('received');
    await browser.submit(page, { otp: '654321' }, 'approve');
    expect(await readStatus(consentId)).toBe('rejected');
  });
});

describe('DELETE (contract 5)', () => {
  it('before authorisation, rejects the consent; its link no longer opens a form, and no code is issued', async () => {
    const psu = await world.person();
    const answer = await createConsent(
      tpp,
      psu.psuId,
      await bodyFor(psu, dayFrom(await sandboxNow(world), 1)),
    );
    const { consentId, _links } = parseJson<{ consentId: string; _links: { scaRedirect: { href: string } } }>(
      answer,
    );
    for (let time = 0; time < 2; time += 1) {
      const deleted = await tpp.call('DELETE', `/v1/consents/${consentId}`, await management());
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect(await readStatus(consentId)).toBe('rejected');
    }
    expect((await world.browser().open(_links.scaRedirect.href)).forms).toEqual([]);
    expect(await authorisationError(consentId)).toBe('invalid_request');
  });

  it('does not change a final status: a consent that the PSU rejected stays rejected', async () => {
    const psu = await world.person();
    const answer = await createConsent(
      tpp,
      psu.psuId,
      await bodyFor(psu, dayFrom(await sandboxNow(world), 1)),
    );
    const { consentId, _links } = parseJson<{ consentId: string; _links: { scaRedirect: { href: string } } }>(
      answer,
    );
    await walkAndDecline(world.browser(), _links.scaRedirect.href, psu, 'refuse');
    const before = parseJson(await tpp.call('GET', `/v1/consents/${consentId}`, await management()));
    expect((await tpp.call('DELETE', `/v1/consents/${consentId}`, await management())).status).toBe(204);
    const after = parseJson(await tpp.call('GET', `/v1/consents/${consentId}`, await management()));
    expect(after).toEqual(before);
    expect(after).toMatchObject({ consentStatus: 'rejected' });
  });
});

describe('DELETE with the user token of the consent (contract 4)', () => {
  it('terminates the consent and may be repeated; the token can still read the consent but no account, and other consents are not affected', async () => {
    const psu = await world.person();
    const until = dayFrom(await sandboxNow(world), 30);
    const { consentId, tokens } = await consented(world, tpp, psu, await bodyFor(psu, until));
    const other = parseJson<{ consentId: string }>(
      await createConsent(tpp, psu.psuId, await bodyFor(psu, until)),
    );
    const token = tokens.access_token;
    const path = `/v1/consents/${consentId}`;
    expect(verdict(await tpp.call('DELETE', `/v1/consents/${other.consentId}`, token))).toEqual([
      403,
      'CONSENT_UNKNOWN',
    ]);
    expect(await readStatus(other.consentId)).toBe('received');
    for (let time = 0; time < 2; time += 1) {
      expect((await tpp.call('DELETE', path, token)).status).toBe(204);
      expect(parseJson(await tpp.call('GET', path, token))).toMatchObject({
        consentStatus: 'terminatedByTpp',
      });
    }
    expect(parseJson(await tpp.call('GET', `${path}/status`, token))).toEqual({
      consentStatus: 'terminatedByTpp',
    });
    const { authorisationIds } = parseJson<{ authorisationIds: string[] }>(
      await tpp.call('GET', `${path}/authorisations`, token),
    );
    expect(
      parseJson(await tpp.call('GET', `${path}/authorisations/${authorisationIds[0] ?? ''}`, token)),
    ).toEqual({ scaStatus: 'finalised' });
    for (const refused of ['/v1/accounts', '/v1/consents', '/sandbox/clock'])
      expect([refused, ...verdict(await tpp.call('GET', refused, token))]).toEqual([
        refused,
        401,
        'CONSENT_INVALID',
      ]);
  });
});

describe('a consent that is not authorised by the end of its last day (contract 5)', () => {
  it('is rejected without asking the PSU for a code: the browser is redirected to the Nok URI, and an older consent stays valid', async () => {
    const psu = await world.person();
    const older = await consented(world, tpp, psu, await bodyFor(psu, dayFrom(await sandboxNow(world), 60)));
    const lastDay = await today();
    const { redirectUri } = tpp.credentials;
    const nok = `${redirectUri}?nok=1`;
    const body = await bodyFor(psu, lastDay);
    const headers = { 'tpp-redirect-uri': redirectUri, 'tpp-nok-redirect-uri': nok };
    const late = parseJson<{ consentId: string; _links: { scaRedirect: { href: string } } }>(
      await createConsent(tpp, psu.psuId, body, headers),
    );
    const authorization = parseJson<{ consentId: string }>(await createConsent(tpp, psu.psuId, body));
    await moveBeforeEnd(lastDay, 60);
    const [byLink, byRequest] = [world.browser(), world.browser()];
    const doors = [
      [byLink, late._links.scaRedirect.href],
      [byRequest, tpp.authorizationRequest('PSP_AI', authorization.consentId).url],
    ] as const;
    const reviews = await Promise.all(
      doors.map(async ([browser, url]) =>
        browser.submit(await browser.open(url), pickCredentials(psu), 'approve'),
      ),
    );
    await moveBeforeEnd(lastDay, -1);
    for (const [at, [browser]] of doors.entries()) {
      const review = reviews[at];
      if (review === undefined) throw new Error('a door led to no page');
      await browser.submit(review, {}, 'approve');
    }
    expect(byLink.leftTo).toBe(nok);
    expect(new URL(byRequest.leftTo ?? '').searchParams.get('error')).toBe('access_denied');
    const statuses = [late, authorization, older].map(({ consentId }) => readStatus(consentId));
    expect(await Promise.all(statuses)).toEqual(['rejected', 'rejected', 'valid']);
  });
});

describe('a newer recurring consent (contract 5)', () => {
  it('terminates the older one when authorised, not when requested; a one-off consent terminates none', async () => {
    const psu = await world.person();
    const until = dayFrom(await sandboxNow(world), 30);
    const first = await consented(world, tpp, psu, await bodyFor(psu, until));
    const oneOff = { recurringIndicator: false, frequencyPerDay: 1 };
    const single = await consented(world, tpp, psu, await bodyFor(psu, until, oneOff));
    const other = world.tpp('sandbox-tpp-2');
    await consented(world, other, psu, await bodyFor(psu, until));
    await createConsent(tpp, psu.psuId, await bodyFor(psu, until));
    expect([await readStatus(first.consentId), await readStatus(single.consentId)]).toEqual([
      'valid',
      'valid',
    ]);
    const second = await consented(world, tpp, psu, await bodyFor(psu, until));
    const ids = [first, single, second].map(({ consentId }) => consentId);
    expect(await Promise.all(ids.map(readStatus))).toEqual(['expired', 'valid', 'valid']);
  });
});
