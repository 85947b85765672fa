import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { parseJson, send } from '@xs2a/tpp-client/http';
import type { Page, PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  awayFromMidnight,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  periodicPath,
  periodicPayment,
  readStatus,
  sandboxNow,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let receiver: HttpReceiver;
let tpp: TppClient;
let token: string;

beforeAll(async () => {
  world = await World.ofLane();
  receiver = await HttpReceiver.start();
  const redirectUri = `${receiver.url}/callback`;
  const json = { name: 'Notified', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
  const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
    await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
  );
  tpp = new TppClient(world.baseUrl, { clientId, clientSecret, redirectUri });
});
beforeEach(async () => {
  await awayFromMidnight(world);
  token = await tpp.applicationToken();
});
afterAll(async () => {
  await receiver.stop();
  await world.stop();
});

const signed = async (psu: FreshPsu, headers: Record<string, string> = {}): Promise<Initiated> => {
  const start = dayFrom(await sandboxNow(world), 0);
  const body = periodicPayment(psu.accounts[0]?.iban ?? '', start, { frequency: 'Daily' });
  const order = await initiate(tpp, token, body, headers, periodicPath);
  await walkAndApprove(world.browser(), order.scaRedirect, psu);
  return order;
};
const statusOf = async ({ path }: Initiated): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];
/** Signs in to the PSU's own page. */
const ownPage = async (psu: FreshPsu): Promise<readonly [PsuBrowser, Page]> => {
  const browser = world.browser();
  const signIn = await browser.open(`${world.baseUrl}/sca/payments`);
  return [browser, await browser.submit(signIn, { psuId: psu.psuId, password: psu.password })];
};
const notified = async (status: string): Promise<unknown> => {
  for (;;) {
    const found = receiver.posts
      .map(({ body }) => parse(body))
      .find((one) => one['transactionStatus'] === status);
    if (found !== undefined) return found;
    await receiver.received(receiver.posts.length + 1);
  }
};
const parse = (body: string): Record<string, unknown> => ({ ...Object(JSON.parse(body)) });

describe('a PSU stops a standing order at the bank (contract 12, amendment 12)', () => {
  it('with decision=stop: it is CANC, the TPP is notified, and no occurrence follows', async () => {
    const psu = await world.person('1000.00');
    const order = await signed(psu, { 'tpp-notification-uri': `${receiver.url}/push` });
    const [browser, page] = await ownPage(psu);
    const after = await browser.submit(page, { paymentId: order.paymentId }, 'stop');
    expect(after.text).toMatch(/stopped by you|спряно от Вас/);
    expect(await statusOf(order)).toBe('CANC');
    expect(await notified('CANC')).toMatchObject({ paymentId: order.paymentId });
    await world.advance('P3D');
    token = await tpp.applicationToken();
    const { occurrences = [] } = parseJson<{ occurrences?: { transactionStatus: string }[] }>(
      await tpp.call('GET', order.path, token),
    );
    expect(occurrences.filter(({ transactionStatus }) => transactionStatus !== 'CANC')).toEqual([]);
    // The form that is sent again changes nothing.
    await browser.submit(page, { paymentId: order.paymentId }, 'stop');
    expect(await statusOf(order)).toBe('CANC');
  });

  it('only the PSU who signed it, and only an order', async () => {
    const [psu, other] = [await world.person('1000.00'), await world.person('1000.00')];
    const [order, theirs] = [await signed(psu), await signed(other)];
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? '', '1.00'));
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    const [browser, page] = await ownPage(psu);
    for (const paymentId of [theirs.paymentId, payment.paymentId, crypto.randomUUID(), 'x']) {
      const { text } = await browser.submit(page, { paymentId }, 'stop');
      expect(text).toMatch(/could not be stopped|не можа да бъде спряно/);
    }
    expect([await statusOf(order), await statusOf(theirs), await statusOf(payment)]).toEqual([
      'ACCP',
      'ACCP',
      'ACCP',
    ]);
  });

  it('not without a sign-in', async () => {
    const psu = await world.person('1000.00');
    const order = await signed(psu);
    const form = new URLSearchParams({
      paymentId: order.paymentId,
      decision: 'stop',
      csrf: 'x',
      step: 'list',
    });
    expect((await send('POST', `${world.baseUrl}/sca/payments`, { form })).status).toBe(403);
    expect(await statusOf(order)).toBe('ACCP');
  });
});
