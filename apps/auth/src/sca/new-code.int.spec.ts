import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { newId } from '@xs2a/runtime/ids';
import { randomInt } from 'node:crypto';
import { FlowBrowser, payment } from '../testing/flow-browser.js';
import { type FlowWorld, startFlowWorld } from '../testing/flow-world.js';
import type { AuthorisationRequest } from './requests/authorisation-request.js';
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
/** A bank that delivers each code at once, except for the one after `hold`. */
const slowBank = () => {
  const sent: string[] = [];
  let holding: { begin: () => void; readonly end: Promise<void> } | undefined;
  const codes: OtpCodes = {
    ...sentCodes,
    next: () => String(randomInt(100_000, 1_000_000)),
    deliver: async ({ code }) => {
      sent.push(code);
      const held = holding;
      holding = undefined;
      held?.begin();
      await held?.end;
      return undefined;
    },
  };
  const hold = () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    holding = { begin: begun.resolve, end: ended.promise };
    return { begun: begun.promise, end: ended.resolve };
  };
  return { codes, sent, hold };
};

/** One browser at the review, whose requests reach two instances. */
const twins = async (codes: OtpCodes): Promise<[FlowBrowser, FlowBrowser]> => {
  const { id, authorisation } = payment();
  const newBrowser = (): FlowBrowser => new FlowBrowser(world.newFlow(codes), id, async () => authorisation);
  const [browser, twin] = [newBrowser(), newBrowser()];
  expect(await browser.signIn(newId())).toBe('review');
  twin.cookie = browser.cookie;
  return [browser, twin];
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

  it.each([2, 5])(
    'asks for the code that was sent if two instances receive the same request, for code %i of 5',
    async (number) => {
      const bank = slowBank();
      const [browser, twin] = await twins(bank.codes);
      await browser.send(browser.form({}));
      expect(await browser.look()).toBe('code');
      for (let sent = 2; sent < number; sent += 1) {
        world.later(30);
        expect(await resend(browser)).toContain('We sent you a new code.');
      }
      world.later(30);
      const form = browser.form({ decision: 'resend' });
      const delivery = bank.hold();
      const first = browser.send(form);
      await delivery.begun;
      expect(await twin.send(form)).toEqual({ redirect: browser.path });
      delivery.end();
      await first;
      expect(await twin.look()).toBe('code');
      expect(twin.notice).toContain('We sent you a new code.');
      expect(bank.sent).toHaveLength(number);
      await twin.send(twin.form({ otp: bank.sent.at(-1) ?? '' }));
      expect(await twin.look()).toContain('You approved the payment');
    },
  );

  it('asks for the code that was sent if the language changes during the delivery', async () => {
    const bank = slowBank();
    const [browser, twin] = await twins(bank.codes);
    await browser.send(browser.form({}));
    await browser.look();
    world.later(30);
    const delivery = bank.hold();
    const first = browser.send(browser.form({ decision: 'resend' }));
    await delivery.begun;
    expect(await twin.look('bg')).toBe('code');
    delivery.end();
    await first;
    expect(await browser.look()).toBe('code');
    expect(browser.notice).toContain('Изпратихме Ви нов код.');
    await browser.send(browser.form({ otp: bank.sent.at(-1) ?? '' }));
    expect(await browser.look()).toContain('Одобрихте плащането');
  });

  it('sends another code, which signs, although the process that sent one ended during the delivery', async () => {
    const bank = slowBank();
    const [browser, twin] = await twins(bank.codes);
    await browser.send(browser.form({}));
    await browser.look();
    world.later(30);
    const delivery = bank.hold();
    const lost = browser.send(browser.form({ decision: 'resend' }));
    await delivery.begun;
    expect(await twin.look()).toBe('code');
    expect(await resend(twin)).toContain('Wait 30 seconds before you ask for a new code.');
    world.later(30);
    expect(await resend(twin)).toContain('We sent you a new code.');
    await twin.send(twin.form({ otp: bank.sent.at(-1) ?? '' }));
    delivery.end();
    await lost;
    expect(await twin.look()).toContain('You approved the payment');
  });

  it('is shown with one code if two instances receive the same approval', async () => {
    const bank = slowBank();
    const [browser, twin] = await twins(bank.codes);
    const form = browser.form({});
    const delivery = bank.hold();
    const both = Promise.all([browser.send(form), twin.send(form)]);
    await delivery.begun;
    delivery.end();
    await both;
    expect(bank.sent).toHaveLength(1);
    expect([await browser.look(), browser.notice]).toEqual(['code', '']);
    await browser.send(browser.form({ otp: bank.sent[0] ?? '' }));
    expect(await browser.look()).toContain('You approved the payment');
  });

  it('is not shown if the first code could not be delivered: the same form sends one', async () => {
    const bank = slowBank();
    const [browser] = await twins({
      ...bank.codes,
      deliver: async (message) => (isBankDown ? sentCodes : bank.codes).deliver(message),
    });
    const form = browser.form({});
    isBankDown = true;
    await expect(browser.send(form)).rejects.toThrow('dependencyDown');
    isBankDown = false;
    expect(await browser.look()).toBe('review');
    await browser.send(form);
    expect(await browser.look()).toBe('code');
    expect(bank.sent).toHaveLength(1);
  });
});

describe('a PSU who waits for the code when the bank begins to verify payees (contract 15)', () => {
  it.each<Readonly<Record<string, string>>>([{ otp: '123456' }, { decision: 'resend' }])(
    'returns to the review with %j, and signs once the warning is read',
    async (form) => {
      let signatures = 0;
      const { id, authorisation } = payment({}, async () => {
        signatures += 1;
        return { kind: 'authorised' };
      });
      let payees: Pick<AuthorisationRequest, 'verifyPayees' | 'hasPayeeWarning'> = {};
      const open = async (): Promise<AuthorisationRequest> => ({ ...authorisation, ...payees });
      const browser = new FlowBrowser(world.newFlow(sandboxCodes), id, open);
      await browser.signIn(newId());
      await browser.send(browser.form({}));
      expect(await browser.look()).toBe('code');
      const warn = async (): Promise<void> => {
        payees = { hasPayeeWarning: true };
      };
      payees = { verifyPayees: warn };
      await browser.send(browser.form(form));
      expect(await browser.look()).toBe('review');
      await browser.send(browser.form({}));
      expect(await browser.look()).toBe('review');
      expect(signatures).toBe(0);
      await browser.send(browser.form({ payeeWarningRead: 'yes' }));
      expect(await browser.look()).toBe('code');
      await browser.send(browser.form({ otp: '123456' }));
      await browser.look();
      expect(signatures).toBe(1);
    },
  );

  it('cannot sign from a code page that was opened before the warning', async () => {
    const { id, authorisation } = payment();
    let hasPayeeWarning = false;
    const open = async (): Promise<AuthorisationRequest> => ({ ...authorisation, hasPayeeWarning });
    const browser = new FlowBrowser(world.newFlow(sandboxCodes), id, open);
    await browser.signIn(newId());
    await browser.send(browser.form({}));
    expect(await browser.look()).toBe('code');
    const form = browser.form({ otp: '123456' });
    hasPayeeWarning = true;
    await browser.send(form);
    expect(await browser.look()).toBe('review');
  });

  it('finds the result in full on the review, and not in brief on the code page, when reloading it (E4.2, E4.3)', async () => {
    const { id, authorisation } = payment();
    let payees: Pick<AuthorisationRequest, 'verifyPayees'> = {};
    const open = async (): Promise<AuthorisationRequest> => ({ ...authorisation, ...payees });
    const browser = new FlowBrowser(world.newFlow(sandboxCodes), id, open);
    await browser.signIn(newId());
    await browser.send(browser.form({}));
    expect(await browser.look()).toBe('code');
    payees = {
      verifyPayees: async () => {
        payees = {};
      },
    };
    await browser.look();
    expect(await browser.look()).toBe('review');
    await browser.send(browser.form({}));
    expect(await browser.look()).toBe('code');
  });
});
