// Lane: long (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';
import { euroBody, openEuroPerson } from '../euro/euro-world.js';
import { StaffBrowser } from './staff-browser.js';

const product = 'domestic-budget-transfer-EUR';

let world: World;
beforeAll(async () => {
  world = await World.around({ profile: 'bg-euro', console: {} });
}, 90_000);
afterAll(async () => world.stop());

describe('why a call of a bank in euro was refused (docs/how-to/operate-the-console.md)', () => {
  it('is explained by a request in euro', async () => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const { iban } = await openEuroPerson(tpp);
    const requestId = randomUUID();
    const wrong = { instructedAmount: { currency: 'EUR', amount: '1,5' } };
    const { status } = await tpp.call('POST', `/v1/payments/${product}`, token, {
      json: euroBody(product, iban, wrong),
      headers: { 'x-request-id': requestId },
    });
    expect(status).toBe(400);
    const staff = new StaffBrowser(world.sandbox.consoleUrl ?? '');
    await staff.signIn('viewer');
    const page = await until(
      async () => {
        // A TPP's list of its calls makes the gateway report them.
        await tpp.call('GET', '/sandbox/requests', token);
        const answer = await staff.send(`/calls/${requestId}`);
        return { status: answer.status, text: await answer.text() };
      },
      (answer) => answer.status === 200,
    );
    const request = /<pre[^>]*>(.*?)<\/pre>/s.exec(page.text)?.[1];
    expect(request).toContain('POST /v1/payments/SEPA-Credit-Transfer');
    expect(request).toContain('&quot;currency&quot;: &quot;EUR&quot;');
    expect(request).not.toMatch(/BGN|NURG/);
  });
});
