// Lane: long (it takes half a minute).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { changeJob } from '@xs2a/contracts/console/job.contract';
import { replayNotifications } from '@xs2a/contracts/notifications.contract';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import { type InProcessService, startInProcess } from '@xs2a/runtime/testing/service-in-process';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { type JobProgress, Jobs } from './jobs.js';

/** The notifications service: it knows which dead letters exist, and how it answers next. */
const dead = new Set<string>();
const sent: string[] = [];
let beforeAnswer: (ids: readonly string[]) => Promise<void> = async () => undefined;
let afterEffect: () => Promise<void> = async () => undefined;

@Controller()
class NotificationsDouble {
  @Handles(replayNotifications)
  async replay({ ids }: { ids: readonly string[] }) {
    await beforeAnswer(ids);
    const replayed = ids.filter((id) => dead.delete(id));
    sent.push(...replayed);
    await afterEffect();
    return { replayed };
  }
}
@Module({ controllers: [NotificationsDouble] })
class NotificationsDoubleModule {}

let world: ConsoleWorld;
let notifications: InProcessService;
let jobs: Jobs;
beforeAll(async () => {
  world = await startConsoleWorld();
  notifications = await startInProcess({
    name: 'notifications',
    module: NotificationsDoubleModule,
    natsUrl: world.natsUrl,
  });
  jobs = (world.instances[0] as InProcessService).get(Jobs);
}, 60_000);
afterAll(async () => {
  await notifications.stop();
  await world.stop();
});
beforeEach(() => {
  sent.length = 0;
});
afterEach(() => {
  beforeAnswer = async () => undefined;
  afterEffect = async () => undefined;
});

const begin = async (count: number): Promise<{ readonly jobId: string; readonly ids: string[] }> => {
  const jobId = newId();
  const ids = Array.from({ length: count }, () => newId());
  for (const id of ids) dead.add(id);
  await jobs.begin({ jobId, act: 'replay-notifications', target: 'all TPPs' }, ids);
  return { jobId, ids };
};
/** Waits until a job has these values, and returns it. */
const reaches = async (jobId: string, values: Partial<JobProgress>): Promise<JobProgress | undefined> => {
  await until(async () => expect(await jobs.find(jobId)).toMatchObject(values));
  return jobs.find(jobId);
};
const ended = async (jobId: string) => reaches(jobId, { state: 'ended' });

describe('a job of the staff (docs/how-to/operate-the-console.md)', () => {
  it('handles each item once, oldest first, by one of two instances, and ends', async () => {
    const { jobId, ids } = await begin(50);
    expect(await ended(jobId)).toMatchObject({ items: 50, done: 50, nothingToDo: 0, refused: 0 });
    expect(sent).toEqual(ids);
    expect((await jobs.items(jobId, 2)).map(({ item, outcome }) => [item, outcome])).toEqual(
      ids.slice(0, 2).map((id) => [id, 'done']),
    );
    expect((await jobs.latest(1)).map((job) => job.jobId)).toEqual([jobId]);
  });

  it('says for each item whether there was nothing to do any more', async () => {
    let gone = '';
    beforeAnswer = async ([first = '']) => {
      if (gone === '') dead.delete((gone = first));
    };
    const { jobId } = await begin(3);
    expect(await ended(jobId)).toMatchObject({ done: 2, nothingToDo: 1 });
    expect((await jobs.items(jobId, 3)).find(({ item }) => item === gone)?.outcome).toBe('nothing-to-do');
  });

  it('stops at a pause, keeps its place, and continues; the second of two requests is refused', async () => {
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    beforeAnswer = async () => {
      asked();
      await mayAnswer;
    };
    const { jobId, ids } = await begin(50);
    await isAsked;
    const paused = await Promise.all([
      jobs.change(jobId, 'running', 'paused'),
      jobs.change(jobId, 'running', 'paused'),
    ]);
    expect(paused.filter(Boolean)).toHaveLength(1);
    answer();
    await reaches(jobId, { done: 20 });
    // Another job is not kept waiting, and shows that the runner has looked again.
    const other = await begin(1);
    await ended(other.jobId);
    expect(await jobs.find(jobId)).toMatchObject({ state: 'paused', done: 20 });
    expect(await jobs.change(jobId, 'paused', 'running')).toBe(true);
    expect(await ended(jobId)).toMatchObject({ done: 50 });
    expect(sent.filter((id) => ids.includes(id))).toEqual(ids);
    expect(await jobs.change(jobId, 'running', 'paused')).toBe(false);
  });

  it('is paused and continued by command; a command that changes nothing says so', async () => {
    const command = async (jobId: string, change: 'pause' | 'continue') =>
      (await world.callClient.call(changeJob, { jobId, change })).isChanged;
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    beforeAnswer = async () => mayAnswer;
    const { jobId } = await begin(1);
    expect([await command(jobId, 'continue'), await command(jobId, 'pause')]).toEqual([false, true]);
    expect((await jobs.find(jobId))?.state).toBe('paused');
    expect([await command(jobId, 'pause'), await command(jobId, 'continue')]).toEqual([false, true]);
    expect((await jobs.find(jobId))?.state).toBe('running');
    for (const [id, change, failure] of [
      [newId(), 'pause', 'resourceUnknown'],
      ['x', 'pause', 'fieldMalformed'],
      [jobId, 'end', 'fieldMalformed'],
    ] as const)
      await expect(
        world.callClient.call(changeJob, { jobId: id, change: change as 'pause' }),
      ).rejects.toMatchObject({ failures: [{ failure }] });
    answer();
    await ended(jobId);
  });

  it('waits while the service does not answer, and then continues', async () => {
    let failures = 0;
    beforeAnswer = async () => {
      failures += 1;
      if (failures < 3) throw dependencyDown('notifications');
    };
    const { jobId } = await begin(2);
    expect(await ended(jobId)).toMatchObject({ done: 2, refused: 0 });
  });

  it('reports the items that the service refuses, and continues with the next job', async () => {
    beforeAnswer = async () => {
      throw callFailed('fieldMalformed', 'ids');
    };
    const { jobId } = await begin(2);
    expect(await ended(jobId)).toMatchObject({ done: 0, refused: 2 });
  });

  it('survives that its instance loses the lock, or all instances end, and sends nothing twice', async () => {
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
    let calls = 0;
    afterEffect = async () => {
      calls += 1;
      if (calls === 2) asked();
    };
    const { jobId, ids } = await begin(2000);
    await isAsked;
    await world.pool.query(
      `SELECT pg_terminate_backend(l.pid) FROM session_lock l WHERE l.name = 'jobs' AND l.pid IS NOT NULL`,
    );
    await Promise.all(world.instances.map(async (instance) => instance.stop()));
    const progress = async () =>
      (
        await world.pool.query<{ left: number }>(
          'SELECT count(*)::int AS left FROM job_item WHERE job_id = $1 AND outcome IS NULL',
          [jobId],
        )
      ).rows[0]?.left ?? -1;
    expect(await progress()).toBeGreaterThan(0);
    const next = await world.another();
    await until(async () => expect(await progress()).toBe(0));
    expect(sent).toEqual(expect.arrayContaining(ids));
    expect(sent).toHaveLength(ids.length);
    await next.stop();
  });
});
