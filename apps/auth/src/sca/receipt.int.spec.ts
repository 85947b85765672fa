import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { FlowBrowser, payment } from '../testing/flow-browser.js';
import { type FlowWorld, startFlowWorld } from '../testing/flow-world.js';
import type { AuthorisationRequest, Closed } from './requests/authorisation-request.js';
import type { InstantEnd } from './requests/instant-end.js';
import { sandboxCodes } from './sign-in/otp-codes.js';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
}, 60_000);
afterAll(async () => world.stop());

const secrets = ['BG18RZBB91550123456789', 'Payee Ltd', '1,250.00'];

/**
 * Opens the link of a payment of the PSU `owner`. Once it has been decided, the link is used up, and its receipt is
 * there for everyone whom the payments service has recorded, a refused PSU included.
 */
const linkOf = (owner: string, nok?: string): FlowBrowser => {
  const { id, authorisation } = payment();
  const used: Closed = {
    closed: 'used',
    receipt: () => secrets.map((value) => ({ label: 'Row', value })),
  };
  let found: AuthorisationRequest | Closed = {
    ...authorisation,
    identify: async (psuId) => {
      if (psuId === owner) return undefined;
      found = used;
      return { kind: 'failed', reason: 'not-the-named-psu' };
    },
    approve: async () => {
      found = used;
      return { kind: 'authorised' };
    },
    leave: async () => nok,
  };
  return new FlowBrowser(world.newFlow(sandboxCodes), id, async () => found);
};

describe('the receipt on the result page (contract 12)', () => {
  it.each([undefined, 'https://tpp.example/nok'])(
    'is never shown to a PSU who may not approve the request (TPP redirect: %s)',
    async (nok) => {
      const stranger = linkOf(newId(), nok);
      await stranger.look();
      const { redirect } = (await stranger.send(stranger.form({ psuId: newId(), password: 'right' }))) as {
        redirect?: string;
      };
      expect(redirect).toBe(nok ?? stranger.path);
      for (const time of ['the result', 'again after Back or a reload']) {
        const shown = await stranger.look();
        expect([time, secrets.filter((secret) => shown.includes(secret))]).toEqual([time, []]);
        expect(shown).toContain('<h1');
      }
    },
  );

  it('is shown to the PSU who signed', async () => {
    const owner = newId();
    const browser = linkOf(owner);
    expect(await browser.signIn(owner)).toBe('review');
    await browser.send(browser.form({}));
    await browser.look();
    await browser.send(browser.form({ otp: '123456' }));
    const shown = await browser.look();
    expect(secrets.filter((secret) => !shown.includes(secret))).toEqual([]);
  });
});

/** Signs an instant payment whose end the payments service reports as `end` has it. */
const signInstant = async (end: { now: InstantEnd }, redirect?: string): Promise<FlowBrowser> => {
  const { id, authorisation } = payment();
  const ended = (): Closed => ({ closed: 'used', instantEnd: end.now });
  let isSigned = false;
  const signed = {
    ...authorisation,
    approve: async () => {
      isSigned = true;
      return { kind: 'authorised' } as const;
    },
    leave: async () => redirect,
  };
  const browser = new FlowBrowser(world.newFlow(sandboxCodes), id, async () => (isSigned ? ended() : signed));
  await browser.signIn();
  await browser.send(browser.form({}));
  await browser.look();
  await browser.send(browser.form({ otp: '123456' }));
  return browser;
};

describe('the result page of an instant payment (contract 12)', () => {
  it('renews itself every two seconds until the end is known', async () => {
    const end: { now: InstantEnd } = { now: { kind: 'under-way' } };
    const browser = await signInstant(end);
    expect(await browser.look()).toContain('This page renews itself');
    expect(browser.renewAfter).toBe(2);
    end.now = { kind: 'settled' };
    expect(await browser.look()).toContain('The payee has the money.');
    expect(browser.renewAfter).toBeUndefined();
  });

  it('says after twenty seconds without an end where the result will be', async () => {
    const browser = await signInstant({ now: { kind: 'under-way' } });
    world.later(20);
    expect(await browser.look()).toContain('The result is not known yet.');
    expect(browser.renewAfter).toBeUndefined();
  });

  it('does not renew itself for a PSU who came back from the TPP', async () => {
    const browser = await signInstant({ now: { kind: 'under-way' } }, 'https://tpp.example/ok');
    expect(await browser.look()).toContain('https://tpp.example/ok');
    expect(browser.renewAfter).toBeUndefined();
  });
});
