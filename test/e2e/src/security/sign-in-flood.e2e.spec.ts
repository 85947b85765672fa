// Lane: long, alone (a sign-in is measured against a limit of two seconds).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { look, type Seen, submit } from '../pages/page-visitor.js';
import { runLoad } from '@xs2a/test-support/load';
import { domesticPayment, initiate, readStatus } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());

const signIn = ({ csrf }: Seen, psuId: string, password: string): Record<string, string> => ({
  csrf,
  step: 'sign-in',
  psuId,
  password,
  decision: 'approve',
});

/**
 * Sends the given number of sign-in forms from strangers at once, repeatedly, until stopped. Returns the status
 * codes.
 */
const flood = (
  pages: readonly { readonly url: string; readonly page: Seen }[],
): { stop(): Promise<Record<number, number>> } => {
  const counts: Record<number, number> = {};
  const over = new AbortController();
  const stranger = async ({ url, page }: (typeof pages)[number]): Promise<void> => {
    const { status } = await submit(url, page.cookie, signIn(page, `stranger ${randomUUID()}`, 'guess'));
    counts[status] = (counts[status] ?? 0) + 1;
  };
  const all = Promise.all(
    pages.map(async (one) => runLoad(async () => stranger(one), { stop: over.signal })),
  );
  return {
    stop: async () => {
      over.abort();
      await all;
      return counts;
    },
  };
};

/** Sign-in pages that anyone can open: the PSU's own pages, and an authorization request that names only a client. */
const doors: readonly (readonly [string, () => Promise<{ url: string; cookies: readonly string[] }>])[] = [
  ['the PSU’s own pages', async () => ({ url: `${world.baseUrl}/sca/apps`, cookies: [] })],
  [
    'authorization requests for funds confirmation, one each',
    async () => {
      const { headers } = await look(tpp.authorizationRequest('PSP_IC').url);
      const cookies = headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
      return { url: new URL(headers.get('location') ?? '', world.baseUrl).href, cookies };
    },
  ],
];

describe('repeated concurrent sign-in forms from forty strangers (quality, Reliability)', () => {
  it.each([...doors])(
    'on %s do not prevent a customer with a payment from signing in within 2 s',
    async (_door, begin) => {
      const psu = await world.person();
      const token = await tpp.applicationToken();
      const open = async (): Promise<{ url: string; page: Seen }> => {
        const { url, cookies } = await begin();
        const page = await look(url, cookies.join('; '));
        return { url, page: { ...page, cookie: [...cookies, page.cookie].join('; ') } };
      };
      const strangers = flood(await Promise.all(Array.from({ length: 40 }, open)));
      const took: number[] = [];
      const steps: string[] = [];
      for (let time = 0; time < 3; time += 1) {
        const { scaRedirect } = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
        const page = await look(scaRedirect);
        const began = performance.now();
        const { cookie } = await submit(scaRedirect, page.cookie, signIn(page, psu.psuId, psu.password));
        took.push(performance.now() - began);
        steps.push((await look(scaRedirect, cookie)).step);
      }
      const counts = await strangers.stop();
      process.stderr.write(`counts: sign-ins among strangers took ${took.map(Math.round).join(', ')} ms\n`);
      expect(steps).toEqual(['review', 'review', 'review']);
      expect(Object.keys(counts).filter((status) => !['303', '429'].includes(status))).toEqual([]);
      expect(Math.max(...took)).toBeLessThan(2000);
    },
    60_000,
  );
});

/** Creates payments of one TPP, each with its sign-in page open in a separate browser. */
const openPayments = async (
  client: TppClient,
  iban: string,
  count: number,
): Promise<{ readonly url: string; readonly page: Seen }[]> => {
  const token = await client.applicationToken();
  const opened = Array.from({ length: count }, async () => {
    const { scaRedirect: url } = await initiate(client, token, domesticPayment(iban));
    return { url, page: await look(url) };
  });
  return Promise.all(opened);
};

describe('repeated concurrent sign-ins from 48 browsers on links of one TPP (quality, Reliability)', () => {
  it('do not prevent a customer of another TPP from signing in within 2 s', async () => {
    const [flooded, psu] = [await world.person(), await world.person()];
    const strangers = flood(await openPayments(tpp, flooded.accounts[0]?.iban ?? '', 48));
    const took: number[] = [];
    const statuses: number[] = [];
    const other = world.tpp('sandbox-tpp-2');
    for (const { url, page } of await openPayments(other, psu.accounts[0]?.iban ?? '', 5)) {
      const began = performance.now();
      statuses.push((await submit(url, page.cookie, signIn(page, psu.psuId, psu.password))).status);
      took.push(performance.now() - began);
    }
    const counts = await strangers.stop();
    process.stderr.write(
      `counts: sign-ins by another TPP took ${took.map(Math.round).join(', ')} ms; the others ${JSON.stringify(counts)}\n`,
    );
    expect(statuses).toEqual(Array(5).fill(303));
    expect(Math.max(...took)).toBeLessThan(2000);
    expect(Object.keys(counts).filter((status) => !['303', '429'].includes(status))).toEqual([]);
  }, 60_000);
});

describe('30 customers who sign in at once (contract 12)', () => {
  it('can send the same form again after a response that is not a redirect, and are signed in; no page claims that nothing was changed', async () => {
    const psu = await world.person();
    const pages = await openPayments(tpp, psu.accounts[0]?.iban ?? '', 30);
    const signsIn = async ({ url, page }: (typeof pages)[number]): Promise<readonly [number, string]> => {
      const answers: Seen[] = [];
      while (answers.length < 20 && answers.at(-1)?.status !== 303)
        answers.push(await submit(url, page.cookie, signIn(page, psu.psuId, psu.password)));
      const untrue = answers.filter(
        ({ status, text }) => status !== 429 && text.includes('Nothing was changed'),
      );
      return [untrue.length, (await look(url, answers.at(-1)?.cookie)).step];
    };
    const ends = await Promise.all(pages.map(signsIn));
    expect(ends).toEqual(pages.map(() => [0, 'review']));
  }, 60_000);

  it('can send the same form again after a lost response, and are signed in', async () => {
    const psu = await world.person();
    const [opened] = await openPayments(tpp, psu.accounts[0]?.iban ?? '', 1);
    if (opened === undefined) throw new Error('no page was opened');
    const { url, page } = opened;
    const form = signIn(page, psu.psuId, psu.password);
    await submit(url, page.cookie, form);
    const again = await submit(url, page.cookie, form);
    expect([again.status, (await look(url, again.cookie)).step]).toEqual([303, 'review']);
  });
});

describe('a lock caused by strangers (contract 12)', () => {
  it('applies everywhere except in a browser in which the customer has previously completed SCA', async () => {
    const psu = await world.person();
    const token = await tpp.applicationToken();
    const payments = await Promise.all(
      Array.from({ length: 4 }, () => initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''))),
    );
    const [first = '', attacked = '', second = '', third = ''] = payments.map(
      ({ scaRedirect }) => scaRedirect,
    );
    const ends = async (): Promise<unknown[]> =>
      Promise.all(
        payments.map(async ({ path }) => (await readStatus(tpp, token, path))['transactionStatus']),
      );
    const own = world.browser();
    await walkAndApprove(own, first, psu);
    const stranger = await look(attacked);
    for (let guess = 0; guess < 5; guess += 1)
      await submit(attacked, stranger.cookie, signIn(stranger, psu.psuId, 'guess'));
    await walkAndApprove(world.browser(), second, psu);
    expect(await ends()).toEqual(['ACCP', 'RCVD', 'RCVD', 'RCVD']);
    await walkAndApprove(own, second, psu);
    await walkAndApprove(world.browser(), third, psu);
    expect(await ends()).toEqual(['ACCP', 'RCVD', 'ACCP', 'RCVD']);
  });
});

describe('an authorization request', () => {
  it('with a state above 2 kB returns an error to the TPP and starts nothing', async () => {
    const request = (state: string): string => {
      const url = new URL(tpp.authorizationRequest('PSP_IC').url);
      url.searchParams.set('state', state);
      return url.href;
    };
    expect((await look(request('s'.repeat(2048)))).headers.get('location')).toMatch(/^.*\/sca\/authorize\//);
    const refused = new URL((await look(request('s'.repeat(2049)))).headers.get('location') ?? '');
    expect(refused.origin).toBe(new URL(tpp.credentials.redirectUri).origin);
    expect(refused.searchParams.get('error')).toBe('invalid_request');
  });

  it('at the resume address: its OAuth parameters are ignored, and it causes neither a redirect nor a form submission', async () => {
    const { redirectUri, clientId } = tpp.credentials;
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'token',
      response_mode: 'form_post',
      state: 'x',
    });
    const { status, headers, text } = await look(`${world.baseUrl}/oauth2/authorize/abc?${query}`);
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(text).not.toContain('<script');
  });
});
