import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import { World } from '@xs2a/test-support/world';
import { order, pay, payees, read, toPayee } from './euro-payments.js';

let world: World;
let tpp: TppClient;
let psu: FreshPsu;
let iban: string;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
  psu = await world.person();
  iban = psu.accounts[0]?.iban ?? '';
}, 120_000);
afterAll(async () => world.stop());

const texts = {
  match: 'The name matches the holder of the account.',
  close: 'The name almost matches. The holder is Пример Примеров. Is this who you mean to pay?',
  noMatch: 'Warning: the name does not match the holder of the account. The money may go to somebody else.',
  notPossible: 'The name could not be checked. Make sure yourself that the account is the payee’s.',
  liability:
    'The bank pays by IBAN. If you approve all the same, it is not liable for a wrong payee and may be unable to get the money back.',
};
const shows = ({ text }: Page): readonly string[] =>
  Object.entries(texts).flatMap(([name, words]) =>
    text.replaceAll(/\s+/g, ' ').includes(words) ? [name] : [],
  );
const signIn = async (browser: PsuBrowser, url: string, { psuId, password } = psu): Promise<Page> =>
  browser.submit(await browser.open(url), { psuId, password }, 'approve');
const stepOf = ({ html }: Page): string => /name="step"\s+value="([\w-]+)"/.exec(html)?.[1] ?? '';
const enterCode = async (browser: PsuBrowser, page: Page): Promise<Page> =>
  browser.submit(page, { otp: '123456' }, 'approve');

describe('the verification of a payee on the review page (contract E4.2, E4.3)', () => {
  it.each<[keyof typeof payees, string, readonly string[], string]>([
    ['match', 'MATCH', ['match'], 'the name matches'],
    ['close', 'CLOSE_MATCH', ['close', 'liability'], 'the name almost matches'],
    ['notPossible', 'NOT_POSSIBLE', ['notPossible'], 'the name was not checked'],
  ])('%s: shows the result, and the payment goes on', async (payee, result, shown, brief) => {
    const payment = await pay(tpp, iban, payees[payee]);
    expect(await read(tpp, payment)).not.toHaveProperty('payeeVerification');
    const browser = world.browser();
    const review = await signIn(browser, payment.scaRedirect);
    expect([stepOf(review), shows(review)]).toEqual(['review', shown]);
    expect(review.html).not.toContain('payeeWarningRead');
    const { payeeVerification, transactionStatus } = await read(tpp, payment);
    expect([transactionStatus, payeeVerification]).toEqual([
      'ACCP',
      { result, verifiedAt: expect.stringMatching(/^20\d\d-.*Z$/) },
    ]);
    const code = await browser.submit(review, {}, 'approve');
    expect([stepOf(code), shows(code), code.text.includes(brief)]).toEqual(['code', [], true]);
    const end = await enterCode(browser, code);
    expect(end.text).toContain(brief);
    expect(await read(tpp, payment)).toMatchObject({ transactionStatus: 'ACCP', payeeVerification });
  });

  it('no match: the warning must be read; without that nothing happens', async () => {
    const payment = await pay(tpp, iban, payees.noMatch);
    const browser = world.browser();
    const review = await signIn(browser, payment.scaRedirect);
    expect(shows(review)).toEqual(['noMatch', 'liability']);
    expect(review.html).toMatch(/role="alert">\s*<svg[^]*?<\/svg>\s*<span>Warning/);
    expect(review.text).toContain('Approve anyway');
    const again = await browser.submit(review, {}, 'approve');
    expect([stepOf(again), again.text.includes('Confirm that you have read the warning')]).toEqual([
      'review',
      true,
    ]);
    const wrong = await browser.submit(again, { payeeWarningRead: 'no' }, 'approve');
    expect(stepOf(wrong)).toBe('review');
    const code = await browser.submit(wrong, { payeeWarningRead: 'yes' }, 'approve');
    expect([stepOf(code), code.text.includes('the name does not match')]).toEqual(['code', true]);
    await enterCode(browser, code);
    expect(await read(tpp, payment)).toMatchObject({
      transactionStatus: 'ACCP',
      payeeVerification: { result: 'NO_MATCH' },
    });
    const list = await signIn(world.browser(), `${world.baseUrl}/sca/payments`);
    expect(list.text).toContain('the name does not match');
  });

  it('no match: the PSU can refuse without reading anything', async () => {
    const payment = await pay(tpp, iban, payees.noMatch);
    const browser = world.browser();
    await browser.submit(await signIn(browser, payment.scaRedirect), {}, 'refuse');
    expect(await read(tpp, payment)).toMatchObject({ transactionStatus: 'RJCT' });
  });

  it('the holder’s name is in no answer of the API (contract E4.4)', async () => {
    const payment = await pay(tpp, iban, payees.close);
    await signIn(world.browser(), payment.scaRedirect);
    const answers = [
      await read(tpp, payment),
      await read(tpp, { path: `${payment.path}/status` }),
      await read(tpp, { path: `${payment.path}/authorisations` }),
    ];
    expect(JSON.stringify(answers)).not.toMatch(/Пример/);
  });

  it('a bank that is silent does not stop the payment, and reloads and other languages see the same result', async () => {
    const person = await world.person();
    const payment = await pay(tpp, person.accounts[0]?.iban ?? '', payees.silent);
    const browser = world.browser();
    const begun = performance.now();
    const review = await signIn(browser, payment.scaRedirect, person);
    const took = performance.now() - begun;
    expect(shows(review)).toEqual(['notPossible']);
    expect(took).toBeGreaterThan(2900);
    const { payeeVerification } = await read(tpp, payment);
    const again = await browser.open(`${payment.scaRedirect}?lang=bg`);
    expect(again.text).toContain('Името не можа да бъде проверено.');
    expect((await read(tpp, payment))['payeeVerification']).toEqual(payeeVerification);
  });

  it('takes the simulated result of the PSU’s next payment, and asks once', async () => {
    const simulated = await tpp.call('POST', '/sandbox/simulate', await tpp.applicationToken(), {
      json: { psuId: psu.psuId, outcome: 'payee-no-match' },
    });
    expect(simulated.status).toBe(200);
    const payment = await pay(tpp, iban, payees.match);
    const browser = world.browser();
    expect(shows(await signIn(browser, payment.scaRedirect))).toEqual(['noMatch', 'liability']);
    expect(shows(await browser.open(payment.scaRedirect))).toEqual(['noMatch', 'liability']);
    const next = await pay(tpp, iban, payees.match);
    expect(shows(await signIn(world.browser(), next.scaRedirect))).toEqual(['match']);
  });

  it('of an order happens once, when it is set up', async () => {
    const startDate = dayFrom(await sandboxNow(world), 3);
    const standing = await order(tpp, iban, payees.close, startDate);
    const browser = world.browser();
    const review = await signIn(browser, standing.scaRedirect);
    expect(shows(review)).toEqual(['close', 'liability']);
    await enterCode(browser, await browser.submit(review, {}, 'approve'));
    expect(await read(tpp, standing)).toMatchObject({ payeeVerification: { result: 'CLOSE_MATCH' } });
  });

  it('shows further signers what the first one saw', async () => {
    const { iban: debtorIban, signers } = await world.corporate(2, 2);
    const token = await tpp.applicationToken();
    const payment = await initiateForSeveral(
      tpp,
      token,
      debtorIban,
      {},
      {
        at: '/v1/payments/SEPA-Credit-Transfer',
        json: { debtorAccount: { iban: debtorIban }, ...toPayee(payees.noMatch) },
      },
    );
    const results: unknown[] = [];
    for (const signer of signers) {
      const { scaRedirect } = await startFor(tpp, token, payment, signer);
      const browser = world.browser();
      const review = await signIn(browser, scaRedirect, signer);
      expect(shows(review)).toEqual(['noMatch', 'liability']);
      results.push((await read(tpp, payment))['payeeVerification']);
      const code = await browser.submit(review, { payeeWarningRead: 'yes' }, 'approve');
      await enterCode(browser, code);
    }
    expect(results[1]).toEqual(results[0]);
    expect(await read(tpp, payment)).toMatchObject({ transactionStatus: 'ACCP' });
  });
});
