import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { enterCode, walkToCode } from '../pages/page-visitor.js';
import {
  listCodes,
  domesticPath,
  domesticPayment,
  initiate,
  listPaths,
  readStatus,
} from '@xs2a/test-support/requests';
import { initiateForSeveral, readScaStatus, startFor } from '@xs2a/test-support/several-signers';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { type FreshCorporate, World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let corporate: FreshCorporate;
let first: FreshPsu;
let second: FreshPsu;
let third: FreshPsu;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  corporate = await world.corporate(3, 2);
  const [one, two, three] = corporate.signers;
  if (one === undefined || two === undefined || three === undefined) throw new Error('three signers');
  [first, second, third] = [one, two, three];
});
afterAll(async () => world.stop());
beforeEach(async () => {
  token = await tpp.applicationToken();
});

const readTransactionStatus = async ({ path }: { path: string }): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];
const sign = async (scaRedirect: string, psu: FreshPsu) => {
  const browser = world.browser();
  return { page: await walkAndApprove(browser, scaRedirect, psu), leftTo: browser.leftTo };
};

describe('a payment that requires two signatures (contract 10, spec 3.4)', () => {
  it('goes from RCVD to PATC with the first signature and to ACCP with the last, and is then settled', async () => {
    const created = await tpp.call('POST', domesticPath, token, { json: domesticPayment(corporate.iban) });
    expect(created.status).toBe(201);
    const { _links, paymentId } = parseJson<{ paymentId: string; _links: Record<string, { href: string }> }>(
      created,
    );
    const path = `${domesticPath}/${paymentId}`;
    expect(_links).toEqual({
      startAuthorisation: { href: `${path}/authorisations` },
      self: { href: path },
      status: { href: `${path}/status` },
    });
    expect(parseJson(await tpp.call('GET', `${path}/authorisations`, token))).toEqual({
      authorisationIds: [],
    });

    const answer = await tpp.call('POST', `${path}/authorisations`, token, {
      headers: { 'psu-id': first.psuId },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('aspsp-sca-approach')).toBe('REDIRECT');
    expect(parseJson(answer)).toMatchObject({ scaStatus: 'received' });
    const payment = { id: paymentId, path, startPath: `${path}/authorisations` };
    const ours = await startFor(tpp, token, payment, second);
    const theirs = parseJson<{ authorisationId: string; _links: { scaRedirect: { href: string } } }>(answer);
    expect(await readTransactionStatus(payment)).toBe('RCVD');

    const halfway = await sign(theirs._links.scaRedirect.href, first);
    expect(halfway.page.text).toContain('You signed. One more person must sign');
    expect(await readTransactionStatus(payment)).toBe('PATC');
    expect(await readScaStatus(tpp, token, ours)).toBe('received');
    await world.advance('PT2M');
    expect(await readTransactionStatus(payment)).toBe('PATC');

    const done = await sign(ours.scaRedirect, second);
    expect(done.page.text).toContain('You approved the payment');
    expect(await readTransactionStatus(payment)).toBe('ACCP');
    expect(parseJson(await tpp.call('GET', `${path}/authorisations`, token))).toEqual({
      authorisationIds: [theirs.authorisationId, ours.authorisationId],
    });
    expect(await readScaStatus(tpp, token, ours)).toBe('finalised');
    await world.advance('PT1M');
    expect(await readTransactionStatus(payment)).toBe('ACSC');
  });

  it('sends each signer back to the address that the TPP gave for that signer', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban, {
      'tpp-redirect-uri': 'http://127.0.0.1:8090/callback?all',
    });
    const theirs = await startFor(tpp, token, payment, first);
    const ours = await startFor(tpp, token, payment, second, {
      'tpp-redirect-uri': 'http://127.0.0.1:8090/callback?second',
    });
    expect((await sign(theirs.scaRedirect, first)).leftTo).toBe('http://127.0.0.1:8090/callback?all');
    expect((await sign(ours.scaRedirect, second)).leftTo).toBe('http://127.0.0.1:8090/callback?second');
  });

  it('marks a signature that is no longer needed as exempted and invalidates its link', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    const authorisations = [];
    for (const psu of corporate.signers) authorisations.push(await startFor(tpp, token, payment, psu));
    for (const [index, psu] of corporate.signers.slice(0, 2).entries())
      await sign(authorisations[index]?.scaRedirect ?? '', psu);
    const left = authorisations[2];
    if (left === undefined) throw new Error('three authorisations');
    expect(await readScaStatus(tpp, token, left)).toBe('exempted');
    expect((await world.browser().open(left.scaRedirect)).status).toBe(410);
  });

  it('appears in the payment list of each signer', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    await sign((await startFor(tpp, token, payment, third)).scaRedirect, third);
    const browser = world.browser();
    const signIn = await browser.open(`${world.baseUrl}/sca/payments`);
    const { psuId, password } = third;
    const list = await browser.submit(signIn, { psuId, password });
    expect(list.text).toContain('waiting for further signatures');
  });
});

describe('permission to sign (contract 8, 10)', () => {
  it('allows each signer to sign only once', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    const [one, again] = [
      await startFor(tpp, token, payment, first),
      await startFor(tpp, token, payment, first),
    ];
    await sign(one.scaRedirect, first);
    await sign(again.scaRedirect, first);
    expect(await readTransactionStatus(payment)).toBe('PATC');
    expect(await readScaStatus(tpp, token, again)).not.toBe('finalised');
    const refused = await tpp.call('POST', payment.startPath, token, { headers: { 'psu-id': first.psuId } });
    expect([refused.status, ...listCodes(refused)]).toEqual([409, 'STATUS_INVALID']);
  });

  it.each([
    ['another signer of the same account', () => second],
    ['a customer who is not a signer', () => world.person()],
  ])('is denied to %s at a link for another PSU, and the payment becomes RJCT', async (_who, whoever) => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    const theirs = await startFor(tpp, token, payment, first);
    await sign(theirs.scaRedirect, await whoever());
    expect(await readTransactionStatus(payment)).toBe('RJCT');
    expect(await readScaStatus(tpp, token, theirs)).toBe('failed');
  });

  it('is denied to a named PSU who is not a signer of the account, even if a signer has already signed; the payment becomes RJCT', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    await sign((await startFor(tpp, token, payment, first)).scaRedirect, first);
    const stranger = await world.person();
    await sign((await startFor(tpp, token, payment, stranger)).scaRedirect, stranger);
    expect(await readTransactionStatus(payment)).toBe('RJCT');
  });

  it('lets two signers enter their codes at the same time; both signatures count', async () => {
    for (let round = 0; round < 5; round += 1) {
      const payment = await initiateForSeveral(tpp, token, corporate.iban);
      const pages = [];
      for (const psu of [first, second]) {
        const { scaRedirect } = await startFor(tpp, token, payment, psu);
        pages.push({ scaRedirect, page: await walkToCode(scaRedirect, psu) });
      }
      const answers = await Promise.all(
        pages.flatMap(({ scaRedirect, page }) => [
          enterCode(scaRedirect, page, '123456'),
          enterCode(scaRedirect, page, '123456'),
        ]),
      );
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
      expect(await readTransactionStatus(payment)).toBe('ACCP');
    }
  });
});

describe('a payment without all signatures (contract 8, 10; spec 3.3)', () => {
  it('is rejected if one signer refuses; the authorisation of the signer who has signed stays finalised', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban, {
      'tpp-nok-redirect-uri': 'http://127.0.0.1:8090/callback?nok',
    });
    const [theirs, ours] = [
      await startFor(tpp, token, payment, first),
      await startFor(tpp, token, payment, second),
    ];
    await sign(theirs.scaRedirect, first);
    const browser = world.browser();
    await walkAndDecline(browser, ours.scaRedirect, second, 'refuse');
    expect(browser.leftTo).toBe('http://127.0.0.1:8090/callback?nok');
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ code: 'PAYMENT_FAILED' }],
    });
    expect(await readScaStatus(tpp, token, theirs)).toBe('finalised');
    expect(await readScaStatus(tpp, token, ours)).toBe('failed');
  });

  it('is rejected after 15 minutes even if the second link is never opened, and no further authorisation can be started', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    await sign((await startFor(tpp, token, payment, first)).scaRedirect, first);
    const ours = await startFor(tpp, token, payment, second);
    await world.advance('PT15M');
    token = await tpp.applicationToken();
    expect(await readTransactionStatus(payment)).toBe('RJCT');
    expect(await readScaStatus(tpp, token, ours)).toBe('failed');
    const late = await tpp.call('POST', payment.startPath, token, { headers: { 'psu-id': second.psuId } });
    expect([late.status, ...listCodes(late)]).toEqual([409, 'STATUS_INVALID']);
  });

  it('may be cancelled in PATC, and can no longer be signed after that', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    await sign((await startFor(tpp, token, payment, first)).scaRedirect, first);
    const ours = await startFor(tpp, token, payment, second);
    expect((await tpp.call('DELETE', payment.path, token)).status).toBe(204);
    expect(await readTransactionStatus(payment)).toBe('CANC');
    expect((await world.browser().open(ours.scaRedirect)).status).toBe(410);
  });
});

describe('POST …/authorisations (contract 2, 3, 10)', () => {
  it('starts one authorisation per key; a request with a different PSU-ID counts as a different request', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    const headers = { 'idempotency-key': randomUUID(), 'psu-id': first.psuId };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tpp.call('POST', payment.startPath, token, { headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const other = { headers: { ...headers, 'psu-id': second.psuId } };
    const reused = await tpp.call('POST', payment.startPath, token, other);
    expect([reused.status, ...listCodes(reused)]).toEqual([409, 'STATUS_INVALID']);
    expect(
      parseJson<{ authorisationIds: string[] }>(await tpp.call('GET', payment.startPath, token))
        .authorisationIds,
    ).toHaveLength(1);
  });

  it('accepts only an empty object as the body, and no fields of the embedded approach', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    const headers = { 'psu-id': first.psuId };
    expect((await tpp.call('POST', payment.startPath, token, { headers, json: {} })).status).toBe(201);
    const embedded = { psuData: { password: 'x' } };
    const refused = await tpp.call('POST', payment.startPath, token, { headers, json: embedded });
    expect([refused.status, listCodes(refused), listPaths(refused)]).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['psuData'],
    ]);
  });

  it('requires the PSU-ID if there are several signers, and refuses an unknown corporate', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban, {
      'psu-corporate-id': corporate.corporateId,
    });
    const nobody = await tpp.call('POST', payment.startPath, token);
    expect([nobody.status, listCodes(nobody), listPaths(nobody)]).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['PSU-ID'],
    ]);
    const headers = { 'psu-id': first.psuId, 'psu-corporate-id': 'nobody' };
    for (const [path, json] of [
      [payment.startPath, undefined],
      [domesticPath, domesticPayment(corporate.iban)],
    ] as const) {
      const unknown = await tpp.call('POST', path, token, {
        headers,
        ...(json === undefined ? {} : { json }),
      });
      expect([unknown.status, ...listCodes(unknown)]).toEqual([401, 'CORPORATE_ID_INVALID']);
    }
  });

  it('refuses a corporate that does not own the debtor account, as payment initiation does', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    const other = await world.corporate(1, 1);
    const headers = { 'psu-id': first.psuId, 'psu-corporate-id': other.corporateId };
    const started = await tpp.call('POST', payment.startPath, token, { headers });
    expect([started.status, ...listCodes(started)]).toEqual([400, 'PAYMENT_FAILED']);
    const json = domesticPayment(corporate.iban);
    const initiated = await tpp.call('POST', domesticPath, token, { headers, json });
    expect([initiated.status, ...listCodes(initiated)]).toEqual([400, 'PAYMENT_FAILED']);
    const own = { ...headers, 'psu-corporate-id': corporate.corporateId };
    expect((await tpp.call('POST', payment.startPath, token, { headers: own })).status).toBe(201);
  });

  it('returns a second link to the same signature for a payment with one signer', async () => {
    const psu = await world.person();
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''), {
      'psu-id': psu.psuId,
    });
    const again = await startFor(tpp, token, { startPath: `${payment.path}/authorisations` }, psu);
    await sign(again.scaRedirect, psu);
    expect(await readTransactionStatus(payment)).toBe('ACCP');
    expect((await world.browser().open(payment.scaRedirect)).status).toBe(410);
    const late = await tpp.call('POST', `${payment.path}/authorisations`, token);
    expect([late.status, ...listCodes(late)]).toEqual([409, 'STATUS_INVALID']);
  });

  it('returns the same response for a payment of another TPP and for an unknown payment', async () => {
    const payment = await initiateForSeveral(tpp, token, corporate.iban);
    const other = world.tpp('sandbox-tpp-2');
    const headers = { 'psu-id': first.psuId, 'x-request-id': randomUUID() };
    const otherToken = await other.applicationToken();
    const [foreign, unknown] = [
      await other.call('POST', payment.startPath, otherToken, { headers }),
      await other.call('POST', `${domesticPath}/${randomUUID()}/authorisations`, otherToken, { headers }),
    ];
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect(unknown.status).toBe(404);
  });
});
