// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedAction } from '@xs2a/console/actions/action-reader';
import { newId } from '@xs2a/runtime/ids';
import { World } from '@xs2a/test-support/world';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;

beforeAll(async () => {
  world = await World.around({ console: {}, env: { console: { CONSOLE_TWO_PEOPLE: 'money' } } });
  operator = makeOperator(world.dataDir);
}, 120_000);
afterAll(async () => world?.stop());

const paymentId = newId();
const tryNow = async () =>
  operator.xs2a('settlement', 'try-now', paymentId, '--reason', 'case 4711', '--operator', 'ivanova');
const list = async () => (await operator.oneJson<{ actions: ListedAction[] }>('actions', 'list')).actions;

describe('xs2a where two people must approve (docs/how-to/operate-the-console.md)', () => {
  it('only requests what moves money, and says who can approve it', async () => {
    const { code, stderr } = await tryNow();
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing was done yet. Another person must approve it within 24 hours');
    expect(await list()).toEqual([
      expect.objectContaining({
        act: 'try-settlement-now',
        target: paymentId,
        name: 'ivanova',
        via: 'command',
        end: null,
      }),
    ]);
  });

  it('runs another action at once', async () => {
    const args = ['tpp', 'block', 'sandbox-tpp-2', '--reason', 'asked by the supervisor'];
    expect(await operator.xs2a(...args)).toMatchObject({ code: 0, stderr: '' });
    expect((await list())[0]).toMatchObject({ act: 'block-tpp', end: 'action-done' });
  });

  it('does not move money while the console is down, but repairs the rest', async () => {
    const { pid } = world.sandbox.services.console;
    process.kill(pid, 'SIGSTOP');
    const refused = await tryNow();
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('The console does not answer'),
    ]);
    const unblocked = await operator.xs2a('tpp', 'unblock', 'sandbox-tpp-2', '--reason', 'case 4712');
    expect([unblocked.code, unblocked.stderr]).toEqual([
      0,
      expect.stringContaining('is not among the console'),
    ]);
  });
});
