// Lane: long (it starts a sandbox of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Tokens } from '@xs2a/tpp-client/tpp-client';
import { runExample, shownExamples } from '@xs2a/test-support/page-examples';
import { dayFrom, sandboxNow, readStatus } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';

interface Payment {
  readonly paymentId: string;
  readonly _links: {
    readonly scaRedirect: { readonly href: string };
    readonly self: { readonly href: string };
  };
}

describe.each([
  { bank: 'in leva', start: async () => World.ofLane() },
  { bank: 'in euro', start: async () => World.inEuro() },
])('docs/how-to/test-your-tpp.md in the portal of a bank $bank', ({ start }) => {
  let world: World;
  beforeAll(async () => {
    world = await start();
  });
  afterAll(async () => world.stop());

  it('contains examples that lead from an empty start to a settled payment, an unfunded payment, an order, a bulk, a signing basket and an empty list', async () => {
    const [
      address = '',
      register = '',
      application = '',
      person = '',
      payment = '',
      clock = '',
      status = '',
      settle = '',
      simulate = '',
      deposit = '',
      fault = '',
      first = '',
      second = '',
      order = '',
      readOrder = '',
      bulk = '',
      basket = '',
      readBasket = '',
      ownRequests = '',
      ownRequest = '',
      ownNotifications = '',
      clear = '',
      ...more
    ] = await shownExamples(`${world.baseUrl}/guides/test-your-tpp`, 'Shell');
    expect([address, more]).toEqual([`export BASE_URL=${world.baseUrl}`, []]);
    const variables: Record<string, string> = {
      BASE_URL: world.baseUrl,
      REDIRECT_URI: 'http://127.0.0.1:8099/callback',
    };
    const answer = async <Body>(example: string): Promise<Body> =>
      JSON.parse(await runExample(example, variables)) as Body;
    const client = await answer<{ clientId: string; clientSecret: string }>(register);
    Object.assign(variables, { CLIENT_ID: client.clientId, CLIENT_SECRET: client.clientSecret });
    variables['TOKEN'] = (await answer<Tokens>(application)).access_token;
    const psu = await answer<FreshPsu>(person);
    Object.assign(variables, { PSU_ID: psu.psuId, IBAN: psu.accounts[0]?.iban ?? '' });
    const byClock = async () => expect(await answer(clock)).toEqual({ now: expect.any(String) });
    const bySettling = async () => expect((await runExample(settle, variables)).trim()).toBe('');
    const paid = async (execute = byClock): Promise<unknown> => {
      const { paymentId, _links } = await answer<Payment>(payment);
      const browser = world.browser();
      await walkAndApprove(browser, _links.scaRedirect.href, psu);
      expect(browser.leftTo).toBe(variables['REDIRECT_URI']);
      variables['PAYMENT_ID'] = paymentId;
      expect(await answer(status)).toEqual({ transactionStatus: 'ACCP' });
      await execute();
      return answer(status);
    };
    expect(await paid()).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });

    expect(await answer(simulate)).toEqual({ psuId: psu.psuId, outcome: 'insufficient-funds', calls: 1 });
    const unfunded = { transactionStatus: 'ACCP', fundsAvailable: false };
    expect(await paid()).toMatchObject(unfunded);
    expect(await answer(deposit)).toEqual({ transactionId: expect.any(String) });
    expect(await answer(status)).toMatchObject(unfunded);
    expect(await paid(bySettling)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    const settled = variables['PAYMENT_ID'] ?? '';
    expect(await answer(fault)).toEqual({
      faults: [{ operation: 'listConsents', outcome: 'unavailable', calls: 1 }],
    });

    variables['COMPANY'] = randomUUID().replaceAll('-', '');
    const signer = await answer<FreshPsu>(first);
    await answer(second);
    variables['IBAN'] = signer.accounts[0]?.iban ?? '';
    const joint = await answer<{
      readonly paymentId: string;
      readonly _links: { readonly startAuthorisation: { readonly href: string } };
    }>(payment);
    const started = await fetch(`${world.baseUrl}${joint._links.startAuthorisation.href}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${variables['TOKEN']}`, 'PSU-ID': signer.psuId },
    });
    const { _links } = (await started.json()) as Pick<Payment, '_links'>;
    await walkAndApprove(world.browser(), _links.scaRedirect.href, signer);
    variables['PAYMENT_ID'] = joint.paymentId;
    expect(await answer(status)).toEqual({ transactionStatus: 'PATC' });
    variables['IBAN'] = psu.accounts[0]?.iban ?? '';

    variables['TODAY'] = dayFrom(await sandboxNow(world), 0);
    const monthly = await answer<Payment>(order);
    await walkAndApprove(world.browser(), monthly._links.scaRedirect.href, psu);
    const partly = await answer<Payment>(bulk);
    await walkAndApprove(world.browser(), partly._links.scaRedirect.href, psu);
    await world.advance('PT1M');
    expect(await readStatus(world.tpp(), variables['TOKEN'], partly._links.self.href)).toMatchObject({
      transactionStatus: 'PART',
    });
    await world.advance('P60D');
    variables['TOKEN'] = (await answer<Tokens>(application)).access_token;
    variables['PAYMENT_ID'] = monthly.paymentId;
    const { occurrences } = await answer<{ occurrences: { transactionStatus: string }[] }>(readOrder);
    expect(occurrences.length).toBeGreaterThanOrEqual(2);
    variables['PAYMENT_ID'] = settled;

    const [one, other] = [await answer<Payment>(payment), await answer<Payment>(payment)];
    Object.assign(variables, { PAYMENT_ID: one.paymentId, OTHER_PAYMENT_ID: other.paymentId });
    const grouped = await answer<Omit<Payment, 'paymentId'> & { readonly basketId: string }>(basket);
    variables['BASKET_ID'] = grouped.basketId;
    await walkAndApprove(world.browser(), grouped._links.scaRedirect.href, psu);
    expect(await answer(readBasket)).toMatchObject({ transactionStatus: 'ACTC' });
    await answer(clock);
    expect(await answer(readBasket)).toMatchObject({
      transactionStatus: 'ACSC',
      items: [{ paymentId: one.paymentId, transactionStatus: 'ACSC' }, { paymentId: other.paymentId }],
    });
    variables['PAYMENT_ID'] = settled;

    const { requests } = await answer<{ requests: readonly { requestId: string }[] }>(ownRequests);
    expect(requests[0]).toMatchObject({ operation: 'readBasket', status: 200 });
    variables['REQUEST_ID'] = requests[0]?.requestId ?? '';
    expect(await answer(ownRequest)).toMatchObject({ requests: [requests[0]] });

    expect(await answer(ownNotifications)).toMatchObject({ notifications: [] });

    expect((await runExample(clear, variables)).trim()).toBe('');
    expect(await answer(status)).toMatchObject({ tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] });
  }, 120_000);
});
