import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Talk, TalkingTpp } from './demo-talk.js';
import { type Answer, jsonOf } from './http.js';
import { type Page, PsuBrowser } from './psu-browser.js';
import { type PsuCredentials, walkAndApprove } from './psu-walk.js';
import type { Tokens } from './tpp-client.js';

export interface Customer extends PsuCredentials {
  readonly iban: string;
}
/** What every step needs: who asks, for whom, and where it is told. */
export interface Stage {
  readonly tpp: TalkingTpp;
  readonly talk: Talk;
  readonly customer: Customer;
  readonly applicationToken: string;
}

const product = '/v1/payments/domestic-credit-transfer-BGN';
/** The customer is at the TPP's screen: such calls are not counted as unattended. */
const present = { 'psu-ip-address': '192.0.2.17' };
const attempts = 20;

const expectStatus = (talk: Talk, answer: Answer, status: number): void =>
  talk.must(`the answer is ${status}`, answer.status === status, answer.status);

/** Repeats until `ask` answers something, for what happens a moment later. */
const eventually = async <Value>(ask: () => Promise<Value | undefined>): Promise<Value | undefined> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const value = await ask();
    if (value !== undefined) return value;
    await wait(500);
  }
  return undefined;
};

/** A new customer of the sandbox bank, so that nobody else's money is touched. */
export const becomeCustomer = async (stage: Omit<Stage, 'customer'>): Promise<Customer> => {
  const answer = await stage.tpp.call('POST', '/sandbox/psus', stage.applicationToken, {
    json: { name: 'Анна Демирева', accounts: [{ currency: 'BGN', opening: '1000.00' }] },
  });
  expectStatus(stage.talk, answer, 201);
  const { psuId, password, accounts } = jsonOf<PsuCredentials & { accounts: { iban: string }[] }>(answer);
  return { psuId, password, iban: accounts[0]?.iban ?? '' };
};

export const advanceClock = async ({ tpp, talk, applicationToken }: Stage, duration: string): Promise<void> =>
  expectStatus(
    talk,
    await tpp.call('POST', '/sandbox/clock', applicationToken, { json: { advance: duration } }),
    200,
  );

const firstLineOf = (page: Page): string =>
  page.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 12)
    .join(' · ');

/**
 * The customer walks through the bank's pages. A walk that breaks off (the bank was away) is begun again, as a person
 * would reload; `isDone` tells whether an earlier walk had got through after all.
 */
const walk = async (
  { talk, customer }: Stage,
  link: () => string,
  isDone: () => Promise<boolean>,
): Promise<PsuBrowser | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    const browser = new PsuBrowser({ 'accept-language': 'en' });
    const url = link();
    talk.request('GET', url.replace(/\?.*/, '?…'), '(the customer’s browser)');
    try {
      const last = await walkAndApprove(browser, url, customer, {
        watch: (step, page) => talk.note(`page “${step}”: ${firstLineOf(page)}`),
      });
      if (last.status < 500) return browser;
    } catch (error) {
      if (attempt === attempts) throw error;
      talk.note(`the page did not come (${(error as Error).message.slice(0, 120)})`);
    }
    await wait(500);
    if (await isDone()) return undefined;
  }
};

/** Initiates a payment, has it signed, and answers its id. */
export const pay = async (stage: Stage): Promise<string> => {
  const { tpp, talk, customer, applicationToken } = stage;
  talk.heading('The TPP initiates a payment of 12.50 BGN');
  const created = await tpp.call('POST', product, applicationToken, {
    headers: {
      'idempotency-key': randomUUID(),
      'psu-ip-address': present['psu-ip-address'],
      'tpp-redirect-uri': tpp.credentials.redirectUri,
    },
    json: {
      endToEndIdentification: 'DEMO-1',
      debtorAccount: { iban: customer.iban },
      instructedAmount: { currency: 'BGN', amount: '12.50' },
      creditorAccount: { iban: 'BG26RZBB91551023456789' },
      creditorName: 'Petar Ivanov',
      remittanceInformationUnstructured: 'Invoice 2024-17',
      serviceLevel: 'NURG',
    },
  });
  expectStatus(talk, created, 201);
  const { paymentId, transactionStatus, _links } = jsonOf<{
    paymentId: string;
    transactionStatus: string;
    _links: { scaRedirect: { href: string } };
  }>(created);
  talk.must('the payment is received: RCVD', transactionStatus === 'RCVD', transactionStatus);

  talk.heading('The customer signs on the bank’s pages');
  const browser = await walk(
    stage,
    () => _links.scaRedirect.href,
    async () => (await scaStatusOf(stage, paymentId)) === 'finalised',
  );
  if (browser) {
    const back = browser.leftTo ?? 'the bank';
    talk.must('the browser comes back to the TPP', back.startsWith(tpp.credentials.redirectUri), back);
  }
  await paymentBecomes(stage, paymentId, 'ACCP');

  talk.heading('One minute later it is settled');
  await advanceClock(stage, 'PT1M');
  await paymentBecomes(stage, paymentId, 'ACSC');
  return paymentId;
};

const scaStatusOf = async (
  { tpp, applicationToken }: Stage,
  paymentId: string,
): Promise<string | undefined> => {
  const list = await tpp.call('GET', `${product}/${paymentId}/authorisations`, applicationToken);
  const [id] = jsonOf<{ authorisationIds: string[] }>(list).authorisationIds;
  const one = await tpp.call('GET', `${product}/${paymentId}/authorisations/${id}`, applicationToken);
  return jsonOf<{ scaStatus: string }>(one).scaStatus;
};

const paymentBecomes = async (
  { tpp, talk, applicationToken }: Stage,
  paymentId: string,
  wanted: string,
): Promise<void> => {
  let seen = '';
  await eventually(async () => {
    const answer = await tpp.call('GET', `${product}/${paymentId}/status`, applicationToken);
    seen = jsonOf<{ transactionStatus: string }>(answer).transactionStatus;
    return seen === wanted ? seen : undefined;
  });
  talk.must(`the payment’s status is ${wanted}`, seen === wanted, seen);
};

/** From /oauth2/authorize through the pages to tokens; begun again when the bank was away in between. */
const authorize = async (stage: Stage, scope: string, consentId?: string): Promise<Tokens> => {
  const { tpp, talk } = stage;
  for (let attempt = 1; ; attempt += 1) {
    let request = tpp.authorizationRequest(scope, consentId);
    const browser = await walk(
      stage,
      () => {
        request = tpp.authorizationRequest(scope, consentId);
        return request.url;
      },
      async () => false,
    );
    try {
      const code = tpp.codeOf(browser?.leftTo, request);
      talk.must('the browser brings back a code, with our state and the bank’s issuer', true);
      return await tpp.redeem(code, request);
    } catch (error) {
      if (attempt === 3) throw error;
      talk.note(`no token yet (${(error as Error).message.slice(0, 160)}): once more`);
    }
  }
};

interface Entries {
  readonly transactions: {
    readonly booked?: readonly { readonly transactionAmount: { readonly amount: string } }[];
    readonly pending?: readonly { readonly transactionAmount: { readonly amount: string } }[];
  };
}
const has = (entries: Entries['transactions']['booked'], amount: string): boolean =>
  entries?.some(({ transactionAmount }) => transactionAmount.amount === amount) ?? false;

/** Consent, authorization with PKCE, accounts, balances, transactions: the payment pending, then booked. */
export const readAccounts = async (stage: Stage): Promise<void> => {
  const { tpp, talk } = stage;
  talk.heading('The TPP asks for consent to read the account');
  const consentId = await askForConsent(stage);

  talk.heading('The customer gives it on the bank’s pages (authorization code with PKCE)');
  const tokens = await authorize(stage, 'PSP_AI', consentId);

  talk.heading('The TPP reads account, balances and transactions');
  const get = async (path: string, token: string): Promise<Answer> => {
    const answer = await tpp.call('GET', path, token, { headers: present });
    expectStatus(talk, answer, 200);
    return answer;
  };
  const { accounts } = jsonOf<{ accounts: { resourceId: string }[] }>(
    await get('/v1/accounts', tokens.access_token),
  );
  talk.must('the consent opens exactly one account', accounts.length === 1, accounts.length);
  const account = `/v1/accounts/${accounts[0]?.resourceId}`;
  const { balances } = jsonOf<{ balances: { balanceType: string; balanceAmount: { amount: string } }[] }>(
    await get(`${account}/balances`, tokens.access_token),
  );
  const expected = balances.find(({ balanceType }) => balanceType === 'expected')?.balanceAmount.amount;
  talk.must('the expected balance is 987.50', expected === '987.50', expected);
  const before = jsonOf<Entries>(
    await get(`${account}/transactions?bookingStatus=both`, tokens.access_token),
  );
  talk.must('the payment is pending in the history', has(before.transactions.pending, '-12.50'), before);

  talk.heading('Five minutes later the entry is booked; the token has run out by then and is refreshed');
  await advanceClock(stage, 'PT5M');
  const late = await tpp.call('GET', account, tokens.access_token, { headers: present });
  expectStatus(talk, late, 401);
  const fresh = await tpp.refresh(tokens.refresh_token ?? '');
  const after = jsonOf<Entries>(await get(`${account}/transactions?bookingStatus=both`, fresh.access_token));
  talk.must('the payment is booked in the history', has(after.transactions.booked, '-12.50'), after);
};

const askForConsent = async ({ tpp, talk, customer, applicationToken }: Stage): Promise<string> => {
  const { now } = jsonOf<{ now: string }>(await tpp.call('GET', '/sandbox/clock', applicationToken));
  const references = [{ iban: customer.iban }];
  const created = await tpp.call('POST', '/v1/consents', applicationToken, {
    headers: { 'psu-id': customer.psuId, 'idempotency-key': randomUUID() },
    json: {
      access: { accounts: references, balances: references, transactions: references },
      recurringIndicator: true,
      validUntil: new Date(Date.parse(now) + 30 * 86_400_000).toISOString().slice(0, 10),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  expectStatus(talk, created, 201);
  const { consentId, consentStatus } = jsonOf<{ consentId: string; consentStatus: string }>(created);
  talk.must('the consent is received', consentStatus === 'received', consentStatus);
  return consentId;
};

/** Are 900.00 and 1,000.00 covered? (987.50 are left.) */
export const confirmFunds = async (stage: Stage): Promise<void> => {
  const { tpp, talk } = stage;
  talk.heading('The customer allows funds confirmation (scope PSP_IC)');
  const { access_token: token } = await authorize(stage, 'PSP_IC');
  talk.heading('The TPP asks whether an amount is covered');
  for (const [amount, covered] of [
    ['900.00', true],
    ['1000.00', false],
  ] as const) {
    const answer = await tpp.call('POST', '/v1/funds-confirmations', token, {
      json: { account: { iban: stage.customer.iban }, instructedAmount: { currency: 'BGN', amount } },
    });
    expectStatus(talk, answer, 200);
    const { fundsAvailable } = jsonOf<{ fundsAvailable: boolean }>(answer);
    talk.must(
      `${amount} BGN ${covered ? 'are' : 'are not'} covered`,
      fundsAvailable === covered,
      fundsAvailable,
    );
  }
};
