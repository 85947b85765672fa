// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedAction } from '@xs2a/console/actions/action-reader';
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
import { newId } from '@xs2a/runtime/ids';
import { makeOperator } from './testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let psu: FreshPsu;
let iban: string;
let paymentId: string;

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  psu = await world.person();
  iban = psu.accounts[0]?.iban ?? '';
  const tpp = world.tpp();
  const body = domesticPayment(iban, '12.50', { creditorName: 'Canary Ltd' });
  ({ paymentId } = await initiate(tpp, await tpp.applicationToken(), body));
}, 120_000);
afterAll(async () => world?.stop());

const reveal = async (field: string, ...more: readonly string[]) =>
  operator.xs2a('payments', 'reveal', paymentId, '--field', field, '--reason', 'case 4711', ...more);
const newest = async (): Promise<ListedAction | undefined> =>
  (await operator.oneJson<{ actions: ListedAction[] }>('actions', 'list', '--limit', '1')).actions[0];

describe('xs2a payments reveal and consents reveal (docs/how-to/operate-the-console.md)', () => {
  it('show one field, which is recorded among the actions of the console', async () => {
    expect(await reveal('creditorName', '--operator', 'ivanova')).toEqual({
      code: 0,
      stdout: 'Canary Ltd\n',
      stderr: '',
    });
    const action = await newest();
    expect(action).toMatchObject({
      type: 'revealed',
      via: 'command',
      name: 'ivanova',
      act: 'reveal-field',
      target: `payment ${paymentId}: creditorName`,
      reason: 'case 4711',
      end: null,
    });
    expect(JSON.stringify(action)).not.toContain('Canary');
    const access = consentBody([iban], dayFrom(await sandboxNow(world), 60));
    const { consentId } = bodyOf<{ consentId: string }>(
      await createConsent(world.tpp(), psu.psuId, access),
      201,
    );
    const ofConsent = [
      'consents',
      'reveal',
      consentId,
      '--field',
      'accounts',
      '--reason',
      'case 4712',
    ] as const;
    expect(await operator.oneJson(...ofConsent)).toEqual({ values: [iban], left: 18 });
  }, 60_000);

  it('refuse what is not stored, a reason that names an account, and more than 20 within an hour', async () => {
    const unknown = ['payments', 'reveal', newId(), '--field', 'psuId', '--reason', 'case 4711'] as const;
    expect(await operator.xs2a(...unknown)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Nothing with this id is stored, or it is archived.\n',
    });
    expect(await newest()).toMatchObject({ type: 'revealed', end: 'action-failed' });
    expect(await reveal('psuId', '--reason', `account ${iban}`)).toMatchObject({ code: 2, stdout: '' });
    for (let made = 0; made < 19; made += 1) await reveal('remittance', '--operator', 'ivanova');
    expect(await reveal('remittance', '--operator', 'Ivanova')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Commands have revealed data 20 times within an hour\. .* UTC\.\n$/),
    });
  }, 120_000);

  it('reveal nothing while the console does not answer', async () => {
    const { pid } = world.sandbox.services.console;
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await reveal('creditorName', '--operator', 'petrov')).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^The console does not answer\. /),
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }, 60_000);
});
