import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Call } from '@xs2a/contracts/call';
import { listPsuConsents } from '@xs2a/contracts/consents.contract';
import { listSignedPayments, stopOrder } from '@xs2a/contracts/payments.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { readAnchors } from '@xs2a/qwac/trust-anchors';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { FundsGrants } from '../oauth/grants/funds-grants.js';
import { newRevocations } from '../testing/auth-world.js';
import { FlowBrowser } from '../testing/flow-browser.js';
import { type FlowWorld, startFlowWorld } from '../testing/flow-world.js';
import { TppRegistry } from '../tpp/tpp-registry.js';
import { PsuPages } from './psu-pages.js';

let world: FlowWorld;
let pages: PsuPages;
/** The replies of the other services by subject; a service without one is frozen: it receives calls, and is silent. */
let replies: Record<string, unknown> = {};

const subjects = [listPsuConsents, listSignedPayments, stopOrder].map(({ subject }) => subject);
const answers = <Request, Answer>({ subject }: Call<Request, Answer>, answer: Answer): void => {
  replies = { ...replies, [subject]: { ok: answer } };
};

beforeAll(async () => {
  world = await startFlowWorld();
  const { pool, nats, clock, logger, signIn, sessions, failures, callClient } = world;
  for (const subject of subjects)
    nats.subscribe(subject, {
      callback: (_error, message) => {
        const reply = replies[subject];
        if (reply !== undefined) message.respond(JSON.stringify(reply));
      },
    });
  const anchors = readAnchors(newSandboxAuthority(clock.nowMs()).certificate);
  const admission = { isBank: false, clock, anchors };
  const registry = new TppRegistry(pool, nats, clock, logger, admission, { HASH_KEYS: testHashKeys });
  const grants = new FundsGrants(pool, clock, newRevocations(world));
  const profile = makeProfile('sandbox');
  pages = new PsuPages(signIn, sessions, failures, grants, registry, callClient, profile);
}, 60_000);
beforeEach(() => {
  replies = {};
});
afterAll(async () => world.stop());

const open = async (): Promise<never> => {
  throw new Error('the PSU’s own page belongs to no request');
};
const newBrowser = (): FlowBrowser => new FlowBrowser(pages, 'own', open);
const signedIn = async (): Promise<FlowBrowser> => {
  const browser = newBrowser();
  await browser.look();
  await browser.send(browser.form({ decision: '', psuId: newId(), password: 'right' }));
  return browser;
};
const unavailable = 'The service cannot answer at this moment.';
const section = ({ text }: FlowBrowser, id: string): string =>
  new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(text)?.[1] ?? '';

describe('the PSU’s own page (contract 12)', () => {
  it('shows the payments while the consents service does not answer', async () => {
    answers(listSignedPayments, { payments: [] });
    const browser = await signedIn();
    await browser.look();
    expect(section(browser, 'apps')).toContain(unavailable);
    expect(section(browser, 'apps')).not.toContain('No app can read your accounts.');
    expect(section(browser, 'orders')).toContain('You have approved no standing order.');
    expect(section(browser, 'payments')).toContain('You have approved no payment.');
  });

  it('shows the apps while the payments service does not answer', async () => {
    answers(listPsuConsents, { consents: [] });
    const browser = await signedIn();
    await browser.look();
    expect(section(browser, 'apps')).toContain('No app can read your accounts.');
    for (const id of ['orders', 'payments']) expect(section(browser, id)).toContain(unavailable);
  });

  it('fails if no service answers', async () => {
    const browser = await signedIn();
    await expect(browser.look()).rejects.toThrow(CallFailed);
  });

  it('does not count a form without a password as an attempt, and keeps the name', async () => {
    answers(listPsuConsents, { consents: [] });
    answers(listSignedPayments, { payments: [] });
    const [browser, psuId] = [newBrowser(), newId()];
    await browser.look();
    for (let sent = 0; sent < 5; sent += 1) {
      await browser.send(browser.form({ decision: '', psuId, password: '' }));
      expect(await browser.look()).toBe('sign-in');
      expect(browser.notice).toContain('Enter your user name and your password.');
      expect(browser.text).toContain(`value="${psuId}"`);
    }
    await browser.send(browser.form({ decision: '', psuId, password: 'right' }));
    expect(await browser.look()).toBe('list');
  });

  it('shows the PSU that the access did not end if the client id in the form contains NUL', async () => {
    answers(listPsuConsents, { consents: [] });
    answers(listSignedPayments, { payments: [] });
    const browser = await signedIn();
    await browser.look();
    await browser.send(browser.form({ decision: 'withdraw', fundsOf: '\0' }));
    await browser.look();
    expect(browser.notice).toContain('This access could not be ended.');
  });

  it('says that an order could not be stopped only if the payments service refused', async () => {
    answers(listPsuConsents, { consents: [] });
    answers(listSignedPayments, { payments: [] });
    const browser = await signedIn();
    await browser.look();
    const stop = (): Record<string, string> => browser.form({ decision: 'stop', paymentId: newId() });
    replies = { ...replies, [stopOrder.subject]: { failures: [{ failure: 'resourceUnknown' }] } };
    await browser.send(stop());
    await browser.look();
    expect(browser.notice).toContain('could not be stopped');
    replies = { ...replies, [stopOrder.subject]: 'not a reply' };
    await expect(browser.send(stop())).rejects.not.toThrow(CallFailed);
    answers(stopOrder, {});
    await browser.send(stop());
    await browser.look();
    expect(browser.notice).toContain('Only a payment that had already begun is still made.');
  });
});
