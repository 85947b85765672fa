import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  bulkPath,
  bulkPayment,
  listCodes,
  consentBody,
  createConsent,
  dayFrom,
  domesticPath,
  domesticPayment,
  listPaths,
  periodicPath,
  periodicPayment,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { productionProfile } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let iban: string;
let ahead: string;
beforeAll(async () => {
  world = await World.start(undefined, productionProfile);
  tpp = world.tpp();
  iban = (await world.person()).accounts[0]?.iban ?? '';
});
beforeEach(async () => {
  token = await tpp.applicationToken();
  ahead = dayFrom(await sandboxNow(world), 14);
});
afterAll(async () => world.stop());

const post = async (path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
  tpp.call('POST', path, token, { json, headers });
const summarise = (answer: Answer): unknown =>
  answer.status === 201 ? 201 : [answer.status, listCodes(answer), listPaths(answer)];
const order = (changes: object = {}): Record<string, unknown> => periodicPayment(iban, ahead, { ...changes });

describe('the production profile, without the sandbox-only features in specification 1.7 (contract 9)', () => {
  it('refuses bulk payments with 403 PRODUCT_INVALID after the token and role checks, before headers and body are validated', async () => {
    const right = bulkPayment(iban, ['1.00', '2.00']);
    const answer = await post(bulkPath, right);
    expect(summarise(answer)).toEqual([403, ['PRODUCT_INVALID'], [undefined]]);
    expect(answer.text).toContain('does not offer this payment service');
    expect(summarise(await post(bulkPath, {}, { 'psu-id': '' }))).toEqual([
      403,
      ['PRODUCT_INVALID'],
      [undefined],
    ]);
    expect(listCodes(await tpp.call('POST', bulkPath, undefined, { json: right }))).toEqual([
      'TOKEN_UNKNOWN',
    ]);
    const aiOnly = world.tpp('sandbox-tpp-ai-only');
    const wrongRole = await aiOnly.call('POST', bulkPath, await aiOnly.applicationToken('PSP_AI'), {
      json: right,
    });
    expect(listCodes(wrongRole)).toEqual(['ROLE_INVALID']);
    expect(listCodes(await post('/v1/bulk-payments/salaries', right))).toEqual(['PRODUCT_UNKNOWN']);
  });

  it('refuses signing baskets with 403 PRODUCT_INVALID before headers and body are validated (contract 9)', async () => {
    const answer = await post('/v1/signing-baskets', {}, { 'psu-id': '' });
    expect(summarise(answer)).toEqual([403, ['PRODUCT_INVALID'], [undefined]]);
  });

  it('refuses numberOfPayments with 403 PRODUCT_INVALID, after validating the form and currency of the body, and accepts endDate', async () => {
    const recurring = order({ numberOfPayments: 3 });
    expect(summarise(await post(periodicPath, recurring))).toEqual([
      403,
      ['PRODUCT_INVALID'],
      ['numberOfPayments'],
    ]);
    expect(summarise(await post(periodicPath, { ...recurring, serviceLevel: 'x' }))).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['serviceLevel'],
    ]);
    expect(summarise(await post(periodicPath, { ...recurring, startDate: '2020-01-01' }))).toEqual([
      403,
      ['PRODUCT_INVALID'],
      ['numberOfPayments'],
    ]);
    expect(summarise(await post(periodicPath, order({ endDate: '2099-12-31' })))).toBe(201);
    expect(summarise(await post('/v1/periodic-payments/domestic', order()))).toBe(201);
  });

  it('excludes multilevel SCA: no payment can be made from an account with several signers', async () => {
    const corporate = await world.corporate(2, 2);
    const unusable = [400, ['PAYMENT_FAILED'], ['debtorAccount']];
    expect(summarise(await post(domesticPath, domesticPayment(corporate.iban)))).toEqual(unusable);
    expect(summarise(await post(periodicPath, periodicPayment(corporate.iban, ahead)))).toEqual(unusable);
  });

  it('excludes multilevel SCA: a consent that names such an account is rejected at its authorisation', async () => {
    const corporate = await world.corporate(2, 2);
    const [signer] = corporate.signers;
    if (signer === undefined) throw new Error('no signer');
    const created = await createConsent(tpp, signer.psuId, consentBody([corporate.iban], ahead));
    expect(created.status).toBe(201);
    const { consentId, _links } = parseJson<{
      consentId: string;
      _links: Record<string, { href: string }>;
    }>(created);
    expect(Object.keys(_links).sort()).toEqual(['scaRedirect', 'scaStatus', 'self', 'status']);
    await walkAndApprove(world.browser(), _links['scaRedirect']?.href ?? '', signer);
    expect(parseJson(await tpp.call('GET', `/v1/consents/${consentId}/status`, token))).toEqual({
      consentStatus: 'rejected',
    });
  });

  it('omits these features from the OpenAPI document', async () => {
    const { text } = await tpp.call('GET', '/openapi.json', undefined);
    expect(text).toContain('/v1/periodic-payments/{payment-product}');
    expect(text).not.toContain('/v1/bulk-payments/');
    expect(text).not.toContain('numberOfPayments');
  });
});

describe('periodic payments in production (spec 1.6)', () => {
  it('accept only amounts and accounts in the home currency: exchange rates for future days are unknown', async () => {
    expect(
      summarise(await post(periodicPath, order({ instructedAmount: { currency: 'USD', amount: '1.00' } }))),
    ).toEqual([400, ['PAYMENT_FAILED'], ['instructedAmount.currency']]);
    const answer = await tpp.call('POST', '/sandbox/psus', token, {
      json: { accounts: [{ currency: 'USD', opening: '100.00' }] },
    });
    const { accounts } = parseJson<{ accounts: { iban: string }[] }>(answer);
    expect(summarise(await post(periodicPath, periodicPayment(accounts[0]?.iban ?? '', ahead)))).toEqual([
      400,
      ['EXECUTION_DATE_INVALID'],
      ['startDate'],
    ]);
  });
});
