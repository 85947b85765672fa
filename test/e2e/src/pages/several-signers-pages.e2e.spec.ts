// Lane: long, first (a browser walks through pages that npm test opens once).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import type { Browser, Page } from 'playwright-core';
import { look as lookAt, submit } from './page-visitor.js';
import { domesticPayment, initiate, readStatus } from '@xs2a/test-support/requests';
import { approveAtBank, keepGallery, launchBrowser, press, signIn, visitor, widths } from './screens.js';
import { type ForSeveral, initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { type FreshCorporate, World } from '@xs2a/test-support/world';

let world: World;
let browser: Browser;
let tpp: TppClient;
let corporate: FreshCorporate;
let first: FreshPsu;
let second: FreshPsu;

beforeAll(async () => {
  world = await World.ofLane();
  browser = await launchBrowser();
  tpp = world.tpp();
}, 60_000);
beforeEach(async () => {
  corporate = await world.corporate(2, 2);
  const [one, two] = corporate.signers;
  if (one === undefined || two === undefined) throw new Error('two signers');
  [first, second] = [one, two];
});
afterAll(async () => {
  await browser.close();
  await world.stop();
  keepGallery();
});

const ended = async (page: Page): Promise<unknown> => page.waitForFunction('!document.querySelector("form")');
const readTransactionStatus = async (path: string): Promise<unknown> =>
  (await readStatus(tpp, await tpp.applicationToken(), path))['transactionStatus'];

/** Prepares a payment with one link for each of two signers, and a second link for the first signer. */
const prepared = async (
  headers?: Readonly<Record<string, string>>,
): Promise<ForSeveral & { readonly links: readonly [string, string, string] }> => {
  const token = await tpp.applicationToken();
  const payment = await initiateForSeveral(tpp, token, corporate.iban, headers);
  const startAndLink = async (psu: FreshPsu) => (await startFor(tpp, token, payment, psu)).scaRedirect;
  return {
    ...payment,
    links: [await startAndLink(first), await startAndLink(second), await startAndLink(first)],
  };
};

const words = {
  bg: {
    partly: 'Трябва да подпише още един човек',
    waiting: 'Остава да подпишат и другите',
    before: 'Вече сте подписали това плащане',
    signIn: 'Някой вече е влязъл',
    refused: 'Вие отказахте',
    states: ['чака още подписи', 'отказано от друг подписващ', 'отменено от приложението'],
  },
  en: {
    partly: 'One more person must sign',
    waiting: 'The other signers still have to sign',
    before: 'You have already signed this payment',
    signIn: 'Somebody has already signed in',
    refused: 'Not paid: you refused',
    states: ['waiting for further signatures', 'refused by another signer', 'cancelled by the app'],
  },
} as const;

describe.each(['bg', 'en'] as const)('pages for several signers, in %s (contract 10, 12)', (language) => {
  const text = words[language];

  it('show each step: the first signature, the wait, the second signature, a refusal and the list', async () => {
    const payment = await prepared();
    const { context, page, look } = await visitor(browser, language, ...widths);
    await page.goto(payment.links[0]);
    await approveAtBank(page, first);
    await ended(page);
    expect(await page.textContent('main')).toContain(text.partly);
    await look('several-1-first-signed');
    await context.clearCookies();
    expect((await page.goto(payment.links[0]))?.status()).toBe(410);
    expect(await page.textContent('main')).toContain(text.waiting);
    await look('several-2-waiting');
    await page.goto(payment.links[2]);
    await signIn(page, first);
    await ended(page);
    expect(await page.textContent('main')).toContain(text.before);
    await look('several-3-signed-before');
    expect(await readTransactionStatus(payment.path)).toBe('PATC');

    await page.goto(payment.links[1]);
    await press(page, 'refuse');
    expect(await page.textContent('[role=alert]')).toContain(text.signIn);
    await look('several-4-sign-in-to-refuse');
    expect(await readTransactionStatus(payment.path)).toBe('PATC');
    await signIn(page, second);
    await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
    await look('several-5-second-review');
    await press(page, 'refuse');
    await ended(page);
    expect(await page.textContent('main')).toContain(text.refused);
    await look('several-7-refused');
    expect(await readTransactionStatus(payment.path)).toBe('RJCT');

    const [waiting, cancelled, both] = [await prepared(), await prepared(), await prepared()];
    for (const { links } of [waiting, cancelled, both]) {
      await page.goto(links[0]);
      await approveAtBank(page, first);
      await ended(page);
    }
    await tpp.call('DELETE', cancelled.path, await tpp.applicationToken());
    await page.goto(both.links[1]);
    await approveAtBank(page, second);
    await ended(page);
    await look('several-6-both-signed');
    await page.goto(`${world.baseUrl}/sca/payments`);
    await signIn(page, first);
    await page.waitForSelector('.entries');
    const list = await page.textContent('main');
    for (const state of text.states) expect(list).toContain(state);
    await look('several-8-list');
    await context.close();
  });
});

describe('a user with only a link (contract 8, 10, 12)', () => {
  const declineUnknown = async (url: string, decision: 'refuse' | 'cancel') => {
    const page = await lookAt(url);
    const sent = await submit(url, page.cookie, { csrf: page.csrf, step: page.step, decision });
    return { sent, after: await lookAt(url, page.cookie) };
  };

  it.each(['refuse', 'cancel'] as const)('may %s before anyone has signed in', async (decision) => {
    const psu = await world.person();
    const payment = await initiate(
      tpp,
      await tpp.applicationToken(),
      domesticPayment(psu.accounts[0]?.iban ?? ''),
    );
    await declineUnknown(payment.scaRedirect, decision);
    expect(await readTransactionStatus(payment.path)).toBe('RJCT');
  });

  it.each(['refuse', 'cancel'] as const)(
    'may not %s once a PSU has been accepted; only that PSU may',
    async (decision) => {
      const psu = await world.person();
      const token = await tpp.applicationToken();
      const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
      const other = (await startFor(tpp, token, { startPath: `${payment.path}/authorisations` }, psu))
        .scaRedirect;
      const signedIn = await lookAt(payment.scaRedirect);
      const { psuId, password } = psu;
      const form = { csrf: signedIn.csrf, step: 'sign-in', psuId, password, decision: 'approve' };
      await submit(payment.scaRedirect, signedIn.cookie, form);
      expect(await readTransactionStatus(payment.path)).toBe('ACCP');
      for (const url of [payment.scaRedirect, other]) {
        const { after } = await declineUnknown(url, decision);
        expect([after.step, after.text.includes('Somebody has already signed in')]).toEqual([
          'sign-in',
          true,
        ]);
        expect(await readTransactionStatus(payment.path)).toBe('ACCP');
      }
      const again = await lookAt(other);
      const entered = await submit(other, again.cookie, { ...form, csrf: again.csrf });
      const review = await lookAt(other, entered.cookie);
      expect(review.step).toBe('review');
      await submit(other, review.cookie, { csrf: review.csrf, step: 'review', decision });
      expect(await readTransactionStatus(payment.path)).toBe('RJCT');
    },
  );

  it('reads that Cancel leads back to the TPP only if it does: with a Nok address', async () => {
    const psu = await world.person();
    const [ok, nok] = ['http://127.0.0.1:8090/callback?ok', 'http://127.0.0.1:8090/callback?nok'];
    for (const [hasNok, uris] of [
      [false, { 'tpp-redirect-uri': ok }],
      [true, { 'tpp-redirect-uri': ok, 'tpp-nok-redirect-uri': nok }],
    ] as const) {
      const order = domesticPayment(psu.accounts[0]?.iban ?? '');
      const payment = await initiate(tpp, await tpp.applicationToken(), order, uris);
      const { text } = await lookAt(payment.scaRedirect);
      expect(text.includes('Cancel and go back to')).toBe(hasNok);
      const { sent } = await declineUnknown(payment.scaRedirect, 'cancel');
      expect(sent.headers.get('location')).toBe(hasNok ? nok : new URL(payment.scaRedirect).pathname);
    }
  });

  it('who signs in second sees that another user is signing, or is sent to the Nok address if one exists', async () => {
    const psu = await world.person();
    const stranger = await world.person();
    for (const nok of [undefined, 'http://127.0.0.1:8090/callback?nok']) {
      const payment = await initiate(
        tpp,
        await tpp.applicationToken(),
        domesticPayment(psu.accounts[0]?.iban ?? ''),
        nok === undefined ? {} : { 'tpp-nok-redirect-uri': nok },
      );
      const enter = async ({ psuId, password }: FreshPsu) => {
        const page = await lookAt(payment.scaRedirect);
        const form = { csrf: page.csrf, step: 'sign-in', psuId, password, decision: 'approve' };
        return submit(payment.scaRedirect, page.cookie, form);
      };
      await enter(psu);
      const other = await enter(stranger);
      expect(other.headers.get('location')).toBe(nok ?? new URL(payment.scaRedirect).pathname);
      if (nok === undefined)
        expect((await lookAt(payment.scaRedirect, other.cookie)).text).toContain(
          'Another person is signing this payment',
        );
      expect(await readTransactionStatus(payment.path)).toBe('ACCP');
    }
  });

  it('is sent back to the TPP once the payment is signed, even if there are two links', async () => {
    const payment = await prepared({ 'tpp-redirect-uri': 'http://127.0.0.1:8090/callback?ok' });
    for (const link of [payment.links[0], payment.links[2]]) {
      const psuBrowser = world.browser();
      await walkAndApprove(psuBrowser, link, first);
      expect(psuBrowser.leftTo).toBe('http://127.0.0.1:8090/callback?ok');
    }
    expect(await readTransactionStatus(payment.path)).toBe('PATC');
  });
});
