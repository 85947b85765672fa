// Exchanges the one instance of each service that answers over NATS while a TPP asks: a second instance starts, is ready, and
// the first is stopped. Requests go on all the while; none may fail but with a 503, after which its repetition succeeds.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const product = '/v1/payments/domestic-credit-transfer-BGN';
const services = [
  'accounts',
  'consents',
  'payments',
  'settlement-worker',
  'notifications',
  'funds-confirmation',
];

const maxRepeats = 5;

/** Sends a request as a TPP should: one that is answered 503 again, with the same idempotency key. */
const insist = async (request, counted) => {
  const key = randomUUID();
  for (let repeats = 0; ; repeats += 1) {
    const { status, text } = await request(key);
    if (status < 400) return;
    if (status !== 503 || repeats === maxRepeats) throw new Error(`${status} ${text}`);
    counted.repeated += 1;
    await wait(500);
  }
};

/** Asks one request after the other until it is stopped; answers how many there were and the max milliseconds of one, repeats included. */
const ask = async (request, signal) => {
  const counted = { requests: 0, repeated: 0, failed: 0, maxMs: 0 };
  while (!signal.aborted) {
    const started = performance.now();
    await insist(request, counted).catch((error) => {
      counted.failed += 1;
      counted.firstFailure ??= error.message;
    });
    counted.requests += 1;
    counted.maxMs = Math.max(counted.maxMs, Math.round(performance.now() - started));
    await wait(20);
  }
  return counted;
};

const makeTpp = async ({ root, baseUrl }) => {
  const { TppClient } = await import(join(root, 'tools/sandbox/dist/tpp/tpp-client.js'));
  const { readFixtures } = await import(join(root, 'tools/sandbox/dist/fixtures.js'));
  const [{ clientId, clientSecret }] = readFixtures().tpps;
  return new TppClient(baseUrl, { clientId, clientSecret, redirectUri: 'http://127.0.0.1:8090/callback' });
};

/** What the TPP asks meanwhile, by name: each goes through another service, and the first two write. */
const prepareRequests = async (tpp) => {
  const token = await tpp.applicationToken();
  const json = { name: 'Анна Демирева', accounts: [{ currency: 'BGN', opening: '1000000.00' }] };
  const { psuId, accounts } = JSON.parse((await tpp.call('POST', '/sandbox/psus', token, { json })).text);
  const [{ iban }] = accounts;
  const { now } = JSON.parse((await tpp.call('GET', '/sandbox/clock', token)).text);
  const redirect = { 'tpp-redirect-uri': tpp.credentials.redirectUri };
  const payment = {
    instructedAmount: { currency: 'BGN', amount: '1.00' },
    debtorAccount: { iban },
    creditorAccount: { iban: 'BG26RZBB91551023456789' },
    creditorName: 'Petar Ivanov',
    remittanceInformationUnstructured: 'Invoice 2024-17',
    serviceLevel: 'NURG',
  };
  const consent = {
    access: { accounts: [{ iban }] },
    recurringIndicator: true,
    validUntil: new Date(Date.parse(now) + 30 * 86_400_000).toISOString().slice(0, 10),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const post = (path, body, headers) => async (key) =>
    tpp.call('POST', path, token, { headers: { 'idempotency-key': key, ...headers }, json: body });
  return {
    'initiate a payment': post(
      product,
      { endToEndIdentification: 'EXCHANGE-1', ...payment },
      {
        'psu-ip-address': '192.0.2.17',
        ...redirect,
      },
    ),
    'ask for a consent': post('/v1/consents', consent, { 'psu-id': psuId }),
    'read the clock': async () => tpp.call('GET', '/sandbox/clock', token),
  };
};

/** A second instance of the service starts and is ready, and the first is stopped. */
const exchange = async (deployment, service) => {
  const [old = ''] = await deployment.instances(service);
  const once = ['--no-build', '--no-recreate', '--no-deps', '--scale', `${service}=2`, service];
  await deployment.compose('up', '-d', ...once);
  const added = (await deployment.instances(service)).find((id) => id !== old);
  if (added === undefined) throw new Error(`no second instance of ${service}`);
  await deployment.untilHealthy(added);
  await deployment.engine.docker('stop', '-t', '15', old);
  await deployment.engine.docker('rm', old);
};

/** Exchanges the instances and answers the counts by request. Throws them when a request failed. */
export const exchangeInstances = async (deployment) => {
  const requests = await prepareRequests(await makeTpp(deployment));
  const end = new AbortController();
  const asked = Object.entries(requests).map(async ([name, request]) => [
    name,
    await ask(request, end.signal),
  ]);
  try {
    for (const service of services) await exchange(deployment, service);
  } finally {
    end.abort();
  }
  const counted = Object.fromEntries(await Promise.all(asked));
  if (Object.values(counted).some(({ failed }) => failed > 0))
    throw new Error(`requests failed: ${JSON.stringify(counted)}`);
  return counted;
};
