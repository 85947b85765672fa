import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { type AuthWorld, startAuthWorld } from '../../testing/auth-world.js';
import { codeRequest } from '../../testing/code-request.js';
import { Challenges, type Issued, type NotSent } from './challenges.js';
import type { OtpMessage } from './otp-codes.js';
import { ScaFailures } from './sca-failures.js';

let world: AuthWorld;
let failures: ScaFailures;
let challenges: Challenges;
/** The messages that the bank delivered, oldest first. */
let delivered: OtpMessage[] = [];
let isBankDown = false;
/** What happens while the next code is delivered. */
let whileDelivering: (() => Promise<void>) | undefined;
afterEach(() => {
  whileDelivering = undefined;
});

beforeAll(async () => {
  world = await startAuthWorld();
  failures = new ScaFailures(world.pool, world.clock, { HASH_KEYS: testHashKeys });
  let next = 100_000;
  const codes = {
    areSent: true,
    next: () => String((next += 1)),
    deliver: async (message: OtpMessage) => {
      delivered = [...delivered, message];
      await whileDelivering?.();
      if (isBankDown) throw dependencyDown();
      return '+359 ••• ••• 42';
    },
  };
  challenges = new Challenges(world.pool, world.clock, failures, codes, {
    AUTH_COOKIE_SECRET: 'x'.repeat(32),
  });
}, 60_000);
afterAll(async () => world.stop());

const binding = otpBinding({ kind: 'consent', resourceId: newId(), accounts: [] });
const codesOf = (psuId: string): string[] =>
  delivered.filter((message) => message.psuId === psuId).map(({ code }) => code);
const issue = async (psuId: string): Promise<Issued> => {
  const issued = await challenges.issue(codeRequest(psuId, binding, 'en'));
  if (typeof issued === 'string') throw new Error(`no code was issued: ${issued}`);
  return issued;
};
const resend = async (psuId: string, { challengeId }: Issued): Promise<Issued | NotSent> =>
  challenges.resend(challengeId, codeRequest(psuId, binding, 'en'));
const resent = async (psuId: string, issued: Issued): Promise<Issued> => {
  world.later(30);
  const again = await resend(psuId, issued);
  if (typeof again === 'string') throw new Error(`no code was sent: ${again}`);
  return again;
};
const verify = async (psuId: string, { challengeId }: Issued, code = ''): Promise<string> =>
  challenges.verify(challengeId, { psuId }, binding, code);

describe('a new code (contract 12, amendment 12)', () => {
  it('is sent from 30 seconds after the one before, and says where and when', async () => {
    const psuId = newId();
    const first = await issue(psuId);
    expect(first.sentTo).toBe('+359 ••• ••• 42');
    world.later(29);
    expect(await resend(psuId, first)).toBe('too-soon');
    expect(codesOf(psuId)).toHaveLength(1);
    world.later(1);
    const before = world.clock.nowMs();
    const second = await resend(psuId, first);
    expect(typeof second === 'string' ? second : Date.parse(second.sentAt)).toBeGreaterThanOrEqual(before);
    expect(codesOf(psuId)).toHaveLength(2);
  });

  it('ends the code before', async () => {
    const psuId = newId();
    const first = await issue(psuId);
    const second = await resent(psuId, first);
    const [old, current] = codesOf(psuId);
    expect(await verify(psuId, first, old)).toBe('used');
    expect(await verify(psuId, second, old)).toBe('wrong');
    expect(await verify(psuId, second, current)).toBe('right');
  });

  it('does not reset the failures: the fifth wrong code over all codes ends the authorisation and locks', async () => {
    const psuId = newId();
    let last = await issue(psuId);
    for (const verdict of ['wrong', 'wrong', 'wrong', 'wrong', 'failed']) {
      expect(await verify(psuId, last, '000000')).toBe(verdict);
      if (verdict === 'wrong') last = await resent(psuId, last);
    }
    expect(await resend(psuId, last)).toBe('over');
    expect(await failures.password({ psuId }, true)).toBe(false);
  });

  it('counts with all others: at most five unused codes in 15 minutes, replaced ones included', async () => {
    const psuId = newId();
    let last = await issue(psuId);
    for (let sent = 1; sent < 5; sent += 1) last = await resent(psuId, last);
    world.later(30);
    expect(await resend(psuId, last)).toBe('too-many');
    expect(await challenges.issue(codeRequest(psuId, binding, 'en'))).toBe('too-many');
    expect(codesOf(psuId)).toHaveLength(5);
    world.later(900);
    expect(await issue(psuId)).toBeDefined();
  });

  it.each([2, 5])('is sent once if it is requested ten times at once, as code %i of 5', async (number) => {
    const psuId = newId();
    let last = await issue(psuId);
    for (let sent = 2; sent < number; sent += 1) last = await resent(psuId, last);
    world.later(30);
    const answers = await Promise.all(Array.from({ length: 10 }, async () => resend(psuId, last)));
    expect(answers.filter((answer) => answer === 'replaced')).toHaveLength(9);
    expect(codesOf(psuId)).toHaveLength(number);
  });

  it('is neither stored nor sent if the page no longer waits for it', async () => {
    const psuId = newId();
    const first = await issue(psuId);
    world.later(30);
    const request = { ...codeRequest(psuId, binding, 'en'), claim: async () => false };
    expect(await challenges.resend(first.challengeId, request)).toBe('replaced');
    expect(codesOf(psuId)).toHaveLength(1);
    expect(await verify(psuId, first, codesOf(psuId)[0])).toBe('right');
  });

  it('leaves the code before with the failures since, if it cannot be delivered', async () => {
    const psuId = newId();
    const first = await issue(psuId);
    const request = codeRequest(psuId, binding, 'en');
    world.later(30);
    whileDelivering = async () => {
      expect(await challenges.verify(request.challengeId, { psuId }, binding, '000000')).toBe('wrong');
      throw dependencyDown();
    };
    await expect(challenges.resend(first.challengeId, request)).rejects.toThrow('dependencyDown');
    expect(await challenges.standing(first.challengeId, { psuId })).toEqual({ triesLeft: 4 });
  });

  it('is not sent once the code before has signed, nor for a code of another PSU', async () => {
    const psuId = newId();
    const first = await issue(psuId);
    expect(await verify(psuId, first, codesOf(psuId)[0])).toBe('right');
    world.later(30);
    expect(await resend(psuId, first)).toBe('over');
    expect(await resend(newId(), first)).toBe('over');
  });

  it('leaves the code before valid if it cannot be delivered, and counts as sent', async () => {
    const psuId = newId();
    const first = await issue(psuId);
    world.later(30);
    isBankDown = true;
    // Four attempts and the first code are the five codes that a PSU may leave unused.
    for (let sent = 1; sent < 5; sent += 1)
      await expect(resend(psuId, first)).rejects.toThrow('dependencyDown');
    isBankDown = false;
    expect(await resend(psuId, first)).toBe('too-many');
    expect(await verify(psuId, first, codesOf(psuId).at(-1))).toBe('wrong');
    expect(await verify(psuId, first, codesOf(psuId)[0])).toBe('right');
  });

  it('never both replaces a code and lets it sign', async () => {
    const psuId = newId();
    const first = await issue(psuId);
    world.later(30);
    const [answer, verdict] = await Promise.all([
      resend(psuId, first),
      verify(psuId, first, codesOf(psuId)[0]),
    ]);
    expect([answer === 'over', verdict]).toEqual(verdict === 'right' ? [true, 'right'] : [false, 'used']);
  });
});

describe('the tries that are left (ADR 30)', () => {
  const standing = async (psuId: string, { challengeId }: Issued, browser?: string) =>
    challenges.standing(challengeId, { psuId, browser });

  it('are those of the counter that decides: in a known browser its own', async () => {
    const [psuId, browser] = [newId(), newId()];
    await failures.password({ psuId }, true);
    await failures.password({ psuId }, false);
    const issued = await issue(psuId);
    await verify(psuId, issued, '000000');
    expect(await standing(psuId, issued)).toEqual({ triesLeft: 3 });
    expect(await standing(psuId, issued, browser)).toEqual({ triesLeft: 4 });
  });

  it('are none while signing is locked, and five after the lock', async () => {
    const psuId = newId();
    const issued = await issue(psuId);
    for (let failed = 0; failed < 5; failed += 1) await failures.password({ psuId }, false);
    const { triesLeft, lockedUntil } = await standing(psuId, issued);
    expect(triesLeft).toBe(0);
    expect(Date.parse(lockedUntil ?? '') - world.clock.nowMs()).toBeGreaterThan(29 * 60_000);
    world.later(30 * 60 + 1);
    expect(await standing(psuId, issued)).toEqual({ triesLeft: 5 });
  });
});
