import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { CallFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { changeOf } from '@xs2a/observability/testing/read-metric';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { createHash, createHmac } from 'node:crypto';
import { type AuthWorld, startAuthWorld } from '../testing/auth-world.js';
import { codeRequest } from '../testing/code-request.js';
import { Challenges } from './sign-in/challenges.js';
import { type OtpCodes, sandboxCodes } from './sign-in/otp-codes.js';
import { PageSessions } from './page-sessions.js';
import { ScaFailures } from './sign-in/sca-failures.js';

let world: AuthWorld;
let failures: ScaFailures;
let challenges: Challenges;
let sessions: PageSessions;

const made = (codes: OtpCodes): Challenges =>
  new Challenges(world.pool, world.clock, failures, codes, { AUTH_COOKIE_SECRET: 'x'.repeat(32) });

beforeAll(async () => {
  world = await startAuthWorld();
  failures = new ScaFailures(world.pool, world.clock, { HASH_KEYS: testHashKeys });
  challenges = made(sandboxCodes);
  sessions = new PageSessions(world.pool, world.clock);
}, 60_000);
afterAll(async () => world.stop());

/** Issues a challenge and fails the test if none is issued. */
const issued = async (from: Challenges, ...about: Parameters<typeof codeRequest>): Promise<string> => {
  const sent = await from.issue(codeRequest(...about));
  if (typeof sent === 'string') throw new Error(`no code was issued: ${sent}`);
  return sent.challengeId;
};
const order = (resourceId: string, minor = 1250): string =>
  otpBinding({
    kind: 'payment',
    resourceId,
    amount: { minor, currency: 'BGN' },
    payeeAccount: 'BG46XSBK92001000000011',
    payeeName: 'Мария',
  });
const times = async <Value>(count: number, work: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, work));

describe('the lockout of a PSU (contract 12)', () => {
  it('begins after 5 failures in a row across all sessions, and lasts 30 minutes', async () => {
    const psuId = newId();
    await times(20, () => failures.password({ psuId }, false));
    expect(await failures.password({ psuId }, true)).toBe(false);
    world.later(29 * 60);
    expect(await failures.password({ psuId }, true)).toBe(false);
    world.later(61);
    expect(await failures.password({ psuId }, true)).toBe(true);
  });

  it('counts wrong passwords and wrong codes together; a correct password without a correct code does not reset the count', async () => {
    const psuId = newId();
    const binding = order(newId());
    const challengeId = await issued(challenges, psuId, binding, 'bg');
    await failures.password({ psuId }, false);
    await challenges.verify(challengeId, { psuId }, binding, '000000');
    await failures.password({ psuId }, true);
    await failures.password({ psuId }, false);
    await challenges.verify(challengeId, { psuId }, binding, '000000');
    expect(await failures.password({ psuId }, true)).toBe(true);
    await failures.password({ psuId }, false);
    expect(await failures.password({ psuId }, true)).toBe(false);
    expect(await challenges.verify(challengeId, { psuId }, binding, '123456')).toBe('wrong');
  });

  it('starts counting again after a completed SCA', async () => {
    const psuId = newId();
    const binding = order(newId());
    await times(4, () => failures.password({ psuId }, false));
    const challengeId = await issued(challenges, psuId, binding, 'bg');
    expect(await challenges.verify(challengeId, { psuId }, binding, '123456')).toBe('right');
    await times(4, () => failures.password({ psuId }, false));
    expect(await failures.password({ psuId }, true)).toBe(true);
  });
});

describe('a name that nobody has ever signed in with (contract 12)', () => {
  const stored = async (name: string): Promise<unknown[]> =>
    (
      await world.pool.query(
        'SELECT failures, locked_until, is_known FROM psu_sca WHERE strpos(psu_sca::text, $1) > 0',
        [name],
      )
    ).rows;
  const guesses = (name: string): string[] => [
    name,
    ...['hex', 'base64url'].flatMap((form) => [
      createHash('sha256')
        .update(name)
        .digest(form as 'hex'),
      createHmac('sha256', '')
        .update(JSON.stringify(['psu', name]))
        .digest(form as 'hex'),
    ]),
  ];

  it('has its failures counted and can be locked, but is stored neither in plain text nor as a hash that could confirm a guess', async () => {
    const name = `my password ${newId()}`;
    await times(5, () => failures.password({ psuId: name }, false));
    for (const guess of guesses(name)) expect(await stored(guess)).toEqual([]);
    expect(await stored(testHashKeys.current.hmac('psu', name).toString('base64url'))).toEqual([
      { failures: 5, locked_until: expect.any(Date), is_known: false },
    ]);
  });

  it('is stored together with its count once somebody signs in with it, even while other attempts with it fail', async () => {
    const psuId = `customer ${newId()}`;
    await times(2, () => failures.password({ psuId }, false));
    const outcomes = await Promise.all([
      failures.password({ psuId }, true),
      ...Array.from({ length: 2 }, async () => failures.password({ psuId }, false)),
      failures.password({ psuId }, true),
    ]);
    expect(outcomes).toEqual([true, false, false, true]);
    expect(await stored(psuId)).toEqual([{ failures: 4, locked_until: null, is_known: true }]);
    expect(await stored(testHashKeys.current.hmac('psu', psuId).toString('base64url'))).toEqual([]);
    await failures.password({ psuId }, false);
    expect(await failures.password({ psuId }, true)).toBe(false);
  });

  it('is not affected by attempts to sign in with its stored form', async () => {
    const [name, { current }] = [newId(), testHashKeys];
    await failures.password({ psuId: name }, false);
    const form = `${current.name}:${current.hmac('psu', name).toString('base64url')}`;
    await times(5, () => failures.password({ psuId: form }, false));
    expect(await failures.password({ psuId: name }, true)).toBe(true);
  });
});

describe('a browser in which the PSU has completed SCA (contract 12)', () => {
  const strangersFail = async (psuId: string): Promise<unknown> =>
    times(5, () => failures.password({ psuId }, false));

  it('is not locked by failures of strangers, who stay locked out even when the browser completes another SCA', async () => {
    const psuId = newId();
    const known = { psuId, browser: newId() };
    await strangersFail(psuId);
    expect(await failures.password({ psuId }, true)).toBe(false);
    expect(await failures.password(known, true)).toBe(true);
    const binding = order(newId());
    const challengeId = await issued(challenges, psuId, binding, 'bg');
    expect(await challenges.verify(challengeId, { psuId }, binding, '123456')).toBe('wrong');
    expect(await challenges.verify(challengeId, known, binding, '123456')).toBe('right');
    expect(await failures.password({ psuId }, true)).toBe(false);
    world.later(30 * 60 + 1);
    expect(await failures.password({ psuId }, true)).toBe(true);
  });

  it('is locked by five failures in it, which also lock the PSU in all other browsers', async () => {
    const psuId = newId();
    const [known, other] = [
      { psuId, browser: newId() },
      { psuId, browser: newId() },
    ];
    await times(5, () => failures.password(known, false));
    expect(await failures.password(known, true)).toBe(false);
    expect(await failures.password({ psuId }, true)).toBe(false);
    expect(await failures.password(other, true)).toBe(true);
    world.later(30 * 60 + 1);
    expect(await failures.password(known, true)).toBe(true);
  });

  it('has 20 concurrent failures counted one by one', async () => {
    const known = { psuId: newId(), browser: newId() };
    await times(20, () => failures.password(known, false));
    expect(await failures.password(known, true)).toBe(false);
  });
});

describe('one-time codes (quality, "Security")', () => {
  it('are no longer sent after five unused codes, even if requested concurrently; used codes do not count', async () => {
    const psuId = newId();
    let sent = 0;
    const messages = made({ areSent: true, next: () => '048213', deliver: async () => void (sent += 1) });
    for (let used = 0; used < 6; used += 1) {
      const binding = order(newId());
      const challengeId = await issued(messages, psuId, binding, 'bg');
      expect(await messages.verify(challengeId, { psuId }, binding, '048213')).toBe('right');
    }
    const answers = await times(12, () => messages.issue(codeRequest(psuId, order(newId()), 'bg')));
    expect([answers.filter((answer) => answer === 'too-many').length, sent]).toEqual([7, 11]);
    expect(await issued(messages, newId(), order(newId()), 'bg')).toBeDefined();
    world.later(15 * 60 + 1);
    expect(await issued(messages, psuId, order(newId()), 'bg')).toBeDefined();
  });

  it('sign only the content for which they were issued', async () => {
    const psuId = newId();
    const [mine, other] = [newId(), newId()];
    const challengeId = await issued(challenges, psuId, order(mine), 'bg');
    expect(await challenges.verify(challengeId, { psuId }, order(other), '123456')).toBe('wrong');
    expect(await challenges.verify(challengeId, { psuId }, order(mine, 1251), '123456')).toBe('wrong');
    expect(await challenges.verify(challengeId, { psuId: newId() }, order(mine), '123456')).toBe('expired');
    expect(await challenges.verify(challengeId, { psuId }, order(mine), '123456')).toBe('right');
  });

  it('can be used only once, even if submitted 20 times concurrently', async () => {
    const psuId = newId();
    const binding = order(newId());
    const challengeId = await issued(challenges, psuId, binding, 'bg');
    const verdicts = await times(20, () => challenges.verify(challengeId, { psuId }, binding, '123456'));
    expect(verdicts.filter((verdict) => verdict === 'right')).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === 'used')).toHaveLength(19);
  });

  it('fail the SCA at the fifth wrong attempt, even if the attempts run in parallel', async () => {
    const psuId = newId();
    const binding = order(newId());
    const challengeId = await issued(challenges, psuId, binding, 'bg');
    const verdicts = await times(12, () => challenges.verify(challengeId, { psuId }, binding, '000000'));
    expect(verdicts.filter((verdict) => verdict === 'wrong')).toHaveLength(4);
    expect(verdicts.filter((verdict) => verdict === 'failed')).toHaveLength(8);
    expect(await challenges.verify(challengeId, { psuId }, binding, '123456')).toBe('failed');
  });

  it('expire after 5 minutes', async () => {
    const psuId = newId();
    const binding = order(newId());
    const challengeId = await issued(challenges, psuId, binding, 'bg');
    const inTime = { psuId: newId(), binding: order(newId()) };
    const inTimeId = await issued(challenges, inTime.psuId, inTime.binding, 'bg');
    world.later(295);
    expect(await challenges.verify(inTimeId, { psuId: inTime.psuId }, inTime.binding, '123456')).toBe(
      'right',
    );
    world.later(6);
    expect(await challenges.verify(challengeId, { psuId }, binding, '123456')).toBe('expired');
  });

  it('are delivered to the PSU and stored as a hash', async () => {
    const delivered: string[] = [];
    const codes: OtpCodes = {
      areSent: true,
      next: () => '048213',
      deliver: async ({ code }) => void delivered.push(code),
    };
    const psuId = newId();
    const binding = order(newId());
    const challengeId = await issued(made(codes), psuId, binding, 'en');
    expect(delivered).toEqual(['048213']);
    const { rows } = await world.pool.query<{ row: string }>(
      'SELECT challenge::text AS row FROM challenge WHERE challenge_id = $1',
      [challengeId],
    );
    expect(rows[0]?.row).not.toContain('048213');
    expect(await challenges.verify(challengeId, { psuId }, binding, '048213')).toBe('right');
  });
});

describe('the metrics of SCA (docs/metrics.md)', () => {
  const failuresOf = async (work: () => Promise<unknown>): Promise<unknown> => {
    let locks: unknown;
    const counted = await changeOf('xs2a_sca_failures_total', async () => {
      locks = await changeOf('xs2a_sca_locks_total', work);
    });
    return { counted, locks };
  };

  it('count each failure once by its factor, and each lock once by what it locks', async () => {
    const psuId = newId();
    const known = { psuId, browser: newId() };
    const binding = order(newId());
    const challengeId = await issued(challenges, psuId, binding, 'bg');
    const once = async (): Promise<unknown> => failures.password({ psuId }, false);
    expect(await failuresOf(once)).toEqual({ counted: { password: 1 }, locks: {} });
    expect(
      await failuresOf(async () => {
        await times(3, () => challenges.verify(challengeId, { psuId }, binding, '000000'));
        await challenges.verify(newId(), { psuId }, binding, '000000');
      }),
    ).toEqual({ counted: { code: 3 }, locks: {} });
    expect(await failuresOf(async () => times(5, once))).toEqual({
      counted: { password: 5 },
      locks: { psu: 1 },
    });
    expect(await failuresOf(async () => times(5, () => failures.password(known, false)))).toEqual({
      counted: { password: 5 },
      locks: { browser: 1 },
    });
    expect(await failuresOf(async () => failures.password(known, true))).toEqual({ counted: {}, locks: {} });
  });

  it('count codes by whether they reached the PSU', async () => {
    const psuId = newId();
    let isDown = false;
    const messages = made({
      areSent: true,
      next: () => '048213',
      deliver: async () => {
        if (isDown) throw dependencyDown();
      },
    });
    const change = await changeOf('xs2a_sca_codes_total', async () => {
      await challenges.issue(codeRequest(newId(), order(newId()), 'bg'));
      for (let sent = 0; sent < 4; sent += 1) await messages.issue(codeRequest(psuId, order(newId()), 'bg'));
      isDown = true;
      await expect(messages.issue(codeRequest(psuId, order(newId()), 'bg'))).rejects.toThrow(CallFailed);
      await messages.issue(codeRequest(psuId, order(newId()), 'bg'));
    });
    expect(change).toEqual({ shown: 1, sent: 4, 'not-delivered': 1, 'too-many': 1 });
  });
});

describe('page sessions (contract 12)', () => {
  it('end after 5 idle minutes, and are extended by each request', async () => {
    const { id } = await sessions.begin('payment/a/b', { step: 'sign-in' });
    world.later(299);
    expect(await sessions.find(id, 'payment/a/b')).toBeDefined();
    world.later(299);
    expect(await sessions.find(id, 'payment/a/b')).toBeDefined();
    world.later(300);
    expect(await sessions.find(id, 'payment/a/b')).toBeUndefined();
  });

  it('are bound to one resource', async () => {
    const { id } = await sessions.begin('payment/a/b', { step: 'code' });
    expect(await sessions.find(id, 'payment/a/c')).toBeUndefined();
  });

  it('receive a new id and a new token when the PSU signs in', async () => {
    const { id, session } = await sessions.begin('payment/a/b', { step: 'sign-in' });
    const renewed = await sessions.renew(session, { step: 'review', psuId: 'ivan' });
    // If the browser did not receive the response, it sends the form of the previous session again.
    const before = await sessions.find(id, 'payment/a/b');
    expect(before?.state).toEqual({ step: 'sign-in' });
    const found = await sessions.find(renewed.id, 'payment/a/b');
    expect(found?.state).toEqual({ step: 'review', psuId: 'ivan', signInCsrf: session.csrf });
    expect(found?.csrf).not.toBe(session.csrf);
  });

  it('accept only one of two concurrent changes', async () => {
    const { session } = await sessions.begin('payment/a/b', { step: 'sign-in' });
    const saved = await times(2, () => sessions.save(session, { step: 'review' }));
    expect(saved.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('are stored without their id and without anything else that gives access to them', async () => {
    const { id } = await sessions.begin('payment/a/b', { step: 'sign-in' });
    const { rows } = await world.pool.query<{ row: string }>(
      'SELECT page_session::text AS row FROM page_session',
    );
    expect(rows.filter(({ row }) => row.includes(id))).toEqual([]);
  });
});
