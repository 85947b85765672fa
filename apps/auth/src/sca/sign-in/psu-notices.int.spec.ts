import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { BankFault } from '@xs2a/core-banking/port/bank-fault';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { type AuthWorld, startAuthWorld } from '../../testing/auth-world.js';
import { codeRequest } from '../../testing/code-request.js';
import { Challenges } from './challenges.js';
import { sandboxCodes } from './otp-codes.js';
import { bankNotices, reportLocks } from './psu-notices.js';
import { ScaFailures } from './sca-failures.js';

let world: AuthWorld;
let failures: ScaFailures;
/** What the bank was asked, in order. */
let asked: unknown[] = [];

beforeAll(async () => {
  world = await startAuthWorld();
  failures = new ScaFailures(world.pool, world.clock, { HASH_KEYS: testHashKeys });
  const notices = bankNotices(
    {
      ask: async (subject, request) => {
        asked = [...asked, { subject, request }];
        throw new BankFault('unavailable');
      },
    },
    world.clock,
  );
  reportLocks(failures, notices, world.logger);
}, 60_000);
afterAll(async () => world.stop());

/** Returns once the locks so far are reported, which happens after the answer. */
const reported = async (): Promise<unknown> => new Promise(setImmediate);
const fail = async (psuId: string, times: number): Promise<unknown> => {
  await Promise.all(Array.from({ length: times }, async () => failures.password({ psuId }, false)));
  return reported();
};
const customer = async (): Promise<string> => {
  const psuId = newId();
  await failures.password({ psuId }, true);
  asked = [];
  return psuId;
};
const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const lockOf = (psuId: string) => ({
  subject: 'svc.bank.tell-psu',
  request: { psuId, event: 'sca-locked', until },
});

describe('a customer whose SCA is locked (contract 12)', () => {
  it('is notified by the bank once, even if 20 passwords fail at once and the bank does not answer', async () => {
    const psuId = await customer();
    await fail(psuId, 4);
    expect(asked).toEqual([]);
    await fail(psuId, 20);
    expect(asked).toEqual([lockOf(psuId)]);
  });

  it('is notified if the last failure is a code', async () => {
    const psuId = await customer();
    const challenges = new Challenges(world.pool, world.clock, failures, sandboxCodes, {
      AUTH_COOKIE_SECRET: 'x'.repeat(32),
    });
    const binding = otpBinding({ kind: 'consent', resourceId: newId(), accounts: [] });
    const request = codeRequest(psuId, binding, 'en');
    await challenges.issue(request);
    for (let tries = 0; tries < 5; tries += 1)
      await challenges.verify(request.challengeId, { psuId }, binding, '000000');
    await reported();
    expect(asked).toEqual([lockOf(psuId)]);
  });

  it('is not notified for a name with which nobody has signed in, and not if only a browser is locked', async () => {
    await customer();
    await fail(newId(), 6);
    expect(asked).toEqual([]);
    const psuId = await customer();
    await fail(psuId, 5);
    asked = [];
    const known = { psuId, browser: newId() };
    for (let tries = 0; tries < 5; tries += 1) await failures.password(known, false);
    await reported();
    expect(asked).toEqual([]);
  });
});
