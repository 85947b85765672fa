import { parseJson } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import { consentBody, domesticPath, domesticPayment } from '@xs2a/test-support/requests';
import type { ChaosWorld, Psu } from '../world.js';

/** A request that gets a response only from a working service. */
export interface TrafficRequest {
  readonly service: 'payments' | 'consents' | 'accounts' | 'funds-confirmation' | 'auth';
  readonly method: 'GET' | 'POST';
  /** `paid`: the id of a payment acknowledged earlier. */
  readonly path: (paid: string) => string;
  readonly authorization: string;
  readonly json?: object;
  readonly form?: URLSearchParams;
}

/** The PSU whose payments and data the traffic reads. */
export interface TrafficPerson {
  readonly psu: Psu;
  readonly consentId: string;
}

/** Creates a PSU, and an unauthorised consent with all rights on the PSU's only account. */
export const trafficPerson = async (world: ChaosWorld): Promise<TrafficPerson> => {
  const psu = await world.psu('1000000.00');
  const ibans = psu.accounts.map(({ iban }) => iban);
  const answer = await world.tpp.insist('POST', '/v1/consents', {
    headers: { 'psu-id': psu.psuId, 'idempotency-key': randomUUID() },
    json: consentBody(ibans, '9999-12-31'),
  });
  return { psu, consentId: parseJson<{ consentId: string }>(answer).consentId };
};

/**
 * Returns at least one request per service. A PSU's tokens expire after five minutes, so new tokens are issued
 * each time.
 */
export const trafficRequests = async (
  { tpp }: ChaosWorld,
  { psu, consentId }: TrafficPerson,
): Promise<readonly TrafficRequest[]> => {
  const ofAccounts = await tpp.authorised(psu, 'PSP_AI', consentId);
  const ofFunds = await tpp.authorised(psu, 'PSP_IC');
  const [application, accounts, funds] = [
    await tpp.tpp.applicationToken(),
    ofAccounts.access_token,
    ofFunds.access_token,
  ].map((token) => `Bearer ${token}`) as [string, string, string];
  const listed = await tpp.tpp.call('GET', '/v1/accounts', ofAccounts.access_token, { headers: present });
  const [account] = parseJson<{ accounts: { resourceId: string }[] }>(listed).accounts;
  const at = `/v1/accounts/${account?.resourceId ?? ''}`;
  const { clientId, clientSecret } = tpp.tpp.credentials;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const ofAccount = { service: 'accounts', method: 'GET', authorization: accounts } as const;
  return [
    {
      service: 'payments',
      method: 'POST',
      path: () => domesticPath,
      authorization: application,
      json: domesticPayment(psu.accounts[0]?.iban ?? '', '1.00'),
    },
    {
      service: 'payments',
      method: 'GET',
      path: (paid) => `${domesticPath}/${paid}/status`,
      authorization: application,
    },
    {
      service: 'consents',
      method: 'GET',
      path: () => `/v1/consents/${consentId}`,
      authorization: application,
    },
    { ...ofAccount, path: () => `${at}/balances` },
    { ...ofAccount, path: () => `${at}/transactions` },
    {
      service: 'funds-confirmation',
      method: 'POST',
      path: () => '/v1/funds-confirmations',
      authorization: funds,
      json: { instructedAmount: { currency: 'BGN', amount: '1.00' } },
    },
    {
      service: 'auth',
      method: 'POST',
      path: () => '/oauth2/token',
      authorization: basic,
      form: new URLSearchParams({ grant_type: 'client_credentials', scope: 'PSP_AI' }),
    },
  ];
};

/** The header that states that the PSU is present, so that calls are not counted. */
export const present = { 'psu-ip-address': '192.0.2.1' } as const;
