// Lane: long (it starts a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  consentBody,
  consented,
  dayFrom,
  type Initiated,
  listCodes,
  parseInitiated,
  present,
  readStatus,
  resourceIds,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { euroBody, type EuroPsu, openEuroPerson, post } from './euro-world.js';

const product = 'instant-SEPA-credit-transfer';
const path = `/v1/payments/${product}`;
const atOnce = 'DE89370400440532013000';
const opening = '100.00';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.start(undefined, 'bg-euro');
  tpp = world.tpp();
});
afterAll(async () => world.stop());

const token = async (): Promise<string> => tpp.applicationToken();
const bodyTo = (iban: string, payee: string, change: object = {}): Record<string, unknown> =>
  euroBody(product, iban, {
    creditorAccount: { iban: payee },
    creditorAgent: undefined,
    instructedAmount: { currency: 'EUR', amount: '25.00' },
    ...change,
  });
const sign = async ({ scaRedirect }: Initiated, psu: EuroPsu): Promise<number> => {
  await walkAndApprove(world.browser(), scaRedirect, psu);
  return performance.now();
};
interface Signed extends Initiated {
  readonly signedAt: number;
}
const signed = async (psu: EuroPsu, payee: string, change: object = {}): Promise<Signed> => {
  const payment = parseInitiated(await post(tpp, path, bodyTo(psu.iban, payee, change)), path);
  return { ...payment, signedAt: await sign(payment, psu) };
};
const statusOf = async ({ path: at }: Initiated) => readStatus(tpp, await token(), at);
const isFinal = ({ transactionStatus }: Record<string, unknown>): boolean =>
  ['ACSC', 'RJCT', 'CANC'].includes(String(transactionStatus));
/** The final status and how long it took. */
const ended = async (payment: Signed): Promise<{ status: Record<string, unknown>; seconds: number }> => {
  const status = await until(async () => statusOf(payment), isFinal);
  return { status, seconds: (performance.now() - payment.signedAt) / 1000 };
};

/** The balances of the person's account, and its booked and pending amounts. */
const readAccount = async (psu: EuroPsu) => {
  const { tokens } = await consented(
    world,
    tpp,
    psu,
    consentBody([psu.iban], dayFrom(await sandboxNow(world), 5)),
  );
  const [id] = await resourceIds(tpp, tokens.access_token);
  const { balances } = parseJson<{ balances: { balanceType: string; balanceAmount: { amount: string } }[] }>(
    await tpp.call('GET', `/v1/accounts/${id}/balances`, tokens.access_token, present),
  );
  type Entries = readonly { readonly transactionAmount: { readonly amount: string } }[];
  const { transactions } = parseJson<{ transactions: { booked: Entries; pending?: Entries } }>(
    await tpp.call('GET', `/v1/accounts/${id}/transactions`, tokens.access_token, present),
  );
  const amounts = (entries: Entries = []): string[] =>
    entries.map(({ transactionAmount }) => transactionAmount.amount);
  return {
    ...Object.fromEntries(balances.map((one) => [one.balanceType, one.balanceAmount.amount])),
    booked: amounts(transactions.booked),
    pending: amounts(transactions.pending),
  };
};
const parse = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
const untouched = { interimAvailable: opening, expected: opening, booked: [], pending: [] };
const charged = { interimAvailable: '75.00', expected: '75.00', booked: ['-25.00'], pending: [] };

describe('an instant payment (contract E3.2 to E3.4)', () => {
  it('is final within ten seconds of the signature, booked at once, whatever the sandbox clock says', async () => {
    await post(tpp, '/sandbox/clock', { advance: 'PT3H' });
    const psu = await openEuroPerson(tpp, opening);
    const payment = await signed(psu, atOnce);
    const { status, seconds } = await ended(payment);
    expect(status).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    expect(seconds).toBeLessThan(10);
    expect(await readAccount(psu)).toMatchObject(charged);
  });

  it('to an account at this bank is posted and booked on both sides at once', async () => {
    const [payer, payee] = [await openEuroPerson(tpp, opening), await openEuroPerson(tpp, opening)];
    expect((await ended(await signed(payer, payee.iban))).status).toMatchObject({
      transactionStatus: 'ACSC',
    });
    expect(await readAccount(payer)).toMatchObject(charged);
    expect(await readAccount(payee)).toMatchObject({ interimAvailable: '125.00', booked: ['25.00'] });
  });

  it.each([
    ['BG30XSBV92001000000201', 'AB08', 'The payee’s bank is not available.'],
    ['BG73XSBV92001000000203', 'AC04', 'The payee’s account is closed.'],
    ['BG19XSBV92001000000205', 'MS03', 'The payee’s bank refused the payment without giving a reason.'],
  ])(
    'is rejected for the reason of the payee’s bank, and charges nothing: %s',
    async (payee, reasonCode, text) => {
      const psu = await openEuroPerson(tpp, opening);
      const payment = await signed(psu, payee);
      const { status } = await ended(payment);
      expect(status).toEqual({
        transactionStatus: 'RJCT',
        reasonCode,
        tppMessages: [
          { category: 'ERROR', code: 'PAYMENT_FAILED', text: `${text} The account was not charged.` },
        ],
      });
      const read = parseJson(await tpp.call('GET', payment.path, await token()));
      expect(read).toMatchObject({ transactionStatus: 'RJCT', reasonCode });
      expect(await readAccount(psu)).toMatchObject(untouched);
    },
  );

  it('to a silent bank is ACSP until it is rejected with AB05 within ten seconds', async () => {
    const psu = await openEuroPerson(tpp, opening);
    const payment = await signed(psu, 'BG03XSBV92001000000202');
    const sent = await until(
      async () => statusOf(payment),
      ({ transactionStatus }) => transactionStatus === 'ACSP',
    );
    expect(sent).toEqual({ transactionStatus: 'ACSP', fundsAvailable: true });
    expect(await readAccount(psu)).toMatchObject({ expected: '75.00', pending: ['-25.00'] });
    const { status, seconds } = await ended(payment);
    expect(status).toMatchObject({ transactionStatus: 'RJCT', reasonCode: 'AB05' });
    expect(seconds).toBeLessThan(10);
    expect(await readAccount(psu)).toMatchObject(untouched);
  });

  it('to a slow bank is settled after eight seconds', async () => {
    const psu = await openEuroPerson(tpp, opening);
    const { status, seconds } = await ended(await signed(psu, 'BG46XSBV92001000000204'));
    expect(status).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    expect(seconds).toBeGreaterThan(6);
    expect(seconds).toBeLessThan(10);
  });

  it('without funds is rejected with AM04 and the warning, never ACCP with fundsAvailable=false', async () => {
    const psu = await openEuroPerson(tpp, '1.00');
    const payment = await signed(psu, atOnce);
    const { status } = await ended(payment);
    expect(status).toMatchObject({ transactionStatus: 'RJCT', reasonCode: 'AM04', fundsAvailable: false });
    const messages = status['tppMessages'] as { category: string; code: string }[];
    expect(messages.map(({ category, code }) => `${category} ${code}`)).toEqual([
      'WARNING FUNDS_NOT_AVAILABLE',
      'ERROR PAYMENT_FAILED',
    ]);
  });

  it('above the PSU’s own limit is rejected with AM14, another payment is not', async () => {
    const account = { currency: 'EUR', opening, instantLimit: '24.99' };
    const answer = await post(tpp, '/sandbox/psus', { accounts: [account] });
    const psu = bodyOf<FreshPsu>(answer, 201);
    const limited = { ...psu, iban: psu.accounts[0]?.iban ?? '' };
    const { status } = await ended(await signed(limited, atOnce));
    expect(status).toMatchObject({ transactionStatus: 'RJCT', reasonCode: 'AM14' });
    const small = { instructedAmount: { currency: 'EUR', amount: '24.99' } };
    expect((await ended(await signed(limited, atOnce, small))).status).toMatchObject({
      transactionStatus: 'ACSC',
    });
  });

  it('to a closed account at this bank is rejected with AG01', async () => {
    const [payer, payee] = [await openEuroPerson(tpp, opening), await openEuroPerson(tpp, opening)];
    const closed = { json: { status: 'closed' } };
    expect((await tpp.call('PATCH', `/sandbox/accounts/${payee.iban}`, await token(), closed)).status).toBe(
      200,
    );
    expect((await ended(await signed(payer, payee.iban))).status).toMatchObject({
      transactionStatus: 'RJCT',
      reasonCode: 'AG01',
    });
  });

  it.each([
    ['instant-offline', 'AB08'],
    ['instant-closed', 'AC04'],
    ['instant-rejected', 'MS03'],
    ['instant-limit', 'AM14'],
  ])('has the outcome that the TPP simulates: %s (contract E8.4)', async (outcome, reasonCode) => {
    const psu = await openEuroPerson(tpp, opening);
    const simulated = await post(tpp, '/sandbox/simulate', { psuId: psu.psuId, outcome });
    expect(simulated.status).toBeLessThan(300);
    expect((await ended(await signed(psu, atOnce))).status).toMatchObject({
      transactionStatus: 'RJCT',
      reasonCode,
    });
    expect((await ended(await signed(psu, atOnce))).status).toMatchObject({ transactionStatus: 'ACSC' });
  });
});

describe('the time of an instant payment (contract E3.6)', () => {
  it('does not allow a cancellation after the signature', async () => {
    const psu = await openEuroPerson(tpp, opening);
    const payment = await signed(psu, 'BG03XSBV92001000000202');
    const answer = await tpp.call('DELETE', payment.path, await token());
    expect([answer.status, listCodes(answer)]).toEqual([405, ['CANCELLATION_INVALID']]);
    expect((await ended(payment)).status).toMatchObject({ transactionStatus: 'RJCT', reasonCode: 'AB05' });
  });

  it('may be a later day: cancelled before it, or executed on it, and rejected with AC06 if the account is blocked meanwhile', async () => {
    const requestedExecutionDate = dayFrom(await sandboxNow(world), 2);
    const psu = await openEuroPerson(tpp, opening);
    const blocked = await openEuroPerson(tpp, opening);
    const later = { requestedExecutionDate };
    const cancelled = await signed(psu, atOnce, later);
    const executed = await signed(psu, atOnce, later);
    const rejected = await signed(blocked, atOnce, later);
    expect((await tpp.call('DELETE', cancelled.path, await token())).status).toBe(204);
    expect(await statusOf(executed)).toEqual({ transactionStatus: 'ACCP' });
    const block = { json: { status: 'blocked' } };
    await tpp.call('PATCH', `/sandbox/accounts/${blocked.iban}`, await token(), block);
    await post(tpp, '/sandbox/clock', { advance: 'P2D' });
    expect(await until(async () => statusOf(executed), isFinal)).toMatchObject({ transactionStatus: 'ACSC' });
    expect(await until(async () => statusOf(rejected), isFinal)).toMatchObject({
      transactionStatus: 'RJCT',
      reasonCode: 'AC06',
    });
    expect(await statusOf(cancelled)).toEqual({ transactionStatus: 'CANC' });
  });

  it('can be brought forward in the sandbox, also to a silent bank', async () => {
    const requestedExecutionDate = dayFrom(await sandboxNow(world), 2);
    const psu = await openEuroPerson(tpp, opening);
    for (const payee of [atOnce, 'BG03XSBV92001000000202']) {
      const payment = await signed(psu, payee, { requestedExecutionDate });
      const answer = await post(tpp, `/sandbox/payments/${payment.paymentId}/settle`, undefined);
      expect(answer.status).toBe(204);
      expect((await statusOf(payment))['transactionStatus']).toBe(payee === atOnce ? 'ACSC' : 'ACSP');
    }
  });
});

describe('the push of an instant payment (contract E3.4)', () => {
  it('has the reason code with RJCT, and nothing new otherwise', async () => {
    const receiver = await HttpReceiver.start();
    try {
      const redirectUri = `${receiver.url}/callback`;
      const json = { name: 'Notified', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
      const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
        await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
      );
      const notified = new TppClient(world.baseUrl, { clientId, clientSecret, redirectUri });
      const psu = await openEuroPerson(tpp, opening);
      const headers = {
        'tpp-notification-uri': `${receiver.url}/push`,
        'tpp-notification-content-preferred': 'status=PROCESS',
      };
      const answer = await post(notified, path, bodyTo(psu.iban, 'BG73XSBV92001000000203'), headers);
      await sign(parseInitiated(answer, path), psu);
      const posts = await receiver.received(3);
      const bodies = posts.map(({ body }) => parse(body));
      const seen = bodies.map(({ transactionStatus, reasonCode }) => [transactionStatus, reasonCode]);
      expect(seen).toEqual([
        ['ACCP', undefined],
        ['ACSP', undefined],
        ['RJCT', 'AC04'],
      ]);
    } finally {
      await receiver.stop();
    }
  });
});
