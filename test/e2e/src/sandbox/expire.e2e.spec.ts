import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  authorised,
  bulkPath,
  bulkPayment,
  consentBody,
  consented,
  createConsent,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  type Initiated,
  listCodes,
  periodicPath,
  periodicPayment,
  present,
  readStatus,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { initiateForSeveral, readScaStatus, startFor } from '@xs2a/test-support/several-signers';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let today: string;
beforeAll(async () => {
  world = await World.start({ gateway: { SANDBOX_CLOCK: 'fixed' } });
  tpp = world.tpp();
});
beforeEach(async () => {
  token = await tpp.applicationToken();
  psu = await world.person('100.00');
  today = dayFrom(await sandboxNow(world), 0);
});
afterAll(async () => world.stop());

const iban = (): string => psu.accounts[0]?.iban ?? '';
const day = (days: number): string => dayFrom(`${today}T12:00:00Z`, days);
type Kind = 'payments' | 'consents';
const expire = async (kind: Kind, id: string, as = token): Promise<Answer> =>
  tpp.call('POST', `/sandbox/${kind}/${id}/expire`, as);
const summarise = (answer: Answer): unknown =>
  answer.status === 204 ? 204 : [answer.status, ...listCodes(answer)];
const forbidden = [409, 'STATUS_INVALID'];
const status = async ({ path }: Pick<Initiated, 'path'>): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];
const sign = async ({ scaRedirect }: Pick<Initiated, 'scaRedirect'>, who = psu): Promise<void> =>
  void (await walkAndApprove(world.browser(), scaRedirect, who));
const pay = async (body = domesticPayment(iban()), at = domesticPath): Promise<Initiated> =>
  initiate(tpp, token, body, {}, at);
interface Requested {
  readonly consentId: string;
  readonly scaRedirect: string;
}
const request = async (changes: Record<string, unknown> = {}): Promise<Requested> => {
  const answer = await createConsent(tpp, psu.psuId, consentBody([iban()], day(30), changes));
  const { consentId, _links } = bodyOf<{ consentId: string; _links: { scaRedirect: { href: string } } }>(
    answer,
    201,
  );
  return { consentId, scaRedirect: _links.scaRedirect.href };
};
const consentStatus = async (consentId: string): Promise<unknown> =>
  parseJson(await tpp.call('GET', `/v1/consents/${consentId}/status`, token))['consentStatus'];

describe('POST /sandbox/payments/{paymentId}/expire (contract 13)', () => {
  it.each([
    ['a payment', async () => pay()],
    ['an order', async () => pay(periodicPayment(iban(), day(1)), periodicPath)],
    ['a bulk payment', async () => pay(bulkPayment(iban(), ['1.00', '2.00']), bulkPath)],
  ])('rejects %s that is not signed, as its time would have, and cannot do so twice', async (_what, make) => {
    const payment = await make();
    const answer = await expire('payments', payment.paymentId);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const read = await readStatus(tpp, token, payment.path);
    expect(read).toMatchObject({ transactionStatus: 'RJCT', tppMessages: [expect.anything()] });
    const list = await tpp.call('GET', `${payment.path}/authorisations`, token);
    const [id] = parseJson<{ authorisationIds: string[] }>(list).authorisationIds;
    const one = await tpp.call('GET', `${payment.path}/authorisations/${id}`, token);
    expect(parseJson(one)).toEqual({ scaStatus: 'failed' });
    const page = await world.browser().open(payment.scaRedirect);
    expect(page.forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).not.toContain('psuId');
    expect(summarise(await expire('payments', payment.paymentId))).toEqual(forbidden);
  });

  it('rejects a payment whose PSU has signed in but not signed', async () => {
    const payment = await pay();
    const browser = world.browser();
    const { psuId, password } = psu;
    const review = await browser.submit(
      await browser.open(payment.scaRedirect),
      { psuId, password },
      'approve',
    );
    expect(await status(payment)).toBe('ACCP');
    expect(summarise(await expire('payments', payment.paymentId))).toBe(204);
    expect(await status(payment)).toBe('RJCT');
    expect((await browser.submit(review, {}, 'approve')).status).toBeLessThan(500);
    expect(await status(payment)).toBe('RJCT');
  });

  it('rejects a payment that some of several signers have signed', async () => {
    const { iban: shared, signers } = await world.corporate(2, 2);
    const payment = await initiateForSeveral(tpp, token, shared);
    const [first, second] = signers;
    if (first === undefined || second === undefined) throw new Error('there are two signers');
    await sign(await startFor(tpp, token, payment, first), first);
    const open = await startFor(tpp, token, payment, second);
    expect(await status(payment)).toBe('PATC');
    expect(summarise(await expire('payments', payment.id))).toBe(204);
    expect(await status(payment)).toBe('RJCT');
    expect(await readScaStatus(tpp, token, open)).toBe('failed');
  });

  it.each([
    ['signed', async (payment: Initiated) => sign(payment)],
    [
      'executed',
      async (payment: Initiated) => {
        await sign(payment);
        await tpp.call('POST', `/sandbox/payments/${payment.paymentId}/settle`, token);
      },
    ],
    ['cancelled', async ({ path }: Initiated) => void (await tpp.call('DELETE', path, token))],
    [
      'refused by the PSU',
      async ({ scaRedirect }: Initiated) =>
        void (await walkAndDecline(world.browser(), scaRedirect, psu, 'refuse')),
    ],
  ])('is 409 STATUS_INVALID for a payment that is %s, which stays as it is', async (_state, make) => {
    const payment = await pay();
    await make(payment);
    const before = await status(payment);
    expect(summarise(await expire('payments', payment.paymentId))).toEqual(forbidden);
    expect(await status(payment)).toBe(before);
  });
});

describe('POST /sandbox/consents/{consentId}/expire (contract 13)', () => {
  it('expires a valid consent: its token is refused at once, and cannot be refreshed', async () => {
    const { consentId, tokens } = await consented(world, tpp, psu, consentBody([iban()], day(30)));
    const read = async () => tpp.call('GET', '/v1/accounts', tokens.access_token, present);
    expect((await read()).status).toBe(200);
    expect(summarise(await expire('consents', consentId))).toBe(204);
    expect(await consentStatus(consentId)).toBe('expired');
    expect(summarise(await read())).toEqual([401, 'CONSENT_EXPIRED']);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    expect(parseJson(await tpp.tokenRequest(form))['error']).toBe('invalid_grant');
    expect(summarise(await expire('consents', consentId))).toEqual(forbidden);
  });

  it('expires a one-off consent, whether used or not', async () => {
    const once = { recurringIndicator: false, frequencyPerDay: 1 };
    for (const isUsed of [false, true]) {
      const { consentId, tokens } = await consented(world, tpp, psu, consentBody([iban()], day(1), once));
      if (isUsed)
        expect((await tpp.call('GET', '/v1/accounts', tokens.access_token, present)).status).toBe(200);
      expect(summarise(await expire('consents', consentId))).toBe(204);
      expect(await consentStatus(consentId)).toBe('expired');
    }
  });

  it('rejects a consent that nobody has authorised; it can no longer be authorised', async () => {
    const { consentId, scaRedirect } = await request();
    expect(summarise(await expire('consents', consentId))).toBe(204);
    expect(await consentStatus(consentId)).toBe('rejected');
    const page = await world.browser().open(scaRedirect);
    expect(page.forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).not.toContain('psuId');
    await expect(authorised(world, tpp, psu, 'PSP_AI', consentId)).rejects.toThrow('invalid_request');
    expect(summarise(await expire('consents', consentId))).toEqual(forbidden);
  });

  it('rejects a consent that some of several signers have authorised', async () => {
    const { corporateId, iban: shared, signers } = await world.corporate(2, 2);
    const answer = await tpp.call('POST', '/v1/consents', token, {
      json: consentBody([shared], day(30)),
      headers: { 'psu-corporate-id': corporateId },
    });
    const { consentId } = bodyOf<{ consentId: string }>(answer, 201);
    const startPath = `/v1/consents/${consentId}/authorisations`;
    const [first] = signers;
    if (first === undefined) throw new Error('there are two signers');
    await sign(await startFor(tpp, token, { startPath }, first), first);
    expect(await consentStatus(consentId)).toBe('partiallyAuthorised');
    expect(summarise(await expire('consents', consentId))).toBe(204);
    expect(await consentStatus(consentId)).toBe('rejected');
  });

  it('is 409 STATUS_INVALID for a consent that the TPP or the PSU has ended', async () => {
    const { consentId } = await consented(world, tpp, psu, consentBody([iban()], day(30)));
    await tpp.call('DELETE', `/v1/consents/${consentId}`, token);
    const refused = await request();
    await walkAndDecline(world.browser(), refused.scaRedirect, psu, 'refuse');
    for (const [id, before] of [
      [consentId, 'terminatedByTpp'],
      [refused.consentId, 'rejected'],
    ] as const) {
      expect(summarise(await expire('consents', id))).toEqual(forbidden);
      expect(await consentStatus(id)).toBe(before);
    }
  });
});

describe('an item of a signing basket that expires (contract 10, 13)', () => {
  it.each<Kind>(['payments', 'consents'])(
    'rejects the basket and all its items if it is one of the %s; a signed basket stays as it is',
    async (kind) => {
      const group = async () => {
        const [{ paymentId }, { consentId }] = [await pay(), await request()];
        const answer = await tpp.call('POST', '/v1/signing-baskets', token, {
          json: { paymentIds: [paymentId], consentIds: [consentId] },
        });
        const { basketId, _links } = bodyOf<{
          basketId: string;
          _links: { scaRedirect: { href: string } };
        }>(answer, 201);
        const path = `/v1/signing-baskets/${basketId}`;
        const id = kind === 'payments' ? paymentId : consentId;
        return { path, id, paymentId, consentId, scaRedirect: _links.scaRedirect.href };
      };
      const unsigned = await group();
      expect(summarise(await expire(kind, unsigned.id))).toBe(204);
      expect(await status(unsigned)).toBe('RJCT');
      expect(await status({ path: `${domesticPath}/${unsigned.paymentId}` })).toBe('RJCT');
      expect(await consentStatus(unsigned.consentId)).toBe('rejected');
      expect(summarise(await expire(kind, unsigned.id))).toEqual(forbidden);
      const signed = await group();
      await sign(signed);
      // A signed payment can no longer expire, but a consent is valid.
      expect(summarise(await expire(kind, signed.id))).toEqual(kind === 'payments' ? forbidden : 204);
      expect(await status({ path: `${domesticPath}/${signed.paymentId}` })).toBe('ACCP');
      expect(await status(signed)).toBe('ACTC');
    },
  );
});

describe('the ids of POST /sandbox/{payments|consents}/{id}/expire (contract 13)', () => {
  it('get the same bytes with 404 RESOURCE_UNKNOWN if they are unknown, malformed, of the other kind or another TPP’s', async () => {
    const theirs = await world.tpp('sandbox-tpp-2').applicationToken();
    const [{ paymentId, path }, { consentId }] = [await pay(), await request()];
    const answers = [
      await expire('payments', paymentId, theirs),
      await expire('payments', randomUUID()),
      await expire('payments', 'x'),
      await expire('payments', consentId),
      await expire('consents', consentId, theirs),
      await expire('consents', randomUUID()),
      await expire('consents', 'x'),
      await expire('consents', paymentId),
    ];
    expect(answers.map(summarise)).toEqual(answers.map(() => [404, 'RESOURCE_UNKNOWN']));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect([await status({ path }), await consentStatus(consentId)]).toEqual(['RCVD', 'received']);
  });

  it('require an application token of any TPP', async () => {
    const [{ paymentId }, { consentId }] = [await pay(), await request()];
    const path = `/sandbox/consents/${consentId}/expire`;
    expect(summarise(await tpp.call('POST', path, undefined))).toEqual([401, 'TOKEN_UNKNOWN']);
    expect(summarise(await expire('consents', consentId, await tpp.applicationToken('PSP_PI')))).toBe(204);
    expect(summarise(await expire('payments', paymentId, await tpp.applicationToken('PSP_AI')))).toBe(204);
  });
});

describe('SANDBOX_CLOCK=fixed (contract 13)', () => {
  it('refuses to move the clock with 403 SERVICE_BLOCKED, after the token and before the body is read', async () => {
    const before = await sandboxNow(world);
    const move = async (as: string | undefined, json: unknown) =>
      summarise(await tpp.call('POST', '/sandbox/clock', as, { json }));
    expect(await move(undefined, { advance: 'PT1H' })).toEqual([401, 'TOKEN_UNKNOWN']);
    expect(await move(token, { advance: 'PT1H' })).toEqual([403, 'SERVICE_BLOCKED']);
    expect(await move(token, { advance: 7 })).toEqual([403, 'SERVICE_BLOCKED']);
    const after = Date.parse(await sandboxNow(world));
    expect(after - Date.parse(before)).toBeLessThan(60_000);
    expect(Math.abs(after - Date.now())).toBeLessThan(60_000);
  });

  it('leaves the other sandbox calls as they are: a payment is executed by settle', async () => {
    const payment = await pay();
    await sign(payment);
    const answer = await tpp.call('POST', `/sandbox/payments/${payment.paymentId}/settle`, token);
    expect([summarise(answer), await status(payment)]).toEqual([204, 'ACSC']);
  });
});
