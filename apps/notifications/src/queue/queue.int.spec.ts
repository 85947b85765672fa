import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { until } from '@xs2a/nats/testing/until';
import {
  listNotifications,
  type NotificationFilter,
  summariseNotifications,
} from '@xs2a/contracts/notifications.contract';
import type { InProcessService } from '@xs2a/runtime/testing/service-in-process';
import { newId } from '@xs2a/runtime/ids';
import { type NotificationsWorld, startNotificationsWorld } from '../testing/notifications-world.js';

let world: NotificationsWorld;
let standby: InProcessService;
let receiver: HttpReceiver;
beforeAll(async () => {
  world = await startNotificationsWorld();
  standby = await world.another();
  receiver = await HttpReceiver.start();
  receiver.behaviour = () => 500;
}, 60_000);
afterAll(async () => {
  await receiver?.stop();
  await world.stop();
});
beforeEach(async () => {
  await world.sql('DELETE FROM notifications.notification');
});

const call = async (filter: Partial<NotificationFilter> & Readonly<Record<string, unknown>>) => {
  const all = { states: ['waiting', 'failing', 'dead', 'delivered'], limit: 50, ...filter };
  return (await standby.callClient.call(listNotifications, all as NotificationFilter)).notifications;
};
const summary = async () => standby.callClient.call(summariseNotifications, {});

interface Stored {
  readonly tppId?: string;
  readonly resourceId?: string;
  readonly state?: 'waiting' | 'dead' | 'delivered';
  readonly failures?: number;
  /** Seconds since the first failure. */
  readonly failedFor?: number;
  /** Seconds since it was created. */
  readonly age?: number;
  readonly reason?: string;
  readonly uri?: string;
}
/** Stores a notification that is not sent during the test. Returns its id. */
const store = async (one: Stored = {}): Promise<string> => {
  const { tppId = 'tpp', resourceId = newId(), state = 'waiting', failures = 0, failedFor, age = 10 } = one;
  const { reason = failures > 0 ? 'HTTP 500' : null, uri = 'https://tpp.example/CANARY?customer=CANARY' } =
    one;
  const id = newId();
  await world.sql(
    `INSERT INTO notifications.notification (notification_id, resource_id, pos, part, tpp_id, uri, body, state, next_try_at,
       failures, first_failed_at, last_failure, created_at, ended_at)
     VALUES ($1, $2, 1, 0, $3, $4, '{"transactionStatus":"ACCP","scaStatus":"finalised"}', $5,
       CASE WHEN $5 = 'waiting' AND $6 > 0 THEN now() + interval '1 hour' END, $6, now() - make_interval(secs => $7), $8,
       now() - make_interval(secs => $9), CASE WHEN $5 <> 'waiting' THEN now() - make_interval(secs => $9) END)`,
    [id, resourceId, tppId, uri, state, failures, failedFor ?? (failures > 0 ? age : null), reason, age],
  );
  return id;
};

describe('svc.notifications.console.list', () => {
  it('lists what a refusing receiver did not accept, with the reason and without the path of its address', async () => {
    const { resourceId, notificationId } = world.publish({
      tppId: 'refused',
      uri: `${receiver.url}/CANARY?customer=CANARY`,
      status: 'ACCP',
    });
    await until(async () => expect(await call({ states: ['failing'] })).toHaveLength(1));
    const [failing] = await call({ states: ['failing'] });
    expect(failing).toEqual({
      id: notificationId,
      state: 'failing',
      tppId: 'refused',
      resourceId,
      uri: `${receiver.url}/…`,
      tells: 'ACCP',
      failures: expect.any(Number),
      firstFailedAt: expect.stringMatching(/Z$/),
      endedAt: null,
      createdAt: expect.stringMatching(/Z$/),
      nextTryAt: expect.stringMatching(/Z$/),
      reason: 'HTTP 500',
    });
    expect(JSON.stringify(await Promise.all([call({}), summary()]))).not.toContain('CANARY');
  });

  it('filters by state, TPP and resource, and begins with the oldest', async () => {
    const resourceId = newId();
    const dead = await store({ tppId: 'a', state: 'dead', failures: 30, failedFor: 80, age: 40 });
    const failing = await store({ tppId: 'a', failures: 1, age: 30, resourceId });
    const waiting = await store({ tppId: 'b', age: 20, resourceId });
    const delivered = await store({ tppId: 'b', state: 'delivered', age: 50 });
    const [letter] = await call({ states: ['dead'] });
    expect(Date.parse(letter?.endedAt ?? '')).toBeGreaterThan(Date.parse(letter?.firstFailedAt ?? ''));
    const ids = async (filter: Partial<NotificationFilter>) => (await call(filter)).map(({ id }) => id);
    expect(await ids({})).toEqual([delivered, dead, failing, waiting]);
    expect(await ids({ limit: 2 })).toEqual([delivered, dead]);
    expect(await ids({ states: ['failing', 'failing', 'dead'] })).toEqual([dead, failing]);
    expect(await ids({ states: ['waiting'] })).toEqual([waiting]);
    expect(await ids({ states: [] })).toEqual([]);
    expect(await ids({ tppId: 'a' })).toEqual([dead, failing]);
    expect(await ids({ resourceId })).toEqual([failing, waiting]);
    expect(await ids({ tppId: 'b', resourceId })).toEqual([waiting]);
    expect((await call({})).map(({ state }) => state)).toEqual(['delivered', 'dead', 'failing', 'waiting']);
  });

  it.each([
    ['states', 'failing'],
    ['states', ['sent']],
    ['states', [null]],
    ['states', undefined],
    ['tppId', ''],
    ['tppId', 'a\0b'],
    ['tppId', 7],
    ['resourceId', 'x'],
    ['resourceId', { id: 'x' }],
    ['limit', 0],
    ['limit', 501],
    ['limit', 1.5],
    ['limit', '10'],
    ['limit', undefined],
  ])('refuses %s = %j', async (path, value) => {
    await expect(call({ [path]: value })).rejects.toMatchObject({
      failures: [{ failure: 'fieldMalformed', path }],
    });
  });
});

describe('svc.notifications.console.summary', () => {
  it('is empty while everything is delivered', async () => {
    await store({ state: 'delivered' });
    expect(await summary()).toEqual({
      tpps: [],
      totals: { tpps: 0, waiting: 0, failing: 0, dead: 0, overdue: 0, unread: 0 },
      unread: [],
    });
  });

  it('sums up by TPP, worst first, with the failure that began last', async () => {
    await store({ tppId: 'waits', age: 60 });
    await store({ tppId: 'dead', state: 'dead', failures: 30, age: 90, reason: 'HTTP 410' });
    await store({ tppId: 'dead', state: 'dead', failures: 30, age: 80, reason: 'HTTP 404' });
    await store({ tppId: 'fails', failures: 5, age: 300, reason: 'HTTP 500', uri: 'https://old.example/x' });
    await store({ tppId: 'fails', failures: 1, age: 200, failedFor: 3, reason: 'no answer in time' });
    await store({ tppId: 'fails', state: 'dead', failures: 30, age: 2, reason: 'HTTP 410' });
    await store({ tppId: 'fails', age: 100 });
    const { tpps, totals } = await summary();
    expect(tpps).toEqual([
      {
        tppId: 'fails',
        failing: 2,
        waiting: 1,
        dead: 1,
        oldestAt: expect.stringMatching(/Z$/),
        reason: 'no answer in time',
        uri: 'https://tpp.example/…',
      },
      { tppId: 'dead', failing: 0, waiting: 0, dead: 2, reason: 'HTTP 404', uri: 'https://tpp.example/…' },
      { tppId: 'waits', failing: 0, waiting: 1, dead: 0, oldestAt: expect.stringMatching(/Z$/) },
    ]);
    expect(totals).toEqual({ tpps: 3, failing: 2, waiting: 2, dead: 3, overdue: 0, unread: 0 });
    const [{ age } = {}] = await world.sql('SELECT extract(epoch FROM now() - $1::timestamptz)::int AS age', [
      tpps[0]?.oldestAt,
    ]);
    expect(age).toBeGreaterThanOrEqual(299);
    expect(age).toBeLessThan(400);
  });

  it('names at most 200 TPPs and counts all', async () => {
    await world.sql(`INSERT INTO notifications.notification (notification_id, resource_id, pos, part, tpp_id, uri, body)
      SELECT gen_random_uuid(), gen_random_uuid(), 1, 0, 'tpp-' || n, 'https://tpp.example/', '{}' FROM generate_series(1, 201) n`);
    const { tpps, totals } = await summary();
    expect([tpps.length, totals.tpps, totals.waiting]).toEqual([200, 201, 201]);
  });

  it('lists the resources whose changes cannot be read', async () => {
    const paymentId = newId();
    world.cannotRead(paymentId, true);
    world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    await until(async () => expect((await summary()).totals.unread).toBe(1));
    expect((await summary()).unread).toEqual([
      { source: 'payments', resourceId: paymentId, since: expect.stringMatching(/Z$/) },
    ]);
  });

  it('is answered by an instance that stands by, also when the active one does not take calls', async () => {
    const third = await world.another();
    await store({ failures: 1 });
    expect((await third.callClient.call(summariseNotifications, {})).totals.failing).toBe(1);
    await Promise.all([world.dispatcher.nats.drain(), standby.nats.drain()]);
    expect((await third.callClient.call(summariseNotifications, {})).totals.failing).toBe(1);
  });
});
