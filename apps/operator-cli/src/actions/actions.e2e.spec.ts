// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChainState, ListedAction } from '@xs2a/console/actions/action-reader';
import { until } from '@xs2a/nats/testing/until';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let psu: FreshPsu;

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  psu = await world.person();
}, 120_000);
afterAll(async () => world?.stop());

const lock = async (): Promise<void> => {
  for (let failed = 0; failed < 5; failed += 1) {
    const browser = world.browser();
    const page = await browser.open(`${world.baseUrl}/sca/payments`);
    await browser.submit(page, { psuId: psu.psuId, password: 'wrong' }, 'approve');
  }
};
const unlock = async (reason: string) =>
  operator.xs2a('psu', 'unlock', psu.psuId, '--reason', reason, '--operator', 'ivanova');
const list = async (...args: readonly string[]) =>
  operator.oneJson<{ actions: ListedAction[]; next: number | null }>('actions', 'list', ...args);

describe('xs2a actions (docs/how-to/operate-the-console.md)', () => {
  it('lists a lock that psu unlock lifted, without the PSU-ID, and verifies the chain', async () => {
    expect((await operator.xs2a('actions', 'list')).stdout).toBe('No such actions.\n');
    expect((await operator.xs2a('actions', 'verify')).stdout).toBe('✓ There are no records yet.\n');
    for (const reason of ['case 4711', 'case 4712']) {
      await lock();
      expect(await unlock(reason)).toMatchObject({ code: 0, stderr: '' });
    }
    const { actions, next } = await list('--by', 'ivanova', '--act', 'lift-sca-lock', '--limit', '1');
    expect(actions).toEqual([
      expect.objectContaining({
        name: 'ivanova',
        via: 'command',
        act: 'lift-sca-lock',
        target: 'psu',
        reason: 'case 4712',
        end: 'action-done',
        outcome: expect.stringMatching(/^The SCA lock until .* UTC is lifted\.$/),
      }),
    ]);
    const { stdout } = await operator.xs2a('actions', 'list', '--limit', '1');
    expect(stdout).toMatch(
      /ivanova +by command +lift-sca-lock +psu +done: The SCA lock until .* case 4712\n/,
    );
    expect(stdout).toContain(`For older ones: --before ${next}\n`);
    expect(stdout).not.toContain(psu.psuId);
    const older = await list('--before', String(next));
    expect(older.actions.map(({ reason }) => reason)).toEqual(['case 4711']);
    expect((await operator.xs2a('actions', 'verify')).stdout).toMatch(
      /^✓ The chain of 4 records is complete\.\nrecord 4 has the hash [0-9a-f]{64}\n$/,
    );
  }, 60_000);

  it('has no record of a lock that was lifted while the console did not answer: psu unlock says so', async () => {
    await lock();
    const { pid } = world.sandbox.services.console;
    process.kill(pid, 'SIGSTOP');
    try {
      const { code, stdout, stderr } = await unlock('case 4713');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^✓ the SCA lock until \S+ is lifted\n$/)]);
      expect(stderr).toMatch(
        /^The console does not answer\. .*\nThe action is done, but it is not among the console's actions\.\n$/,
      );
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }, 60_000);

  it('has who paused and continued a job, and that a job which had ended could not be paused', async () => {
    const [jobId, item] = [newId(), newId()];
    const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'jobs', max: 1 });
    await owner.query(
      `INSERT INTO console.job (job_id, act, target, state) VALUES ($1, 'replay-notifications', 'all TPPs', 'paused')`,
      [jobId],
    );
    await owner.query('INSERT INTO console.job_item (job_id, number, item) VALUES ($1, 1, $2)', [
      jobId,
      item,
    ]);
    const job = async (change: string) =>
      operator.xs2a('jobs', change, jobId, '--reason', 'case 4714', '--operator', 'ivanova');
    expect(await job('continue')).toMatchObject({ code: 0, stdout: `✓ job ${jobId} continues\n` });
    await until(async () => {
      const { rows } = await owner.query('SELECT state FROM console.job WHERE job_id = $1', [jobId]);
      expect(rows).toEqual([{ state: 'ended' }]);
    });
    await owner.end();
    expect(await job('pause')).toMatchObject({ code: 1, stderr: 'It was not running.\n' });
    const { actions } = await list('--limit', '2');
    expect(actions).toMatchObject([
      {
        act: 'pause-job',
        target: jobId,
        via: 'command',
        end: 'action-failed',
        outcome: 'It was not running.',
      },
      {
        act: 'continue-job',
        target: jobId,
        via: 'command',
        end: 'action-done',
        outcome: 'The job continues.',
      },
    ]);
  }, 60_000);

  it('verify exits with code 1 if a record was changed', async () => {
    const owner = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'tamper', max: 1 });
    await owner.query('ALTER TABLE console.operator_event DISABLE TRIGGER USER');
    await owner.query(`UPDATE console.operator_event SET name = 'petrov' WHERE seq = 2`);
    await owner.end();
    const { code, stdout } = await operator.xs2a('actions', 'verify');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^✗ The chain is broken at record 2: /)]);
    expect(await operator.oneJson<ChainState>('actions', 'verify')).toMatchObject({ brokenAt: 2 });
  });
});
