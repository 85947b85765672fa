// Lane: long, first (attacks on the pages in a browser).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { createPool } from '@xs2a/postgres/pool';
import { parseJson, send } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { enterCode, look, type Seen, submit, walkToCode } from '../pages/page-visitor.js';
import {
  domesticPayment,
  initiate,
  type Initiated,
  sandboxNow,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
const otp = '123456';
const counts: string[] = [];
/** Texts that must not appear in any log. */
const canaries = new Set<string>();

beforeAll(async () => {
  world = await World.start();
  tpp = world.tpp();
  token = await tpp.applicationToken();
  canaries.add(token).add('sandbox-tpp-secret');
});
afterAll(async () => {
  await world.stop();
  process.stderr.write(`security, on the pages: ${counts.join(' · ')}\n`);
});

const person = async (...openings: string[]): Promise<FreshPsu> => {
  const psu = await world.person(...openings);
  for (const secret of [psu.password, ...psu.accounts.map(({ iban }) => iban)]) canaries.add(secret);
  return psu;
};
const payment = async (psu: FreshPsu, amount = '1.00'): Promise<Initiated> =>
  initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? '', amount));
const transactionStatus = async ({ path }: Initiated): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];
const scaStatus = async ({ path }: Initiated): Promise<unknown> => {
  const listed = await tpp.call('GET', `${path}/authorisations`, token);
  const [id] = parseJson<{ authorisationIds: string[] }>(listed).authorisationIds;
  return parseJson(await tpp.call('GET', `${path}/authorisations/${id}`, token))['scaStatus'];
};
const signIn = (page: Seen, psuId: string, password: string): Record<string, string> => ({
  csrf: page.csrf,
  step: 'sign-in',
  psuId,
  password,
  decision: 'approve',
});

describe('the bank’s pages (contract 12)', () => {
  it('refuse a form without the token, cookie and origin of its own page, and approve nothing', async () => {
    const psu = await person('100.00');
    const [mine, other] = [await payment(psu), await payment(psu)];
    const [page, otherPage] = [
      await walkToCode(mine.scaRedirect, psu),
      await walkToCode(other.scaRedirect, psu),
    ];
    const fields = { csrf: page.csrf, step: 'code', otp, decision: 'approve' };
    const { cookie } = page;
    const forged: (readonly [string, Parameters<typeof submit>])[] = [
      ['no token', [mine.scaRedirect, cookie, { ...fields, csrf: '' }]],
      ['a made-up token', [mine.scaRedirect, cookie, { ...fields, csrf: 'x'.repeat(page.csrf.length) }]],
      ["another page's token", [mine.scaRedirect, cookie, { ...fields, csrf: otherPage.csrf }]],
      ['no cookie', [mine.scaRedirect, undefined, fields]],
      ["another page's cookie", [mine.scaRedirect, otherPage.cookie, fields]],
      ['a made-up cookie', [mine.scaRedirect, cookie?.replace(/=.*/, '=guessed'), fields]],
      ['another page', [other.scaRedirect, cookie, fields]],
      ['another site', [mine.scaRedirect, cookie, fields, { 'sec-fetch-site': 'cross-site' }]],
      ['a neighbouring site', [mine.scaRedirect, cookie, fields, { 'sec-fetch-site': 'same-site' }]],
      ['a refusal without a token', [mine.scaRedirect, cookie, { decision: 'refuse', step: 'code' }]],
    ];
    for (const [name, request] of forged)
      expect([name, (await submit(...request)).status]).toEqual([name, 403]);
    // A GET request never approves anything, whatever its query contains.
    await look(`${mine.scaRedirect}?${new URLSearchParams(fields)}`, cookie);
    expect([await transactionStatus(mine), await transactionStatus(other)]).toEqual(['ACCP', 'ACCP']);
    counts.push(`forged forms ${forged.length + 1}`);
    expect((await enterCode(mine.scaRedirect, page, otp)).status).toBe(303);
    expect(await scaStatus(mine)).toBe('finalised');
  });

  it('make a session planted before sign-in useless once the PSU has signed in', async () => {
    const psu = await person('100.00');
    const { scaRedirect } = await payment(psu);
    const planted = await look(scaRedirect);
    const signedIn = await submit(scaRedirect, planted.cookie, signIn(planted, psu.psuId, psu.password));
    expect(signedIn.cookie).not.toBe(planted.cookie);
    const attacker = await look(scaRedirect, planted.cookie);
    expect(attacker.step).toBe('sign-in');
    const chosen = await look(scaRedirect, planted.cookie?.replace(/=.*/, '=chosen-by-me'));
    expect(chosen.cookie).not.toContain('chosen-by-me');
    counts.push('fixation 2');
  });

  it('cannot be framed, sniffed or cached, and do not leak their address', async () => {
    const psu = await person('100.00');
    const { scaRedirect } = await payment(psu);
    const code = await walkToCode(scaRedirect, psu);
    const pages = [
      await look(scaRedirect),
      code,
      await enterCode(scaRedirect, code, '000000'),
      await enterCode(scaRedirect, await look(scaRedirect, code.cookie), otp),
      await look(scaRedirect, code.cookie),
      await look(`${world.baseUrl}/sca/apps`),
      await look(`${world.baseUrl}/sca/payments`),
      await look(`${world.baseUrl}/sca/nothing`),
      await look(`${world.baseUrl}/sca/%zz`),
      await submit(scaRedirect, undefined, {}),
    ];
    for (const { headers } of pages) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toContain('no-store');
    }
    expect(code.headers.getSetCookie().join()).not.toMatch(/xs2a_sca(?!.*HttpOnly)/);
    counts.push(`page headers ${pages.length}`);
  });

  it('answer 404 for an unknown kind of resource, without a session', async () => {
    const { scaRedirect } = await payment(await person('100.00'));
    for (const kind of ['order', 'constructor', '__proto__', 'Payment']) {
      const page = await look(scaRedirect.replace('/sca/payment/', `/sca/${kind}/`));
      expect([kind, page.status, page.cookie]).toEqual([kind, 404, undefined]);
    }
  });
});

describe('guessing a password or code (contract 12)', () => {
  /** The page without its tokens and without the user name that was typed. */
  const bare = ({ status, text }: Seen): string => `${status} ${text.replaceAll(/value="[^"]*"/g, '')}`;

  it('locks the PSU after five failures across several sessions, passwords and codes together, without revealing the lock', async () => {
    const psu = await person('100.00');
    const payments = [await payment(psu), await payment(psu), await payment(psu)];
    const [first, second, third] = payments.map(({ scaRedirect }) => scaRedirect);
    if (first === undefined || second === undefined || third === undefined) throw new Error('no payments');
    const [one, two] = [await walkToCode(first, psu), await walkToCode(second, psu)];
    for (const guess of ['000000', '']) await enterCode(first, one, guess);
    for (const guess of ['111111', '654321']) await enterCode(second, two, guess);
    const fresh = await look(third);
    const wrong = await submit(third, fresh.cookie, signIn(fresh, psu.psuId, 'wrong'));
    const wrongPage = bare(await look(third, wrong.cookie));
    // The PSU is locked: neither the correct code nor the correct password is accepted, and neither response
    // shows why.
    await enterCode(first, one, otp);
    expect(await scaStatus(payments[0] as Initiated)).toBe('psuIdentified');
    const right = await submit(third, fresh.cookie, signIn(fresh, psu.psuId, psu.password));
    expect(bare(await look(third, right.cookie))).toBe(wrongPage);
    const nobody = await submit(third, fresh.cookie, signIn(fresh, 'nobody-at-all', 'wrong'));
    expect(bare(await look(third, nobody.cookie))).toBe(wrongPage);
    const unlocked = await person('100.00');
    const stranger = await submit(third, fresh.cookie, signIn(fresh, unlocked.psuId, 'wrong'));
    expect(bare(await look(third, stranger.cookie))).toBe(wrongPage);
    const answers = [wrong, right, nobody, stranger].map(({ status, headers }) => [
      status,
      headers.get('location'),
      headers.getSetCookie(),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await scaStatus(payments[2] as Initiated)).toBe('received');
    counts.push('guesses over sessions 8');
  });

  it('takes the same time for known, unknown and locked PSUs when the sign-in is refused, and for a right password while locked', async () => {
    const [known, locked] = [await person('100.00'), await person('100.00')];
    const { scaRedirect } = await payment(known);
    const page = await look(scaRedirect);
    const refused = async (psuId: string, password = 'wrong'): Promise<number> => {
      const from = performance.now();
      const { status } = await submit(scaRedirect, page.cookie, signIn(page, psuId, password));
      expect(status).toBe(303);
      return performance.now() - from;
    };
    for (let guess = 0; guess < 5; guess += 1) await refused(locked.psuId);
    const times: Record<string, number[]> = { known: [], unknown: [], locked: [], right: [] };
    // Alternates between the kinds of PSU, so that other load on the machine affects all of them equally.
    for (let round = 0; round < 15; round += 1) {
      times['known']?.push(await refused((await person()).psuId));
      times['unknown']?.push(await refused(`nobody-${round}`));
      times['locked']?.push(await refused(locked.psuId));
      times['right']?.push(await refused(locked.psuId, locked.password));
    }
    const medians = Object.values(times).map((list) => list.sort((a, b) => a - b)[7] ?? 0);
    const spread = Math.max(...medians) / Math.min(...medians);
    counts.push(`sign-ins timed 60 (medians within ${spread.toFixed(2)}×)`);
    // If the server did not do equal work for all of them, an unknown PSU would get a response ten times
    // faster.
    expect(spread).toBeLessThan(2);
  });

  it('with 40 concurrent attempts at one code: all count, the payment is rejected, and the correct code comes too late', async () => {
    const psu = await person('100.00');
    const paid = await payment(psu);
    const page = await walkToCode(paid.scaRedirect, psu);
    await Promise.all(
      Array.from({ length: 40 }, async (_, guess) =>
        enterCode(paid.scaRedirect, page, String(200_000 + guess)),
      ),
    );
    expect(await transactionStatus(paid)).toBe('RJCT');
    await enterCode(paid.scaRedirect, page, otp);
    expect([await transactionStatus(paid), await scaStatus(paid)]).toEqual(['RJCT', 'failed']);
    counts.push('parallel guesses 40');
  });
});

describe('concurrent requests (contract 8)', () => {
  it('that enter the same code 20 times in two sessions sign the payment only once, for each of 50 payments', async () => {
    const psu = await person('1000.00');
    const signed: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      const paid = await payment(psu);
      const pages = [await walkToCode(paid.scaRedirect, psu), await walkToCode(paid.scaRedirect, psu)];
      const entries = Array.from({ length: 20 }, async (_, at) =>
        enterCode(paid.scaRedirect, pages[at % 2] as Seen, otp),
      );
      for (const { status } of await Promise.all(entries)) expect(status).toBeLessThan(500);
      signed.push(paid.paymentId);
    }
    const pool = createPool({ url: world.sandbox.databaseUrl('xs2a_payments'), name: 'security' });
    const { rows } = await pool.query<{ signed: number }>(
      `SELECT count(*) AS signed FROM payments.events WHERE type = 'signed' AND stream_id = ANY($1::uuid[])
       GROUP BY stream_id`,
      [signed],
    );
    await pool.end();
    expect(rows.map((row) => row.signed)).toEqual(signed.map(() => 1));
    counts.push('double sign 50 × 20');
  });

  it.each([1, 2, 3, 4])(
    'that cancel 50 payments during their settlement, round %d of 4: each payment has one outcome, and its money moves once or not at all',
    async (round) => {
      const psu = await person('1000.00');
      const paid: Initiated[] = [];
      for (let at = 0; at < 50; at += 1) {
        const one = await payment(psu, '2.00');
        await enterCode(one.scaRedirect, await walkToCode(one.scaRedirect, psu), otp);
        paid.push(one);
      }
      const before = Date.parse(await sandboxNow(world));
      // Sends a third of the cancellations at once, and the others a few requests apart during settlement,
      // after the clock has moved.
      const cancel = async ({ path }: Initiated, at: number): Promise<number> => {
        if (at % 3 > 0)
          await until(
            () => sandboxNow(world),
            (now) => Date.parse(now) >= before + 60_000,
          );
        for (let asked = 0; asked < at % 3; asked += 1) await readStatus(tpp, token, path);
        return (await tpp.call('DELETE', path, token)).status;
      };
      const settling = world.advance('PT1M');
      const cancelled = await Promise.all(paid.map(cancel));
      await settling;
      await world.advance('PT1M');
      const statuses = await Promise.all(paid.map(transactionStatus));
      expect(statuses).toEqual(cancelled.map((status) => (status === 204 ? 'CANC' : 'ACSC')));
      expect(new Set(cancelled.filter((status) => status !== 204 && status !== 405))).toEqual(new Set());
      const settled = statuses.filter((status) => status === 'ACSC').length;
      const pool = createPool({ url: world.sandbox.databaseUrl('xs2a_accounts'), name: 'security' });
      const { rows } = await pool.query<{ spent: number; held: number }>(
        `SELECT l.debits_posted AS spent, l.debits_pending AS held FROM account a JOIN ledger_account l ON l.id = a.id
       WHERE a.iban = $1`,
        [psu.accounts[0]?.iban],
      );
      expect(rows).toEqual([{ spent: settled * 200, held: 0 }]);
      expect(await ledgerViolations(pool)).toEqual([]);
      await pool.end();
      counts.push(`cancel against settle, round ${round}: 50 (${settled} settled)`);
    },
  );
});

describe('logs (quality, "Security")', () => {
  it('contain no IBAN, name, password, code or token', async () => {
    const refused = await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'canary-refresh-token' }),
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const health = await send('GET', `${world.baseUrl}/health/ready`);
    expect(parseJson(health)).toBeDefined();
    for (const text of ['Тест Тестов', 'Petar Ivanov', 'Invoice 1', 'canary-refresh-token', `"${otp}"`])
      canaries.add(text);
    const folder = join(world.sandbox.dataDir, 'logs');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(files.length).toBeGreaterThanOrEqual(9);
    const found = files.flatMap(({ name, parentPath }) => {
      const text = readFileSync(join(parentPath, name), 'utf8');
      return [...canaries].filter((canary) => text.includes(canary)).map((canary) => `${name}: ${canary}`);
    });
    expect(found).toEqual([]);
    counts.push(`canaries ${canaries.size} in ${files.length} logs`);
  });
});
