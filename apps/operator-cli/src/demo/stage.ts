import { setTimeout as wait } from 'node:timers/promises';
import type { Talk, TalkingTpp } from './talk.js';
import { type Answer, parseJson, type Send } from '@xs2a/tpp-client/http';
import { type Page, PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { type PsuCredentials, walkAndApprove } from '@xs2a/tpp-client/psu-walk';

export interface Customer extends PsuCredentials {
  readonly iban: string;
  /** The balance of the account before the demo, in major units, if it is known. */
  readonly opening?: number;
}
/** The objects that every step uses: the TPP, the output, the customer and a token. */
export interface Stage {
  readonly tpp: TalkingTpp;
  readonly talk: Talk;
  readonly customer: Customer;
  readonly applicationToken: string;
  /** The currency of the customer's account. */
  readonly currency: 'BGN' | 'EUR';
  /** Sends the requests that come from the customer's browser. */
  readonly browse: Send;
}

/** A header which shows that the customer is present, so that calls with it do not count as unattended. */
export const present = { 'psu-ip-address': '192.0.2.17' };
const maxTries = 20;

export const expectStatus = (talk: Talk, answer: Answer, status: number): void =>
  talk.must(`the answer is ${status}`, answer.status === status, answer.status);

/** Repeats `ask` until it returns a value, for effects that are not immediate. */
export const eventually = async <Value>(
  ask: () => Promise<Value | undefined>,
): Promise<Value | undefined> => {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const value = await ask();
    if (value !== undefined) return value;
    await wait(500);
  }
  return undefined;
};

/** Creates a new customer of the sandbox bank, so that the demo does not spend the money of an existing customer. */
export const becomeCustomer = async (stage: Omit<Stage, 'customer'>): Promise<Customer> => {
  const answer = await stage.tpp.call('POST', '/sandbox/psus', stage.applicationToken, {
    json: { name: 'Анна Демирева', accounts: [{ currency: stage.currency, opening: '1000.00' }] },
  });
  expectStatus(stage.talk, answer, 201);
  const { psuId, password, accounts } = parseJson<PsuCredentials & { accounts: { iban: string }[] }>(answer);
  return { psuId, password, iban: accounts[0]?.iban ?? '', opening: 1000 };
};

export const advanceClock = async ({ tpp, talk, applicationToken }: Stage, duration: string): Promise<void> =>
  expectStatus(
    talk,
    await tpp.call('POST', '/sandbox/clock', applicationToken, { json: { advance: duration } }),
    200,
  );

const readFirstLine = (page: Page): string =>
  page.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 12)
    .join(' · ');

/**
 * Takes the customer through the bank's pages. If the flow breaks off because the bank was down, it starts again,
 * as a customer would reload the page. `isDone` returns whether an earlier attempt succeeded after all.
 */
export const walk = async (
  { talk, customer, browse }: Stage,
  link: () => string,
  isDone: () => Promise<boolean>,
): Promise<PsuBrowser | undefined> => {
  for (let tries = 1; ; tries += 1) {
    const browser = new PsuBrowser({ 'accept-language': 'en' }, browse);
    const url = link();
    talk.request('GET', url.replace(/\?.*/, '?…'), '(the customer’s browser)');
    try {
      const last = await walkAndApprove(browser, url, customer, {
        watch: (step, page) => page.status < 300 && talk.note(`page “${step}”: ${readFirstLine(page)}`),
      });
      if (last.status < 500) return browser;
    } catch (error) {
      if (tries === maxTries) throw error;
      talk.note(`the page did not load (${(error as Error).message.slice(0, 120)})`);
    }
    await wait(500);
    if (await isDone()) return undefined;
  }
};
