import { randomUUID } from 'node:crypto';
import type { DemoPayment } from './demo-payments.js';
import { advanceClock, expectStatus, present, type Stage, walk } from './stage.js';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { Tokens } from '@xs2a/tpp-client/tpp-client';

/**
 * Authorizes the TPP, from /oauth2/authorize through the bank's pages to the tokens. Starts again if the bank goes
 * down along the way.
 */
const authorize = async (stage: Stage, scope: string, consentId?: string): Promise<Tokens> => {
  const { tpp, talk } = stage;
  for (let tries = 1; ; tries += 1) {
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
      const code = tpp.parseCode(browser?.leftTo, request);
      talk.must('the browser returns with a code, our state and the bank’s issuer', true);
      return await tpp.redeem(code, request);
    } catch (error) {
      if (tries === 3) throw error;
      talk.note(`no token yet (${(error as Error).message.slice(0, 160)}): trying again`);
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

/**
 * Performs the account steps: consent, authorization with PKCE, accounts, balances, and transactions, which first
 * include the payments as pending, and instant ones as booked, and then all as booked. Returns the expected balance.
 */
export const readAccounts = async (stage: Stage, payments: readonly DemoPayment[]): Promise<string> => {
  const paid = payments.filter(({ instant }) => instant?.reasonCode === undefined);
  const { tpp, talk } = stage;
  talk.heading('The TPP asks for consent to read the account');
  const consentId = await askForConsent(stage);

  talk.heading('The customer gives consent on the bank’s pages (authorization code with PKCE)');
  const tokens = await authorize(stage, 'PSP_AI', consentId);

  talk.heading('The TPP reads the account, its balances and transactions');
  const get = async (path: string, token: string): Promise<Answer> => {
    const answer = await tpp.call('GET', path, token, { headers: present });
    expectStatus(talk, answer, 200);
    return answer;
  };
  const { accounts } = parseJson<{ accounts: { resourceId: string }[] }>(
    await get('/v1/accounts', tokens.access_token),
  );
  talk.must('the consent gives access to exactly one account', accounts.length === 1, accounts.length);
  const account = `/v1/accounts/${accounts[0]?.resourceId}`;
  const { balances } = parseJson<{ balances: { balanceType: string; balanceAmount: { amount: string } }[] }>(
    await get(`${account}/balances`, tokens.access_token),
  );
  const expected = balances.find(({ balanceType }) => balanceType === 'expected')?.balanceAmount.amount;
  const { opening } = stage.customer;
  if (opening === undefined) talk.note(`the expected balance is ${expected}`);
  else {
    const left = paid.reduce((balance, { amount }) => balance - Number(amount), opening).toFixed(2);
    talk.must(`the expected balance is ${left}`, expected === left, expected);
  }
  const before = parseJson<Entries>(
    await get(`${account}/transactions?bookingStatus=both`, tokens.access_token),
  );
  for (const { name, amount, instant } of paid) {
    const state = instant === undefined ? 'pending' : 'booked';
    talk.must(
      `the ${name} is ${state} in the history`,
      has(before.transactions[state], `-${amount}`),
      before,
    );
  }

  talk.heading('Five minutes later the entry is booked; the token has expired by then and is refreshed');
  await advanceClock(stage, 'PT5M');
  const late = await tpp.call('GET', account, tokens.access_token, { headers: present });
  expectStatus(talk, late, 401);
  const fresh = await tpp.refresh(tokens.refresh_token ?? '');
  const after = parseJson<Entries>(
    await get(`${account}/transactions?bookingStatus=both`, fresh.access_token),
  );
  for (const { name, amount } of paid.filter(({ instant }) => instant === undefined))
    talk.must(`the ${name} is booked in the history`, has(after.transactions.booked, `-${amount}`), after);
  return expected ?? '';
};

const askForConsent = async ({ tpp, talk, customer, applicationToken }: Stage): Promise<string> => {
  const { now } = parseJson<{ now: string }>(await tpp.call('GET', '/sandbox/clock', applicationToken));
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
  const { consentId, consentStatus } = parseJson<{ consentId: string; consentStatus: string }>(created);
  talk.must('the consent is received', consentStatus === 'received', consentStatus);
  return consentId;
};

/** Checks that the expected balance is available, and that one cent more is not. */
export const confirmFunds = async (stage: Stage, expected: string): Promise<void> => {
  const { tpp, talk, currency } = stage;
  talk.heading('The customer allows funds confirmation (scope PSP_IC)');
  const { access_token: token } = await authorize(stage, 'PSP_IC');
  talk.heading('The TPP asks whether an amount is covered');
  for (const [amount, covered] of [
    [expected, true],
    [(Number(expected) + 0.01).toFixed(2), false],
  ] as const) {
    const answer = await tpp.call('POST', '/v1/funds-confirmations', token, {
      json: { account: { iban: stage.customer.iban }, instructedAmount: { currency, amount } },
    });
    expectStatus(talk, answer, 200);
    const { fundsAvailable } = parseJson<{ fundsAvailable: boolean }>(answer);
    talk.must(
      `${amount} ${currency} ${covered ? 'are' : 'are not'} covered`,
      fundsAvailable === covered,
      fundsAvailable,
    );
  }
};
