import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { CallClient } from '@xs2a/calls/client';
import { sendHeartbeats } from '@xs2a/calls/heartbeat';
import { authenticatePsu, nameAccounts } from '@xs2a/contracts/accounts.contract';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { startNats } from '@xs2a/local-servers/nats-server';
import { connectCalls } from '@xs2a/nats/connection';
import { metrics } from '@xs2a/observability/metrics';
import { readMetric } from '@xs2a/observability/testing/read-metric';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuthWorld, startAuthWorld } from '../testing/auth-world.js';
import { textsVersion } from './catalogue/texts-version.js';
import { FlowBrowser, payment } from '../testing/flow-browser.js';
import type { Answer } from './page-request.js';
import { PageSessions } from './page-sessions.js';
import type { AuthorisationRequest, Closed } from './requests/authorisation-request.js';
import { ScaFlow } from './sca-flow.js';
import { Challenges } from './sign-in/challenges.js';
import { KnownBrowsers } from './sign-in/known-browsers.js';
import { sandboxCodes } from './sign-in/otp-codes.js';
import { ScaFailures } from './sign-in/sca-failures.js';
import { ScaUnlocks } from './sign-in/sca-unlocks.js';
import { SignIn } from './sign-in/sign-in.js';
import { SignInPlaces, TooManySignIns } from './sign-in/sign-in-places.js';

const gatewayWaitsMs = 3000;
const secret = 'x'.repeat(32);

const folder = mkdtempSync(join(tmpdir(), 'xs2a-flow-'));
let world: AuthWorld;
let server: Awaited<ReturnType<typeof startNats>>;
let nats: NatsConnection;
let flow: ScaFlow;
/** The password checks of `slow …` names, which finish when the test decides. */
let held: { readonly message: Msg; readonly heartbeats: NodeJS.Timeout }[] = [];

beforeAll(async () => {
  [world, server] = await Promise.all([startAuthWorld(), startNats({ dataDir: join(folder, 'nats') })]);
  nats = await connectCalls(server.url, 'test', world.logger);
  nats.subscribe(authenticatePsu.subject, {
    callback: (_error, message) => {
      const { request } = message.json<{ request: { psuId: string; password: string } }>();
      if (request.psuId.startsWith('slow'))
        held.push({ message, heartbeats: sendHeartbeats(nats, message.reply ?? '') });
      else answer(message, request);
    },
  });
  nats.subscribe(nameAccounts.subject, {
    callback: (_error, message) => {
      message.respond(JSON.stringify({ ok: { accounts: [] } }));
    },
  });
}, 60_000);
afterAll(async () => {
  await nats.close();
  await Promise.all([world.stop(), server.stop()]);
  rmSync(folder, { recursive: true, force: true });
});
const answer = (message: Msg, { psuId, password }: { psuId: string; password: string }): void => {
  const ok = password === 'right' ? { psu: { psuId, name: psuId } } : {};
  message.respond(JSON.stringify({ ok }));
};

/** Returns how often each step was taken in this test, with its outcome. */
const steps = async (): Promise<unknown> => readMetric('xs2a_sca_steps_total');
beforeEach(() => {
  metrics.resetMetrics();
  const { pool, clock } = world;
  const config = {
    HASH_KEYS: testHashKeys,
    AUTH_COOKIE_SECRET: secret,
    BASE_URL: 'http://127.0.0.1:8080',
  };
  const callClient = new CallClient(nats, { offsetMs: 0, raiseTo: () => undefined });
  const failures = new ScaFailures(pool, clock, config);
  const browsers = new KnownBrowsers(clock, config);
  const signIn = new SignIn(callClient, failures, new SignInPlaces(), browsers);
  const challenges = new Challenges(pool, clock, failures, sandboxCodes, config);
  flow = new ScaFlow(
    signIn,
    new PageSessions(pool, clock),
    challenges,
    failures,
    browsers,
    sandboxCodes,
    clock,
    makeProfile('sandbox'),
    callClient,
  );
});
afterEach(() => endHeld({}));
/** Lets the bank answer all password checks in progress. */
const endHeld = (ok: { readonly psu?: { readonly psuId: string; readonly name: string } }): void => {
  for (const { message, heartbeats } of held) {
    clearInterval(heartbeats);
    message.respond(JSON.stringify({ ok }));
  }
  held = [];
};

type Open = () => Promise<AuthorisationRequest | Closed>;
const browserFor = (id: string, open: Open): FlowBrowser => new FlowBrowser(flow, id, open);
const browserOn = ({ id, authorisation }: ReturnType<typeof payment>): FlowBrowser =>
  browserFor(id, async () => authorisation);

/** Submits the sign-in form, and delays its password check. */
const slowSignIn = async (browser: FlowBrowser): Promise<Answer> => {
  await browser.look();
  return browser.send(browser.form({ psuId: 'slow stranger', password: 'guess' }));
};

const refusal = (ended: PromiseSettledResult<Answer>): string =>
  ended.status === 'rejected' && ended.reason instanceof Error ? ended.reason.name : ended.status;

describe('sign-ins with slow password checks (quality, Reliability)', () => {
  it('leave a slot for a customer of another TPP when 48 sign-ins arrive through links of one TPP', async () => {
    const floods = Array.from({ length: 48 }, () => slowSignIn(browserOn(payment({ tppId: 'A' }))));
    const ended = Promise.allSettled(floods);
    const customer = browserOn(payment({ tppId: 'B' }));
    expect(await customer.signIn()).toBe('review');
    expect(held).toHaveLength(4);
    expect(new Set((await ended).map(refusal))).toEqual(new Set([TooManySignIns.name]));
  });

  it('leave a slot for another customer, even of the same TPPs, when 24 sign-ins for one debtor account arrive through links of four TPPs', async () => {
    const floods = Array.from({ length: 24 }, (_, at) =>
      slowSignIn(browserOn(payment({ tppId: `TPP ${at % 4}`, debtorIban: 'one account' }))),
    );
    const ended = Promise.allSettled(floods);
    const customer = browserOn(payment({ tppId: 'TPP 0' }));
    expect(await customer.signIn()).toBe('review');
    expect(held).toHaveLength(3);
    expect(new Set((await ended).map(refusal))).toEqual(new Set([TooManySignIns.name]));
  });

  it('are abandoned before the gateway times out, so that nothing changes and the same form can be sent again', async () => {
    const browser = browserOn(payment());
    await browser.look();
    const began = performance.now();
    const form = browser.form({ psuId: `slow ${newId()}`, password: 'right' });
    await expect(browser.send(form)).rejects.toThrow(TooManySignIns);
    expect(performance.now() - began).toBeLessThan(gatewayWaitsMs);
    expect(await steps()).toEqual({ 'payment sign-in busy': 1 });
    const psu = { psuId: 'slow', name: 'slow' };
    endHeld({ psu });
    expect(await browser.look()).toBe('sign-in');
    const again = browser.send(form);
    while (held.length === 0) await nats.flush();
    endHeld({ psu });
    await again;
    expect(await browser.look()).toBe('review');
  });
});

describe('a form that is sent again (contract 12)', () => {
  it('signs the PSU in if it is the sign-in form, sent again after a lost response or twice at the same time', async () => {
    const browser = browserOn(payment());
    await browser.look();
    const form = browser.form({ psuId: newId(), password: 'right' });
    await browser.sendAndLose(form);
    expect(await browser.look()).toBe('sign-in');
    expect(browser.notice).toBe('');
    await Promise.all([browser.sendAndLose(form), browser.send(form)]);
    expect(await browser.look()).toBe('review');
  });

  it('leads to the current step if it is the sign-in form from an earlier page', async () => {
    const browser = browserOn(payment());
    await browser.look();
    const old = browser.form({ psuId: newId(), password: 'right' });
    await browser.send(old);
    expect(await browser.send(old)).toMatchObject({ redirect: expect.stringContaining('/sca/payment/') });
    expect(await browser.look()).toBe('review');
    expect(await browser.send({ ...old, csrf: 'another' })).toMatchObject({ status: 403 });
  });

  it('requests only one code if it is the review form', async () => {
    const browser = browserOn(payment());
    const psuId = newId();
    await browser.signIn(psuId);
    const approval = browser.form({});
    await Promise.all([browser.send(approval), browser.send(approval), browser.send(approval)]);
    expect(await browser.look()).toBe('code');
    expect(browser.notice).toBe('');
    const { rows } = await world.pool.query('SELECT FROM challenge WHERE psu_id = $1', [psuId]);
    expect(rows).toHaveLength(1);
  });

  it('counts as another attempt if it contains a wrong code, even from the same page; the fifth wrong code rejects the payment', async () => {
    const browser = browserOn(payment());
    const psuId = newId();
    await browser.signIn(psuId);
    await browser.send(browser.form({}));
    await browser.look();
    const wrong = browser.form({ otp: '000000' });
    const failures = async (): Promise<unknown> =>
      (await world.pool.query('SELECT failures FROM psu_sca WHERE psu_id = $1', [psuId])).rows[0];
    for (const count of [1, 2, 3, 4]) {
      await browser.send(wrong);
      expect(await failures()).toEqual({ failures: count });
    }
    await browser.look();
    expect(browser.notice).toContain('One try left, then signing is locked for 30 minutes.');
    await browser.send(wrong);
    expect(await browser.look()).toMatch(/<title>Signing is locked until \d\d:\d\d –/);
    expect(await steps()).toEqual({
      'payment sign-in passed': 1,
      'payment code wrong': 4,
      'payment code failed': 1,
      'payment decision sca-failed': 1,
    });
  });

  it('executes the payment once if the code is right, and shows the result', async () => {
    let signed = 0;
    const browser = browserOn(
      payment({}, async () => {
        signed += 1;
        return { kind: 'authorised' };
      }),
    );
    await browser.signIn();
    await browser.send(browser.form({}));
    await browser.look();
    const code = browser.form({ otp: '123456' });
    await Promise.all([browser.send(code), browser.send(code)]);
    await browser.send(code);
    expect(signed).toBe(1);
    expect(await browser.look()).toContain('You approved the payment');
    expect(await steps()).toEqual({
      'payment sign-in passed': 1,
      'payment code right': 1,
      'payment decision authorised': 1,
    });
  });

  it('hands over what the PSU saw and signed: the digest of the content, the language and the version of its texts', async () => {
    const given: unknown[] = [];
    const signable = payment({}, async (_psuId, _state, evidence) => {
      given.push(evidence);
      return { kind: 'authorised' };
    });
    const browser = browserOn(signable);
    await browser.signIn();
    await browser.look('bg');
    await browser.send(browser.form({}));
    await browser.look();
    await browser.send(browser.form({ otp: '123456' }));
    const binding = hash('sha256', JSON.stringify(['v1', 'consent', signable.id, []]), 'base64url');
    expect(given).toEqual([{ binding, language: 'bg', textsVersion: textsVersion('bg') }]);
  });

  it('stores with the signature the rows of the review that the PSU saw, although later pages show another day and language', async () => {
    const given: unknown[] = [];
    const { id, authorisation } = payment({}, async (_psuId, _state, { language, rows }) => {
      given.push({ language, rows });
      return { kind: 'authorised' };
    });
    let day = 'today';
    const browser = browserFor(id, async () => ({
      ...authorisation,
      content: () => ({
        kind: 'payment',
        resourceId: id,
        amount: { minor: 1, currency: 'BGN' },
        payeeAccount: 'ACC 12',
        payeeName: 'Payee',
      }),
      rows: (_state, language) => [{ label: 'When', value: `${day} (${language})` }],
    }));
    await browser.signIn();
    await browser.look('bg');
    await browser.send(browser.form({}));
    day = 'tomorrow';
    await browser.look('en');
    await browser.send(browser.form({ otp: '123456' }));
    expect(given).toEqual([{ language: 'bg', rows: [{ label: 'When', value: 'today (bg)' }] }]);
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'shows the review again if the decision in the form is no decision: %s',
    async (decision) => {
      const browser = browserOn(payment());
      await browser.signIn();
      await browser.send(browser.form({ decision, step: 'sign-in' }));
      expect(await browser.look()).toBe('review');
      expect(await steps()).not.toHaveProperty('payment decision psu-refused');
    },
  );

  it('shows the result if the form was a refusal', async () => {
    const browser = browserOn(payment());
    await browser.signIn();
    const refusal = browser.form({ decision: 'refuse' });
    await Promise.all([browser.send(refusal), browser.send(refusal)]);
    await browser.send(refusal);
    expect(await browser.look()).toContain('Not paid: you refused');
    expect(await steps()).toMatchObject({ 'payment decision psu-refused': 1 });
  });
});

describe('a sign-in after the bank lifted a lock (contract 12)', () => {
  it('is followed by a notice of this, which each sign-in repeats until the PSU has signed', async () => {
    const { pool, clock, logger } = world;
    const failures = new ScaFailures(pool, clock, { HASH_KEYS: testHashKeys });
    const psuId = newId();
    for (let failed = 0; failed < 5; failed += 1) await failures.password({ psuId }, false);
    const browser = browserOn(payment());
    expect(await browser.signIn(psuId)).toBe('sign-in');
    expect(await steps()).toEqual({ 'payment sign-in failed': 1 });
    const unlocks = new ScaUnlocks(pool, clock, failures, logger);
    await unlocks.lift(psuId, { operator: 'ivanova', reason: 'case 4711' });
    for (const again of [browser, browserOn(payment())]) {
      expect(await again.signIn(psuId)).toBe('review');
      expect(again.notice).toContain('the bank has unlocked it');
    }
    await browser.send(browser.form({}));
    expect([await browser.look(), browser.notice]).toEqual(['code', '']);
    await browser.send(browser.form({ otp: '123456' }));
    expect(await browser.look()).toContain('You approved the payment');
    const later = browserOn(payment());
    expect([await later.signIn(psuId), later.notice]).toEqual(['review', '']);
  });
});

describe('a signature that took effect although its call got no response (contract 12)', () => {
  it('is shown as the result to the PSU who signed; everybody else sees that the link has been used', async () => {
    const { id, authorisation } = payment({}, () => Promise.reject(dependencyDown()));
    let found: AuthorisationRequest | Closed = authorisation;
    const browser = browserFor(id, async () => found);
    const psuId = newId();
    await browser.signIn(psuId);
    await browser.send(browser.form({}));
    await browser.look();
    await expect(browser.send(browser.form({ otp: '123456' }))).rejects.toThrow('dependencyDown');
    found = {
      closed: 'used',
      decided: async (who) =>
        who === psuId
          ? { result: { kind: 'payment', tppName: 'TPP', outcome: { kind: 'authorised' } } }
          : undefined,
    };
    for (const time of [1, 2])
      expect([time, await browser.look()]).toEqual([
        time,
        expect.stringContaining('You approved the payment'),
      ]);
    expect(await browserFor(id, async () => found).look()).toContain('This link has been used');
  });
});
