import type { Answer } from '@xs2a/tpp-client/http';
import { addDays, toBankDate, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { parseJson } from '@xs2a/tpp-client/http';
import type { Tokens, TppClient } from '@xs2a/tpp-client/tpp-client';
import { domesticProduct, domesticService, homeCurrency } from './home.js';
import { authorise, bodyOf, type FreshPsu } from './sandbox-tpp.js';
import type { World } from './world.js';

export const domesticPath = `/v1/payments/${domesticProduct}`;
/** An account at another bank in Bulgaria, taken from the fixtures. */
export const elsewhere = 'BG26RZBB91551023456789';

/** Builds a valid body for a domestic payment. */
export const domesticPayment = (
  debtorIban: string,
  amount = '12.50',
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  endToEndIdentification: 'E2E-1',
  debtorAccount: { iban: debtorIban },
  instructedAmount: { currency: homeCurrency, amount },
  creditorAccount: { iban: elsewhere },
  creditorName: 'Petar Ivanov',
  remittanceInformationUnstructured: 'Invoice 1',
  serviceLevel: domesticService,
  ...changes,
});

export const periodicPath = `/v1/periodic-payments/${domesticProduct}`;
export const bulkPath = `/v1/bulk-payments/${domesticProduct}`;

/** Builds a valid body for a monthly order without an end date. */
export const periodicPayment = (
  debtorIban: string,
  startDate: string,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  ...domesticPayment(debtorIban),
  startDate,
  frequency: 'Monthly',
  ...changes,
});

/** Builds a valid body for a bulk payment with the given amounts in the home currency. */
export const bulkPayment = (
  debtorIban: string,
  amounts: readonly string[],
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  debtorAccount: { iban: debtorIban },
  payments: amounts.map((amount, index) => {
    const { debtorAccount: _own, ...entry } = domesticPayment(debtorIban, amount);
    return { ...entry, endToEndIdentification: `E2E-${index}` };
  }),
  ...changes,
});

export interface Initiated {
  readonly paymentId: string;
  readonly path: string;
  readonly scaRedirect: string;
}

/** POSTs a payment, or an order or bulk at its own path, which must be accepted. */
export const initiate = async (
  tpp: TppClient,
  token: string,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
  at = domesticPath,
): Promise<Initiated> => {
  return parseInitiated(await tpp.call('POST', at, token, { json: body, headers }), at);
};

/** Returns the payment in a 201 response to a POST at the given path. Throws if the response has another status. */
export const parseInitiated = (answer: Answer, at = domesticPath): Initiated => {
  const { paymentId, _links } = bodyOf<{ paymentId: string; _links: { scaRedirect: { href: string } } }>(
    answer,
    201,
  );
  return { paymentId, path: `${at}/${paymentId}`, scaRedirect: _links.scaRedirect.href };
};

export const readStatus = async (
  tpp: TppClient,
  token: string,
  path: string,
): Promise<Record<string, unknown>> => parseJson(await tpp.call('GET', `${path}/status`, token));

/** Lists the codes in an error response. */
export const listCodes = (answer: Answer): string[] =>
  parseJson<{ tppMessages: { code: string }[] }>(answer).tppMessages.map(({ code }) => code);
export const listPaths = (answer: Answer): (string | undefined)[] =>
  parseJson<{ tppMessages: { path?: string }[] }>(answer).tppMessages.map(({ path }) => path);

/**
 * Polls until the response meets the condition. Each poll is a request, so this waits for the service rather than
 * for time to pass.
 */
export const until = async <Value>(
  ask: () => Promise<Value>,
  wanted: (value: Value) => boolean,
  seconds = 20,
): Promise<Value> => {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (wanted(value)) return value;
    if (performance.now() > end)
      throw new Error(`condition not met after ${seconds} s: ${JSON.stringify(value).slice(0, 500)}`);
  }
};

/** Returns a date the given number of days from the sandbox's current time, by the bank's calendar. */
export const dayFrom = (now: string, days: number): string => addDays(toBankDate(now, 'Europe/Sofia'), days);

export const sandboxNow = async (world: World): Promise<string> => {
  const tpp = world.tpp();
  return parseJson<{ now: string }>(await tpp.call('GET', '/sandbox/clock', await tpp.applicationToken()))
    .now;
};

/** Moves the clock past midnight if midnight is near, so that the day does not end during a test that counts days. */
export const awayFromMidnight = async (world: World): Promise<void> => {
  const now = await sandboxNow(world);
  const left = Date.parse(startOfBankDay(dayFrom(now, 1), 'Europe/Sofia')) - Date.parse(now);
  if (left < 900_000) await world.advance('PT15M');
};

export const consentBody = (
  ibans: readonly string[],
  validUntil: string,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => {
  const references = ibans.map((iban) => ({ iban }));
  return {
    access: { accounts: references, balances: references, transactions: references },
    recurringIndicator: true,
    validUntil,
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
    ...changes,
  };
};

export interface Consented {
  readonly consentId: string;
  readonly tokens: Tokens;
}

/** Creates a consent, has the PSU authorise it at /oauth2/authorize, and redeems the code. */
export const consented = async (
  world: World,
  tpp: TppClient,
  psu: FreshPsu,
  body: Readonly<Record<string, unknown>>,
): Promise<Consented> => {
  const answer = await tpp.call('POST', '/v1/consents', await tpp.applicationToken('PSP_AI'), {
    json: body,
    headers: { 'psu-id': psu.psuId },
  });
  const { consentId } = bodyOf<{ consentId: string }>(answer, 201);
  return { consentId, tokens: await authorised(world, tpp, psu, 'PSP_AI', consentId) };
};

/** Goes from /oauth2/authorize through the bank's pages and returns the tokens. */
export const authorised = async (
  world: World,
  tpp: TppClient,
  psu: FreshPsu,
  scope: string,
  consentId?: string,
): Promise<Tokens> => authorise(tpp, psu, scope, consentId, world.browser());

/** States that the PSU is present, so that calls are not counted. */
export const present = { headers: { 'psu-ip-address': '198.51.100.7' } };

/** Returns the booked entries on a page of transactions, and the page's links; an absent link is an empty string. */
export const bookedAt = async (
  tpp: TppClient,
  path: string,
  token: string,
): Promise<{ readonly ids: readonly string[]; to(name: string): string }> => {
  const answer = await tpp.call('GET', path, token, present);
  const { booked, _links } = parseJson<{
    transactions: { booked: { transactionId: string }[]; _links: Record<string, { href: string }> };
  }>(answer).transactions;
  return { ids: booked.map(({ transactionId }) => transactionId), to: (name) => _links[name]?.href ?? '' };
};

export const createConsent = async (
  tpp: TppClient,
  psuId: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  tpp.call('POST', '/v1/consents', await tpp.applicationToken('PSP_AI'), {
    json: body,
    headers: { 'psu-id': psuId, ...headers },
  });

export const resourceIds = async (tpp: TppClient, token: string): Promise<string[]> =>
  parseJson<{ accounts: { resourceId: string }[] }>(
    await tpp.call('GET', '/v1/accounts', token, present),
  ).accounts.map(({ resourceId }) => resourceId);
