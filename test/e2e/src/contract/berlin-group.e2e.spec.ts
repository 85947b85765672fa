import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { requiredMembers } from '@xs2a/test-support/contract/berlin-group';
import { answeredBy } from '@xs2a/test-support/contract/openapi';
import {
  authorised,
  bulkPath,
  bulkPayment,
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  periodicPath,
  periodicPayment,
  present,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { startFor } from '@xs2a/test-support/several-signers';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
beforeAll(async () => {
  world = await World.ofLane();
});
afterAll(async () => world.stop());

const readAccounts = async (psu: FreshPsu): Promise<void> => {
  const tpp = world.tpp();
  const iban = psu.accounts[0]?.iban ?? '';
  const { consentId, tokens } = await consented(
    world,
    tpp,
    psu,
    consentBody([iban], dayFrom(await sandboxNow(world), 30)),
  );
  const [id = ''] = await resourceIds(tpp, tokens.access_token);
  const get = async (path: string) => tpp.call('GET', `/v1/accounts${path}`, tokens.access_token, present);
  await get('?withBalance=true');
  await get(`/${id}?withBalance=true`);
  await get(`/${id}/balances`);
  const page = parseJson<{ transactions: { pending: { transactionId: string }[] } }>(
    await get(`/${id}/transactions?withBalance=true`),
  );
  await get(`/${id}/transactions/${page.transactions.pending[0]?.transactionId}`);
  const application = await tpp.applicationToken('PSP_AI');
  const consent = `/v1/consents/${consentId}`;
  const ids = await tpp.call('GET', `${consent}/authorisations`, application);
  const [authorisationId] = parseJson<{ authorisationIds: string[] }>(ids).authorisationIds;
  for (const tail of ['', '/status', `/authorisations/${authorisationId}`])
    await tpp.call('GET', `${consent}${tail}`, application);
  const funds = await authorised(world, tpp, psu, 'PSP_IC');
  await tpp.call('POST', '/v1/funds-confirmations', funds.access_token, {
    json: { instructedAmount: { currency: homeCurrency, amount: '1.00' } },
  });
};

const payAndLook = async (psu: FreshPsu): Promise<void> => {
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
  const ids = await tpp.call('GET', `${payment.path}/authorisations`, token);
  const [authorisationId] = parseJson<{ authorisationIds: string[] }>(ids).authorisationIds;
  for (const tail of ['', '/status', '/cancellation-authorisations', `/authorisations/${authorisationId}`])
    await tpp.call('GET', `${payment.path}${tail}`, token);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  await world.advance('PT1M');
};

const initiateOthers = async (psu: FreshPsu): Promise<void> => {
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  const [iban = ''] = psu.accounts.map((account) => account.iban);
  for (const [path, json] of [
    [periodicPath, periodicPayment(iban, dayFrom(await sandboxNow(world), 7))],
    [bulkPath, bulkPayment(iban, ['1.00', '2.00'])],
  ] as const) {
    const { paymentId } = parseJson<{ paymentId: string }>(await tpp.call('POST', path, token, { json }));
    for (const tail of ['', '/status']) await tpp.call('GET', `${path}/${paymentId}${tail}`, token);
  }
};

const signBasket = async (psu: FreshPsu): Promise<void> => {
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  const { paymentId } = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
  const json = { paymentIds: [paymentId] };
  const { basketId } = parseJson<{ basketId: string }>(
    await tpp.call('POST', '/v1/signing-baskets', token, { json }),
  );
  const path = `/v1/signing-baskets/${basketId}`;
  const started = await tpp.call('POST', `${path}/authorisations`, token);
  const { authorisationId } = parseJson<{ authorisationId: string }>(started);
  for (const tail of ['', '/status', '/authorisations', `/authorisations/${authorisationId}`])
    await tpp.call('GET', `${path}${tail}`, token);
};

const signTogether = async (): Promise<void> => {
  const tpp = world.tpp();
  const { iban, signers } = await world.corporate(2, 2);
  const [signer] = signers;
  if (signer === undefined) throw new Error('no signer');
  const headers = { 'psu-id': signer.psuId };
  const token = await tpp.applicationToken('PSP_AI PSP_PI');
  for (const [path, json] of [
    [domesticPath, domesticPayment(iban)],
    ['/v1/consents', consentBody([iban], dayFrom(await sandboxNow(world), 30))],
  ] as const) {
    const created = await tpp.call('POST', path, token, { json, headers });
    const links = parseJson<{ _links: { startAuthorisation: { href: string } } }>(created)._links;
    await startFor(tpp, token, { startPath: links.startAuthorisation.href }, signer);
  }
};

it('every success response with a schema in the Berlin Group file has the required members (contract 3)', async () => {
  const psu = await world.person();
  // The client checks each response and throws if a member is missing.
  await payAndLook(psu);
  await readAccounts(psu);
  await initiateOthers(psu);
  await signBasket(psu);
  await signTogether();
  const answered = await answeredBy(world.baseUrl);
  expect(Object.keys(requiredMembers).filter((operation) => !answered.has(operation))).toEqual([]);
});
