import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { parseJson } from '@xs2a/tpp-client/http';
import type { Page } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  present,
  sandboxNow,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
const callback = 'http://127.0.0.1:8090/callback';

beforeAll(async () => {
  world = await World.start();
  tpp = world.tpp();
});
beforeEach(async () => {
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

const initiated = async (psu: FreshPsu, amount = '12.50', headers = {}): Promise<Initiated> =>
  initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? '', amount), headers);
const signed = async (amount?: string): Promise<Initiated> => {
  const psu = await world.person('100.00');
  const payment = await initiated(psu, amount);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};
const cancel = async ({ path }: Pick<Initiated, 'path'>, key: string = randomUUID()): Promise<void> => {
  const answer = await tpp.call('DELETE', path, token, { headers: { 'idempotency-key': key } });
  expect([answer.status, answer.text]).toEqual([204, '']);
};

/** Makes the ledger refuse every posting while `body` runs: payments stop at ACSP and continue afterwards. */
const withoutPostings = async (body: () => Promise<void>): Promise<void> => {
  const pool = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'no-postings', max: 1 });
  await pool.query(
    `ALTER TABLE accounts.transfer ADD CONSTRAINT no_postings CHECK (kind <> 'post') NOT VALID`,
  );
  try {
    await body();
  } finally {
    await pool.query('ALTER TABLE accounts.transfer DROP CONSTRAINT no_postings');
    await pool.end();
  }
};

/** Ways to bring a payment to each status. The key is used by the DELETE that follows. */
const waysTo: Readonly<Record<string, (key: string) => Promise<Pick<Initiated, 'path'>>>> = {
  RCVD: async () => initiated(await world.person()),
  PATC: async () => {
    const { iban, signers } = await world.corporate(2, 2);
    const [first] = signers;
    if (first === undefined) throw new Error('no signers');
    const payment = await initiateForSeveral(tpp, token, iban);
    const { scaRedirect } = await startFor(tpp, token, payment, first);
    await walkAndApprove(world.browser(), scaRedirect, first);
    return payment;
  },
  'ACCP, signed in': async () => {
    const { psuId, password, ...psu } = await world.person();
    const payment = await initiated({ psuId, password, ...psu });
    const browser = world.browser();
    await browser.submit(await browser.open(payment.scaRedirect), { psuId, password }, 'approve');
    return payment;
  },
  'ACCP, signed': async () => signed(),
  'ACCP, unfunded': async () => {
    const payment = await signed('100.01');
    await world.advance('PT1M');
    return payment;
  },
  ACSC: async () => {
    const payment = await signed();
    await world.advance('PT1M');
    return payment;
  },
  RJCT: async () => {
    const psu = await world.person();
    const payment = await initiated(psu);
    await walkAndDecline(world.browser(), payment.scaRedirect, psu, 'refuse');
    return payment;
  },
  CANC: async () => {
    const payment = await initiated(await world.person());
    await cancel(payment);
    return payment;
  },
  'CANC, the same key': async (key) => {
    const payment = await initiated(await world.person());
    await cancel(payment, key);
    return payment;
  },
};

const deleted = async (payment: Pick<Initiated, 'path'>, key: string): Promise<unknown[]> => {
  const answer = await tpp.call('DELETE', payment.path, token, { headers: { 'idempotency-key': key } });
  return answer.status === 204 ? [204] : [answer.status, ...listCodes(answer)];
};
const refused = [405, 'CANCELLATION_INVALID'];

/** Returns the only account in a consent as the TPP sees it, with its balances and pending amounts. */
const readAccount = async (accountsToken: string): Promise<Record<string, unknown>> => {
  const read = async <Body>(path: string): Promise<Body> =>
    parseJson<Body & Record<string, unknown>>(
      await tpp.call('GET', `/v1/accounts${path}`, accountsToken, present),
    );
  const { accounts } = await read<{ accounts: { resourceId: string }[] }>('');
  const { balances } = await read<{ balances: { balanceType: string; balanceAmount: { amount: string } }[] }>(
    `/${accounts[0]?.resourceId}/balances`,
  );
  const { transactions } = await read<{
    transactions: { pending?: { transactionAmount: { amount: string } }[] };
  }>(`/${accounts[0]?.resourceId}/transactions`);
  return {
    ...Object.fromEntries(balances.map((one) => [one.balanceType, one.balanceAmount.amount])),
    pending: (transactions.pending ?? []).map(({ transactionAmount }) => transactionAmount.amount),
  };
};

describe('DELETE of a payment in each status, as listed in spec 3.3', () => {
  it.each<[string, string, unknown[], string]>([
    ['RCVD', 'RCVD', [204], 'CANC'],
    ['PATC', 'PATC', [204], 'CANC'],
    ['ACCP, signed in', 'ACCP', [204], 'CANC'],
    ['ACCP, signed', 'ACCP', [204], 'CANC'],
    ['ACCP, unfunded', 'ACCP', refused, 'ACCP'],
    ['ACSC', 'ACSC', refused, 'ACSC'],
    ['RJCT', 'RJCT', refused, 'RJCT'],
    ['CANC', 'CANC', refused, 'CANC'],
    ['CANC, the same key', 'CANC', [204], 'CANC'],
  ])('%s (status %s): returns %j, and the status is then %s', async (name, status, outcome, then) => {
    const key = randomUUID();
    const payment = await waysTo[name]?.(key);
    if (payment === undefined) throw new Error(`no way to ${name}`);
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: status });
    expect(await deleted(payment, key)).toEqual(outcome);
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: then });
  });

  it('ACSP: is refused; the entry is pending, the money is held, and the payment is still settled (spec 3.1)', async () => {
    const psu = await world.person('100.00');
    const body = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 5));
    const { access_token: accountsToken } = (await consented(world, tpp, psu, body)).tokens;
    const accountNow = async (): Promise<unknown> => readAccount(accountsToken);
    const payment = await initiated(psu);
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    const isAt = async (wanted: string): Promise<Record<string, unknown>> =>
      until(
        () => readStatus(tpp, token, payment.path),
        ({ transactionStatus }) => transactionStatus === wanted,
        40,
      );
    await withoutPostings(async () => {
      const due = world.advance('PT1M').catch(() => undefined);
      expect(await isAt('ACSP')).toEqual({ transactionStatus: 'ACSP', fundsAvailable: true });
      expect(await accountNow()).toEqual({
        interimAvailable: '100.00',
        expected: '87.50',
        pending: ['-12.50'],
      });
      expect(await deleted(payment, randomUUID())).toEqual(refused);
      await due;
      expect(await readStatus(tpp, token, payment.path)).toEqual({
        transactionStatus: 'ACSP',
        fundsAvailable: true,
      });
    });
    expect(await isAt('ACSC')).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    expect(await accountNow()).toEqual({ interimAvailable: '87.50', expected: '87.50', pending: ['-12.50'] });
  }, 90_000);
});

type Rejection = (
  psu: FreshPsu,
  headers: Readonly<Record<string, string>>,
) => Promise<readonly [Initiated, Page, string | undefined]>;
/** Initiates a payment and causes its rejection. Returns the last page and the browser's final address. */
const rejection =
  (
    act: (payment: Initiated, psu: FreshPsu, browser: ReturnType<World['browser']>) => Promise<Page>,
    more: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
  ): Rejection =>
  async (psu, headers) => {
    const payment = await initiated(psu, '12.50', { ...headers, ...(await more()) });
    const browser = world.browser();
    const page = await act(payment, psu, browser);
    return [payment, page, browser.leftTo];
  };

/** The causes of RJCT (contract 8), with the texts shown to the TPP and to the PSU. */
const rejections: readonly (readonly [why: string, forTpp: string, forPsu: string, Rejection])[] = [
  [
    'the PSU refuses',
    'The PSU refused the payment.',
    'Not paid: you refused',
    rejection((payment, psu, browser) => walkAndDecline(browser, payment.scaRedirect, psu, 'refuse')),
  ],
  [
    'the PSU cancels',
    'The PSU cancelled the authorisation.',
    'Not paid: you cancelled',
    rejection((payment, psu, browser) => walkAndDecline(browser, payment.scaRedirect, psu, 'cancel')),
  ],
  [
    'five wrong codes',
    'The strong customer authentication failed.',
    'Your password is right: do not change it.',
    rejection(async (payment, { psuId, password }, browser) => {
      let page = await browser.open(payment.scaRedirect);
      page = await browser.submit(page, { psuId, password }, 'approve');
      page = await browser.submit(page, {}, 'approve');
      for (let tries = 0; tries < 5; tries += 1)
        page = await browser.submit(page, { otp: '654321' }, 'approve');
      return page;
    }),
  ],
  [
    'another PSU than the one named',
    'A PSU other than the one named in PSU-ID signed in.',
    'Not paid: it was meant for another user',
    rejection(
      (payment, psu, browser) => walkAndApprove(browser, payment.scaRedirect, psu),
      async () => ({ 'psu-id': (await world.person()).psuId }),
    ),
  ],
  [
    'not the owner of the debtor account',
    'The PSU may not pay from this debtor account.',
    'Not paid: you cannot use that account',
    rejection(async (payment, _owner, browser) =>
      walkAndApprove(browser, payment.scaRedirect, await world.person()),
    ),
  ],
  [
    'an account that cannot be debited any more',
    'No payment can be made from this debtor account.',
    'Not paid: that account cannot pay',
    rejection(async (payment, psu, browser) => {
      const json = { psuId: psu.psuId, outcome: 'reject' };
      expect((await tpp.call('POST', '/sandbox/simulate', token, { json })).status).toBe(200);
      return walkAndApprove(browser, payment.scaRedirect, psu);
    }),
  ],
  [
    'not signed within 15 minutes',
    'The payment was not authorised in time.',
    'This link has expired',
    rejection(async (payment, _psu, browser) => {
      await world.advance('PT15M');
      return browser.open(payment.scaRedirect);
    }),
  ],
];

describe('each cause of RJCT (spec 3.4, contract 8)', () => {
  it.each(rejections)(
    '%s: the TPP receives the reason, and the browser is sent to the Nok URI',
    async (_why, forTpp, _forPsu, reject) => {
      const nok = `${callback}?outcome=nok`;
      const [{ path }, , leftTo] = await reject(await world.person(), {
        'tpp-redirect-uri': callback,
        'tpp-nok-redirect-uri': nok,
      });
      expect(leftTo).toBe(nok);
      expect(await readStatus(tpp, token, path)).toEqual({
        transactionStatus: 'RJCT',
        tppMessages: [{ category: 'ERROR', code: 'PAYMENT_FAILED', text: forTpp }],
      });
      const { authorisationIds } = parseJson<{ authorisationIds: string[] }>(
        await tpp.call('GET', `${path}/authorisations`, token),
      );
      const sca = await tpp.call('GET', `${path}/authorisations/${authorisationIds[0]}`, token);
      expect(parseJson(sca)).toEqual({ scaStatus: 'failed' });
    },
  );

  it.each(rejections)(
    '%s, without a Nok URI: a page of the bank informs the PSU',
    async (_why, forTpp, forPsu, reject) => {
      const [{ path }, page, leftTo] = await reject(await world.person(), { 'tpp-redirect-uri': callback });
      expect([leftTo, page.text]).toEqual([undefined, expect.stringContaining(forPsu)]);
      expect(page.forms.flatMap(({ buttons }) => buttons.map(({ name }) => name))).not.toContain('decision');
      expect(await readStatus(tpp, token, path)).toMatchObject({ tppMessages: [{ text: forTpp }] });
    },
  );
});
