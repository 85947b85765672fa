// Lane: long (the operator command).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LiftedLock, PsuSca } from '@xs2a/contracts/auth.contract';
import { noApprovals } from '@xs2a/doctor/open-approvals';
import {
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import type { Page } from '@xs2a/tpp-client/psu-browser';
import { userInfo } from 'node:os';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let psu: FreshPsu;

beforeAll(async () => {
  world = await World.ofLane();
  operator = makeOperator(world.dataDir);
  psu = await world.person();
}, 120_000);
afterAll(async () => world?.stop());

const signIn = async (password: string): Promise<Page> => {
  const browser = world.browser();
  const page = await browser.open(`${world.baseUrl}/sca/payments`);
  return browser.submit(page, { psuId: psu.psuId, password }, 'approve');
};
const lock = async (): Promise<void> => {
  for (let failed = 0; failed < 5; failed += 1) await signIn('wrong');
  expect((await signIn(psu.password)).text).toContain('We could not sign you in');
};
const unlock = async (...more: readonly string[]) =>
  operator.xs2a('psu', 'unlock', psu.psuId, '--reason', 'case 4711', ...more);

describe('xs2a psu (docs/runbooks/sca-locked.md)', () => {
  it('shows the failures of a PSU, and until when SCA is locked', async () => {
    await signIn('wrong');
    expect(await operator.xs2a('psu', 'show', psu.psuId)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^SCA {7}not locked\nfailures {2}1 in a row\nfailed {4}\S+Z\n$/),
      stderr: '',
    });
    await lock();
    expect((await operator.xs2a('psu', 'show', psu.psuId)).stdout).toMatch(
      /^SCA {7}locked until \S+Z\nfailures {2}5 in a row\n(?:failed {4}\S+Z\n){6}$/,
    );
  }, 60_000);

  it('lifts the lock, which the PSU sees after the next sign-in, and records who lifted it and why', async () => {
    const { lockedUntil } = await operator.oneJson<PsuSca>('psu', 'show', psu.psuId);
    expect(await unlock()).toEqual({
      code: 0,
      stdout: `✓ the SCA lock until ${lockedUntil} is lifted\n`,
      stderr: '',
    });
    expect((await signIn(psu.password)).text).toContain('the bank has unlocked it');
    await lock();
    const second = await operator.oneJson<LiftedLock>(
      ...(['psu', 'unlock', psu.psuId, '--reason', 'case 4712', '--operator', 'ivanova'] as const),
    );
    const shown = await operator.oneJson<PsuSca>('psu', 'show', psu.psuId);
    expect(shown).toEqual({
      failures: 0,
      failedAt: expect.any(Array),
      lifted: [
        second,
        { at: expect.any(String), operator: userInfo().username, reason: 'case 4711', lockedUntil },
      ],
    });
    expect(second).toMatchObject({ operator: 'ivanova', reason: 'case 4712' });
    expect((await operator.xs2a('psu', 'show', psu.psuId)).stdout).toMatch(
      /\nlock lifted +locked until +operator +reason\n\S+Z +\S+Z +ivanova +case 4712\n/,
    );
  }, 60_000);

  it('refuses to lift a lock that does not exist, an unknown PSU-ID, and a reason that names the PSU', async () => {
    expect(await unlock()).toEqual({ code: 1, stdout: '', stderr: 'SCA is not locked for this PSU.\n' });
    const unknown = {
      code: 1,
      stdout: '',
      stderr: 'Unknown PSU-ID: there is no record of a sign-in, or of an attempt, with it.\n',
    };
    expect(await operator.xs2a('psu', 'unlock', 'nobody', '--reason', 'case 4711')).toEqual(unknown);
    expect(await operator.xs2a('psu', 'show', 'nobody')).toEqual(unknown);
    expect(await operator.xs2a('psu', 'unlock', psu.psuId, '--reason', `for ${psu.psuId}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The reason is kept permanently: name the case, not the person or an account.\n',
    });
    expect(await operator.xs2a('psu', 'unlock', psu.psuId, '--reason', 'x'.repeat(501))).toEqual({
      code: 2,
      stdout: '',
      stderr: 'A reason has 1 to 500 characters on one line.\n',
    });
  }, 60_000);

  it('prints what waits for the approval of a PSU, and records the operator and the reason without the PSU-ID', async () => {
    const asked = await world.person('100.00');
    const approvals = async () => operator.xs2a('psu', 'approvals', asked.psuId, '--reason', 'case 4713');
    expect(await approvals()).toEqual({ code: 0, stdout: `${noApprovals}\n`, stderr: '' });
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const headers = { 'PSU-ID': asked.psuId };
    const body = domesticPayment(asked.accounts[0]?.iban ?? '', '12.50');
    const { paymentId } = await initiate(tpp, token, body, headers);
    const day = dayFrom(await sandboxNow(world), 30);
    const { consentId } = bodyOf<{ consentId: string }>(
      await createConsent(tpp, asked.psuId, consentBody([asked.accounts[0]?.iban ?? ''], day)),
      201,
    );
    const { stdout } = await approvals();
    expect(stdout).toMatch(
      /^what +id +TPP +since +until +this PSU +signed\nconsent +\S+ +sandbox-tpp +\S+Z +\S+Z +received +0 of 1\npayment /,
    );
    for (const id of [paymentId, consentId]) expect(stdout).toContain(id);
    const recorded = await operator.xs2a('actions', 'list', '--act', 'find-approvals');
    expect(recorded.stdout).toMatch(/case 4713/);
    expect(recorded.stdout).not.toContain(asked.psuId);
    const named = await operator.xs2a('psu', 'approvals', asked.psuId, '--reason', `for ${asked.psuId}`);
    expect(named).toMatchObject({ code: 2, stdout: '' });
  }, 60_000);

  it('lists no lifted lock of a PSU whose data was erased', async () => {
    const erase = ['privacy', 'erase', '--psu', psu.psuId, '--reason', 'asked on 1 December'] as const;
    expect(await operator.xs2a(...erase)).toMatchObject({ code: 0 });
    await signIn('wrong');
    expect(await operator.oneJson('psu', 'show', psu.psuId)).toEqual({
      failures: 1,
      failedAt: [expect.any(String)],
      lifted: [],
    });
  }, 60_000);
});
