import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { newId } from '@xs2a/runtime/ids';
import { FlowBrowser, payment } from '../testing/flow-browser.js';
import { type FlowWorld, startFlowWorld } from '../testing/flow-world.js';
import { type OtpCodes, sandboxCodes } from './sign-in/otp-codes.js';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
}, 60_000);
afterAll(async () => world.stop());

let isBankDown = false;
const sentCodes: OtpCodes = {
  areSent: true,
  next: () => '048213',
  deliver: async () => {
    if (isBankDown) throw dependencyDown();
    return '+359 ••• ••• 42';
  },
};

/** A browser that shows the page for the code. */
const atCode = async (codes: OtpCodes): Promise<FlowBrowser> => {
  const { id, authorisation } = payment();
  const browser = new FlowBrowser(world.newFlow(codes), id, async () => authorisation);
  await browser.signIn(newId());
  await browser.send(browser.form({}));
  expect(await browser.look()).toBe('code');
  return browser;
};
const resend = async (browser: FlowBrowser): Promise<string> => {
  await browser.send(browser.form({ decision: 'resend' }));
  expect(await browser.look()).toBe('code');
  return browser.notice;
};

describe('the page for the code (contract 12)', () => {
  it('says that a new code was sent only if codes are sent', async () => {
    const [sandbox, bank] = [await atCode(sandboxCodes), await atCode(sentCodes)];
    for (const browser of [sandbox, bank])
      expect(await resend(browser)).toContain('Wait 30 seconds before you ask for a new code.');
    world.later(30);
    expect(await resend(sandbox)).toContain('A bank would have sent a new code now.');
    expect(await resend(bank)).toContain('We sent you a new code.');
  });

  it('says that a code was sent, also in a session that does not contain the time', async () => {
    const browser = await atCode(sentCodes);
    expect(browser.text).toMatch(/42 at \d\d:\d\d\. It approves/);
    await world.pool.query(`UPDATE page_session SET state = state - 'sentAt'`);
    expect(await browser.look()).toBe('code');
    expect(browser.text).toContain('We sent a 6-digit code to +359 ••• ••• 42. It approves');
  });

  it('takes the code before if the new one could not be delivered', async () => {
    const browser = await atCode(sentCodes);
    world.later(30);
    isBankDown = true;
    await expect(browser.send(browser.form({ decision: 'resend' }))).rejects.toThrow('dependencyDown');
    isBankDown = false;
    expect(await browser.look()).toBe('code');
    await browser.send(browser.form({ otp: '048213' }));
    expect(await browser.look()).toContain('You approved the payment');
  });

  it('asks for the code that was sent if two instances receive the same request', async () => {
    const { id, authorisation } = payment();
    const [delivering, received] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let sent = 0;
    const slowCodes: OtpCodes = {
      ...sentCodes,
      next: () => String(100_000 + sent),
      deliver: async () => {
        sent += 1;
        if (sent < 2) return undefined;
        delivering.resolve();
        await received.promise;
        return undefined;
      },
    };
    const newBrowser = (): FlowBrowser =>
      new FlowBrowser(world.newFlow(slowCodes), id, async () => authorisation);
    const [browser, twin] = [newBrowser(), newBrowser()];
    await browser.signIn(newId());
    await browser.send(browser.form({}));
    expect(await browser.look()).toBe('code');
    twin.cookie = browser.cookie;
    world.later(30);
    const form = browser.form({ decision: 'resend' });
    const first = browser.send(form);
    await delivering.promise;
    expect(await twin.send(form)).toEqual({ redirect: browser.path });
    received.resolve();
    await first;
    expect(await twin.look()).toBe('code');
    expect(twin.notice).toContain('We sent you a new code.');
    expect(sent).toBe(2);
    await twin.send(twin.form({ otp: '100001' }));
    expect(await twin.look()).toContain('You approved the payment');
  });
});
