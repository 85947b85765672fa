// A TPP that sends requests while instances are replaced, through the TLS proxy, with a client certificate
// and without a secret.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { sendOverTls } from '@xs2a/tpp-client/tls-send';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { readTls } from './checks.js';
import type { Deployment } from './deployment.js';

const product = '/v1/payments/domestic-credit-transfer-BGN';
const redirectUri = 'http://127.0.0.1:8090/callback';
const roles = ['PSP_AI', 'PSP_PI', 'PSP_IC'];
const maxRepeats = 5;
/** The pause between two requests of the same kind, because each starts with a TLS handshake. */
const pauseMs = 50;

type Request = (key: string) => Promise<Answer>;
type Requests = Readonly<Record<string, Request>>;

const makeTpp = async (deployment: Deployment): Promise<TppClient> => {
  const { baseUrl } = deployment;
  const tls = await readTls(deployment);
  const send = sendOverTls(tls);
  const { certificate } = tls.identity;
  const tokenEndpointAuthMethod = 'tls_client_auth';
  const answer = await send('POST', `${baseUrl}/sandbox/tpps`, {
    json: { name: 'Exchange', redirectUris: [redirectUri], roles, tokenEndpointAuthMethod, certificate },
  });
  if (answer.status !== 201) throw new Error(`the TPP was not registered: ${answer.status} ${answer.text}`);
  return new TppClient(
    baseUrl,
    { clientId: parseJson<{ clientId: string }>(answer).clientId, redirectUri },
    send,
  );
};

/** Returns the TPP's requests by name. Each uses a different service, and the first two write data. */
export const prepareRequests = async (deployment: Deployment): Promise<Requests> => {
  const tpp = await makeTpp(deployment);
  const token = await tpp.applicationToken();
  const json = { name: 'Анна Демирева', accounts: [{ currency: 'BGN', opening: '1000000.00' }] };
  const { psuId, accounts } = parseJson<{ psuId: string; accounts: readonly [{ iban: string }] }>(
    await tpp.call('POST', '/sandbox/psus', token, { json }),
  );
  const [{ iban }] = accounts;
  const { now } = parseJson<{ now: string }>(await tpp.call('GET', '/sandbox/clock', token));
  const payment = {
    endToEndIdentification: 'EXCHANGE-1',
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
  const post =
    (path: string, body: object, headers: Readonly<Record<string, string>>): Request =>
    async (key) =>
      tpp.call('POST', path, token, { headers: { 'idempotency-key': key, ...headers }, json: body });
  return {
    'initiate a payment': post(product, payment, {
      'psu-ip-address': '192.0.2.17',
      'tpp-redirect-uri': redirectUri,
    }),
    'ask for a consent': post('/v1/consents', consent, { 'psu-id': psuId }),
    'get a token': async () => tpp.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_PI' }),
    'read the clock': async () => tpp.call('GET', '/sandbox/clock', token),
  };
};

interface Counts {
  requests: number;
  unavailable: number;
  unanswered: number;
  failed: number;
  maxMs: number;
  firstFailure?: string;
}
export type Counted = Readonly<Counts>;

/**
 * Sends a request as a TPP should: retries with the same idempotency key after a 503 or ten seconds without a
 * response.
 */
const insist = async (request: Request, counted: Counts): Promise<void> => {
  const key = randomUUID();
  for (let repeats = 0; ; repeats += 1) {
    const { status, text } = await request(key).catch((error: unknown) => ({
      status: 0,
      text: String(error),
    }));
    if (status > 0 && status < 400) return;
    if ((status !== 503 && status !== 0) || repeats === maxRepeats) throw new Error(`${status} ${text}`);
    counted[status === 503 ? 'unavailable' : 'unanswered'] += 1;
    await wait(500);
  }
};

/**
 * Sends requests one at a time until stopped. Returns the number sent and the longest duration in milliseconds,
 * including retries.
 */
const ask = async (request: Request, signal: AbortSignal): Promise<Counted> => {
  const counted: Counts = { requests: 0, unavailable: 0, unanswered: 0, failed: 0, maxMs: 0 };
  while (!signal.aborted) {
    const started = performance.now();
    await insist(request, counted).catch((error: Error) => {
      counted.failed += 1;
      counted.firstFailure ??= error.message;
    });
    counted.requests += 1;
    counted.maxMs = Math.max(counted.maxMs, Math.round(performance.now() - started));
    await wait(pauseMs);
  }
  return counted;
};

/**
 * Sends each request repeatedly while the work runs. Returns the counts by request. Throws an error with the
 * counts if a request failed.
 */
export const askWhile = async (
  requests: Requests,
  work: () => Promise<void>,
): Promise<Readonly<Record<string, Counted>>> => {
  const end = new AbortController();
  const asked = Object.entries(requests).map(
    async ([name, request]) => [name, await ask(request, end.signal)] as const,
  );
  try {
    await work();
  } finally {
    end.abort();
  }
  const counted = Object.fromEntries(await Promise.all(asked));
  if (Object.values(counted).some(({ failed }) => failed > 0))
    throw new Error(`requests failed: ${JSON.stringify(counted)}`);
  return counted;
};
