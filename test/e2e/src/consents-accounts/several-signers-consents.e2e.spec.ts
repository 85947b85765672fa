import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { enterCode, walkToCode } from '../pages/page-visitor.js';
import { authorised, listCodes, consentBody, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import { type ForSeveral, readScaStatus, startFor } from '@xs2a/test-support/several-signers';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { type FreshCorporate, World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let corporate: FreshCorporate;
let first: FreshPsu;
let second: FreshPsu;
let third: FreshPsu;
const present = { headers: { 'psu-ip-address': '198.51.100.7' } };

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());
beforeEach(async () => {
  token = await tpp.applicationToken('PSP_AI');
  corporate = await world.corporate(3, 2);
  const [one, two, three] = corporate.signers;
  if (one === undefined || two === undefined || three === undefined) throw new Error('three signers');
  [first, second, third] = [one, two, three];
});

const ask = async (
  ibans: readonly string[],
  headers: Readonly<Record<string, string>> = { 'psu-corporate-id': corporate.corporateId },
): Promise<ForSeveral> => {
  const body = consentBody(ibans, dayFrom(await sandboxNow(world), 30));
  const answer = await tpp.call('POST', '/v1/consents', token, { json: body, headers });
  if (answer.status !== 201) throw new Error(`POST consent answered ${answer.status}: ${answer.text}`);
  const { consentId, _links } = parseJson<{ consentId: string; _links: Record<string, { href: string }> }>(
    answer,
  );
  expect(Object.keys(_links).sort()).toEqual(['self', 'startAuthorisation', 'status']);
  const path = `/v1/consents/${consentId}`;
  return { id: consentId, path, startPath: _links['startAuthorisation']?.href ?? '' };
};
const readConsentStatus = async ({ path }: ForSeveral): Promise<string> =>
  parseJson<{ consentStatus: string }>(await tpp.call('GET', `${path}/status`, token)).consentStatus;
const listAccounts = async (accessToken: string) => tpp.call('GET', '/v1/accounts', accessToken, present);
const sign = async (consent: ForSeveral, psu: FreshPsu, watch?: (step: string) => void) =>
  walkAndApprove(
    world.browser(),
    (await startFor(tpp, token, consent, psu)).scaRedirect,
    psu,
    watch === undefined ? {} : { watch },
  );

describe('a consent that two signers sign through their links (contract 5, 10)', () => {
  it.each([
    ['of the named corporate', () => undefined],
    ['of a named account that needs two signatures', () => ({ 'psu-id': first.psuId })],
  ])(
    '%s: is partiallyAuthorised, then valid, and each signer may give the TPP a token',
    async (_how, headers) => {
      const consent = await ask([corporate.iban], headers());
      const halfway = await sign(consent, first);
      expect(halfway.text).toContain('You signed. One more person must sign');
      expect(await readConsentStatus(consent)).toBe('partiallyAuthorised');
      const done = await sign(consent, second);
      expect(done.text).toContain('may now read what you approved');
      expect(await readConsentStatus(consent)).toBe('valid');
      for (const psu of [first, second]) {
        const { access_token: accessToken } = await authorised(world, tpp, psu, 'PSP_AI', consent.id);
        expect((await listAccounts(accessToken)).status).toBe(200);
      }
    },
  );

  it('asks the second signer to review and sign the accounts that the first signer chose', async () => {
    const consent = await ask([]);
    const steps: string[] = [];
    await sign(consent, first, (step) => steps.push(step));
    expect(steps).toContain('pick accounts');
    const secondSteps: string[] = [];
    await sign(consent, second, (step) => secondSteps.push(step));
    expect(secondSteps).toEqual(['sign in', 'review', 'code', 'result']);
    expect(await readConsentStatus(consent)).toBe('valid');
    expect(parseJson(await tpp.call('GET', consent.path, token))).toMatchObject({
      access: { accounts: [{ iban: corporate.iban }] },
    });
  });

  it('is rejected by one refusal; the authorisations of signers who have already signed stay finalised', async () => {
    const consent = await ask([corporate.iban]);
    const theirs = await startFor(tpp, token, consent, first);
    await walkAndApprove(world.browser(), theirs.scaRedirect, first);
    const ours = await startFor(tpp, token, consent, second);
    await walkAndDecline(world.browser(), ours.scaRedirect, second, 'refuse');
    expect(await readConsentStatus(consent)).toBe('rejected');
    expect(await readScaStatus(tpp, token, theirs)).toBe('finalised');
    expect(await readScaStatus(tpp, token, ours)).toBe('failed');
    const late = await tpp.call('POST', consent.startPath, token, { headers: { 'psu-id': third.psuId } });
    expect([late.status, ...listCodes(late)]).toEqual([409, 'STATUS_INVALID']);
  });

  it('is rejected after 24 hours even if the second link is never opened', async () => {
    const consent = await ask([corporate.iban]);
    await sign(consent, first);
    await world.advance('P1D');
    token = await tpp.applicationToken('PSP_AI');
    expect(await readConsentStatus(consent)).toBe('rejected');
  });

  it('can be withdrawn at the bank by any signer of the company', async () => {
    const consent = await ask([corporate.iban]);
    await sign(consent, first);
    await sign(consent, second);
    const browser = world.browser();
    const signIn = await browser.open(`${world.baseUrl}/sca/apps`);
    const list = await browser.submit(signIn, { psuId: third.psuId, password: third.password });
    await browser.submit(list, {}, 'withdraw');
    expect(await readConsentStatus(consent)).toBe('revokedByPsu');
  });
});

describe('a consent that two signers sign at the authorization server (contract 4, 10)', () => {
  it('gives no access before the last signature: a code issued earlier leads to a token that is useless until all have signed', async () => {
    const consent = await ask([corporate.iban]);
    const early = await authorised(world, tpp, first, 'PSP_AI', consent.id);
    expect(await readConsentStatus(consent)).toBe('partiallyAuthorised');
    const refused = await listAccounts(early.access_token);
    expect([refused.status, ...listCodes(refused)]).toEqual([401, 'CONSENT_INVALID']);
    const late = await authorised(world, tpp, second, 'PSP_AI', consent.id);
    expect(await readConsentStatus(consent)).toBe('valid');
    for (const accessToken of [early.access_token, late.access_token])
      expect((await listAccounts(accessToken)).status).toBe(200);
    expect(
      parseJson<{ authorisationIds: string[] }>(await tpp.call('GET', consent.startPath, token))
        .authorisationIds,
    ).toHaveLength(2);
  });

  it('uses the authorisation that the TPP started for this signer', async () => {
    const consent = await ask([corporate.iban]);
    const theirs = await startFor(tpp, token, consent, first);
    await authorised(world, tpp, first, 'PSP_AI', consent.id);
    expect(await readScaStatus(tpp, token, theirs)).toBe('finalised');
    expect((await world.browser().open(theirs.scaRedirect)).status).toBe(410);
  });

  it('is rejected when a PSU who may not sign for the company signs in, and no code is issued', async () => {
    const consent = await ask([corporate.iban]);
    const stranger = await world.person();
    const request = tpp.authorizationRequest('PSP_AI', consent.id);
    const browser = world.browser();
    await walkAndApprove(browser, request.url, stranger);
    expect(browser.leftTo).toContain('error=access_denied');
    expect(await readConsentStatus(consent)).toBe('rejected');
  });

  it('is refused by the second signer only after a sign-in, and is then rejected', async () => {
    const consent = await ask([corporate.iban]);
    await authorised(world, tpp, first, 'PSP_AI', consent.id);
    const browser = world.browser();
    const signIn = await browser.open(tpp.authorizationRequest('PSP_AI', consent.id).url);
    const again = await browser.submit(signIn, {}, 'refuse');
    expect(again.text).toMatch(/Някой вече е влязъл|Somebody has already signed in/);
    expect([browser.leftTo, await readConsentStatus(consent)]).toEqual([undefined, 'partiallyAuthorised']);
    const review = await browser.submit(again, { psuId: second.psuId, password: second.password }, 'approve');
    await browser.submit(review, {}, 'refuse');
    expect(browser.leftTo).toContain('error=access_denied');
    expect(await readConsentStatus(consent)).toBe('rejected');
  });

  it('counts only one signature when the same signer signs through a link and at the authorization server concurrently, and stays partiallyAuthorised', async () => {
    for (let round = 0; round < 3; round += 1) {
      const consent = await ask([corporate.iban]);
      const links = [
        (await startFor(tpp, token, consent, first)).scaRedirect,
        (await startFor(tpp, token, consent, first)).scaRedirect,
      ];
      const pages = [];
      for (const link of links) pages.push({ link, page: await walkToCode(link, first) });
      const door = authorised(world, tpp, first, 'PSP_AI', consent.id).catch(() => undefined);
      await Promise.all([...pages.map(({ link, page }) => enterCode(link, page, '123456')), door]);
      expect(await readConsentStatus(consent)).toBe('partiallyAuthorised');
      const { authorisationIds } = parseJson<{ authorisationIds: string[] }>(
        await tpp.call('GET', consent.startPath, token),
      );
      const statuses = await Promise.all(
        authorisationIds.map(async (id) =>
          readScaStatus(tpp, token, {
            authorisationId: id,
            scaRedirect: '',
            scaStatusPath: `${consent.startPath}/${id}`,
          }),
        ),
      );
      expect(statuses.filter((status) => status === 'finalised')).toHaveLength(1);
    }
  });
});

describe('the company in the fixtures (contract 13)', () => {
  it('is acme, which requires the signatures of both georgi and elena', async () => {
    const consent = await ask(['BG67XSBK92001000000021'], { 'psu-corporate-id': 'acme' });
    for (const psuId of ['georgi', 'elena'])
      await sign(consent, { psuId, password: 'sandbox', accounts: [] });
    expect(await readConsentStatus(consent)).toBe('valid');
  });
});
