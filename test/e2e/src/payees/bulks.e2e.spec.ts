import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import type { Page, PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';
import { bulk, pay, payees, read, toPayee } from './euro-payments.js';

let world: World;
let tpp: TppClient;
let psu: FreshPsu;
let iban: string;
beforeAll(async () => {
  world = await World.start(undefined, 'bg-euro');
  tpp = world.tpp();
  psu = await world.person();
  iban = psu.accounts[0]?.iban ?? '';
}, 120_000);
afterAll(async () => world.stop());

const signIn = async (browser: PsuBrowser, url: string, { psuId, password } = psu): Promise<Page> =>
  browser.submit(await browser.open(url), { psuId, password }, 'approve');
const textOf = ({ text }: Page): string => text.replaceAll(/\s+/g, ' ');
const resultsOf = (payment: Record<string, unknown>): readonly unknown[] =>
  (payment['payments'] as { payeeVerification?: { result: string } }[]).map(
    ({ payeeVerification }) => payeeVerification?.result,
  );
const approve = async (browser: PsuBrowser, review: Page, values: Readonly<Record<string, string>> = {}) =>
  browser.submit(await browser.submit(review, values, 'approve'), { otp: '123456' }, 'approve');

describe('the verification of the payees of a bulk payment (contract E4.11)', () => {
  it('shows the number of payees for each result, marks the entries, and needs one confirmation', async () => {
    const payment = await bulk(tpp, iban, [
      toPayee(payees.match),
      toPayee(payees.match),
      toPayee(payees.match, 'Друг'),
      toPayee(payees.noMatch),
      toPayee(payees.close),
    ]);
    const browser = world.browser();
    const review = await signIn(browser, payment.scaRedirect);
    const text = textOf(review);
    expect(text).toContain('the name matches: 2; the name almost matches: 1; the name does not match: 1');
    expect(text).toContain('Warning: the name does not match');
    expect(text).toContain('Name check: The name almost matches. The holder is Пример Примеров.');
    expect(text).toContain('Name check: the name does not match');
    expect(review.html.match(/name="payeeWarningRead"/g)).toHaveLength(1);
    expect(resultsOf(await read(tpp, payment))).toEqual([
      'MATCH',
      'MATCH',
      'MATCH',
      'NO_MATCH',
      'CLOSE_MATCH',
    ]);
    expect(await read(tpp, payment)).not.toHaveProperty('payeeVerification');
    expect(textOf(await browser.submit(review, {}, 'approve'))).toContain('Confirm that you have read');
    await approve(browser, await browser.open(payment.scaRedirect), { payeeWarningRead: 'yes' });
    expect(await read(tpp, payment)).toMatchObject({ transactionStatus: 'ACCP' });
  });

  it('goes on after five seconds without the banks that are silent', async () => {
    const payment = await bulk(tpp, iban, [toPayee(payees.silent), toPayee(payees.match)]);
    const begun = performance.now();
    const review = await signIn(world.browser(), payment.scaRedirect);
    expect(performance.now() - begun).toBeLessThan(9000);
    expect(textOf(review)).toContain('the name matches: 1; the name was not checked: 1');
    expect(resultsOf(await read(tpp, payment))).toEqual(['NOT_POSSIBLE', 'MATCH']);
  });

  it('does not happen for a company that has opted out, except for its single payments', async () => {
    const opened = await tpp.call('POST', '/sandbox/psus', await tpp.applicationToken(), {
      json: {
        corporateId: `corporate-${randomUUID().slice(0, 13)}`,
        accounts: [{ currency: 'EUR', opening: '1000.00' }],
        payeeVerificationOptOut: true,
      },
    });
    const signer = bodyOf<FreshPsu>(opened, 201);
    const own = signer.accounts[0]?.iban ?? '';
    const payment = await bulk(tpp, own, [toPayee(payees.noMatch), toPayee(payees.match)]);
    const browser = world.browser();
    const review = await signIn(browser, payment.scaRedirect, signer);
    expect(textOf(review)).toContain('Your company has opted out of payee checks in bulk payments.');
    expect(review.html).not.toContain('payeeWarningRead');
    expect(resultsOf(await read(tpp, payment))).toEqual(['OPTED_OUT', 'OPTED_OUT']);
    await approve(browser, review);
    expect(await read(tpp, payment)).toMatchObject({ transactionStatus: 'ACCP' });
    const single = await pay(tpp, own, payees.noMatch);
    await signIn(world.browser(), single.scaRedirect, signer);
    expect(await read(tpp, single)).toMatchObject({ payeeVerification: { result: 'NO_MATCH' } });
  });
});

describe('the verification of the payees of a signing basket (contract E4.1)', () => {
  it('covers every payment in it', async () => {
    const first = await pay(tpp, iban, payees.noMatch);
    const second = await bulk(tpp, iban, [toPayee(payees.match), toPayee(payees.close)]);
    const made = await tpp.call('POST', '/v1/signing-baskets', await tpp.applicationToken(), {
      json: { paymentIds: [first.paymentId, second.paymentId] },
    });
    const link = parseJson<{ _links: { scaRedirect: { href: string } } }>(made)._links.scaRedirect.href;
    const browser = world.browser();
    const review = await signIn(browser, link);
    const text = textOf(review);
    expect(text).toContain('the name matches: 1; the name almost matches: 1; the name does not match: 1');
    expect(text).toContain('Name check: The name almost matches. The holder is Пример Примеров.');
    expect(await read(tpp, first)).toMatchObject({
      transactionStatus: 'RCVD',
      payeeVerification: { result: 'NO_MATCH' },
    });
    expect(resultsOf(await read(tpp, second))).toEqual(['MATCH', 'CLOSE_MATCH']);
    expect(textOf(await browser.submit(review, {}, 'approve'))).toContain('Confirm that you have read');
    await approve(browser, await browser.open(link), { payeeWarningRead: 'yes' });
    expect(await read(tpp, first)).toMatchObject({ transactionStatus: 'ACCP' });
    expect(await read(tpp, second)).toMatchObject({ transactionStatus: 'ACCP' });
  });
});
