import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/messaging/testing/until';
import { newId } from '@xs2a/runtime/ids';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import {
  type NotificationsWorld,
  signatureOf,
  startNotificationsWorld,
} from './testing/notifications-world.js';

let world: NotificationsWorld;
let receiver: HttpReceiver;
beforeAll(async () => {
  world = await startNotificationsWorld();
}, 60_000);
afterAll(async () => world.stop());
beforeEach(async () => {
  receiver = await HttpReceiver.start();
});
afterEach(async () => {
  world.cannotSign(false);
  await receiver.stop();
});

const statuses = (from: HttpReceiver): string[] =>
  from.posts.map(({ body }) => (JSON.parse(body) as { transactionStatus: string }).transactionStatus);
const requestIds = (from: HttpReceiver): unknown[] =>
  from.posts.map(({ headers }) => headers['x-request-id']);
/** Waits until the notifications of a payment have these states and failures. */
const untilStates = async (paymentId: string, wanted: readonly string[]): Promise<void> =>
  until(async () => expect(await world.states(paymentId)).toEqual(wanted));
/** The same, while the time of every next try comes at once. */
const retriedUntil = async (paymentId: string, wanted: readonly string[]): Promise<void> =>
  until(async () => {
    await world.retryNow();
    expect(await world.states(paymentId)).toEqual(wanted);
  });

describe('notifications are sent (contract 11)', () => {
  it('as a POST of the body that is signed, with an X-Request-ID', async () => {
    const told = world.tell({ uri: `${receiver.url}/told`, status: 'ACCP' });
    const [post] = await receiver.received(1);
    expect(JSON.parse(post?.body ?? '')).toEqual(told.body);
    expect(post?.headers['x-jws-signature']).toBe(signatureOf(post?.body ?? ''));
    expect(post?.headers['x-request-id']).toBe(told.notificationId);
  });

  it('in order per resource: none is sent before the one before it was taken', async () => {
    const paymentId = newId();
    receiver.behaviour = (_post, count) => (count < 3 ? 500 : 204);
    for (const status of ['ACCP', 'ACSP', 'ACSC']) world.tell({ paymentId, uri: receiver.url, status });
    await retriedUntil(paymentId, ['delivered 2', 'delivered 0', 'delivered 0']);
    expect(statuses(receiver)).toEqual(['ACCP', 'ACCP', 'ACCP', 'ACSP', 'ACSC']);
  });

  it('X-Request-ID stays the same for all tries of one notification, and is another for the next', async () => {
    const paymentId = newId();
    receiver.behaviour = (_post, count) => (count === 1 ? 503 : 204);
    for (const status of ['ACCP', 'ACSP']) world.tell({ paymentId, uri: receiver.url, status });
    await retriedUntil(paymentId, ['delivered 1', 'delivered 0']);
    const [first, second, third] = requestIds(receiver);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('retries come after 1 s, doubling, on real time: the sandbox clock does not move them', async () => {
    const paymentId = newId();
    receiver.behaviour = () => 500;
    world.tell({ paymentId, uri: receiver.url, status: 'ACCP' });
    const waits: number[] = [];
    for (const failures of [1, 2, 3]) {
      await untilStates(paymentId, [`waiting ${failures}`]);
      const [row] = await world.sql(
        `SELECT extract(epoch FROM next_try_at - now())::float8 AS wait FROM notifications.notification WHERE resource_id = $1`,
        [paymentId],
      );
      waits.push(Number(row?.['wait']));
      if (failures < 3) await world.retryNow();
    }
    expect(waits.every((wait, index) => wait <= 2 ** index && wait > 2 ** index - 1)).toBe(true);
    const { clock } = world.dispatcher;
    clock.raiseTo(clock.offsetMs + 90 * 86_400_000);
    const marker = world.tell({ uri: receiver.url, status: 'marker' });
    await untilStates(marker.resourceId, ['waiting 1']);
    expect(await world.states(paymentId)).toEqual(['waiting 3']);
  });

  it('after 24 hours a dead letter, and the next one goes on', async () => {
    const paymentId = newId();
    receiver.behaviour = ({ body }) => (body.includes('ACCP') ? 410 : 204);
    for (const status of ['ACCP', 'ACSC']) world.tell({ paymentId, uri: receiver.url, status });
    await receiver.received(1);
    await until(async () => expect((await world.states(paymentId))[0]).toMatch(/^waiting [1-9]/));
    await world.sql(
      `UPDATE notifications.notification SET first_failed_at = now() - interval '24 hours', next_try_at = now()
       WHERE resource_id = $1 AND failures > 0`,
      [paymentId],
    );
    await until(async () => expect((await world.states(paymentId)).join()).toMatch(/^dead \d+,delivered 0$/));
    const [row] = await world.sql(
      `SELECT last_failure FROM notifications.notification WHERE resource_id = $1 AND state = 'dead'`,
      [paymentId],
    );
    expect(row).toEqual({ last_failure: 'HTTP 410' });
  });
});

describe('one slow receiver delays nobody else (contract 11)', () => {
  it('a receiver that never answers has eight tries under way, while another TPP gets all of its own', async () => {
    const hanging = await HttpReceiver.start();
    hanging.behaviour = () => 'hang';
    for (let index = 0; index < 40; index += 1)
      world.tell({ tppId: 'slow', uri: hanging.url, status: 'ACCP' });
    await hanging.received(8);
    const begun = performance.now();
    for (let index = 0; index < 40; index += 1)
      world.tell({ tppId: 'quick', uri: receiver.url, status: 'ACCP' });
    await receiver.received(40);
    // Within the five seconds of the first tries that hang.
    expect(performance.now() - begun).toBeLessThan(4000);
    expect(hanging.posts).toHaveLength(8);
    await hanging.stop();
  });
});

describe('at least once (contract 11)', () => {
  it('who sends dies between the answer and its record: another instance sends it again, with the same id', async () => {
    await world.another();
    const paymentId = newId();
    receiver.behaviour = (_post, count) => (count === 1 ? 'hang' : 204);
    const told = world.tell({ paymentId, uri: receiver.url, status: 'ACCP' });
    await receiver.received(1);
    await world.endActiveSession();
    await receiver.received(2);
    await untilStates(paymentId, ['delivered 0']);
    expect(requestIds(receiver)).toEqual([told.notificationId, told.notificationId]);
  });

  it('nothing is left out while nobody can sign, and no try counts', async () => {
    world.cannotSign(true);
    const paymentId = newId();
    world.tell({ paymentId, uri: receiver.url, status: 'ACCP' });
    await untilStates(paymentId, ['waiting 0']);
    await until(async () => expect(await world.degraded()).toContain('wait for a signature'));
    expect(receiver.posts).toHaveLength(0);
    world.cannotSign(false);
    await receiver.received(1);
    await untilStates(paymentId, ['delivered 0']);
  });

  it('a database that went back makes the dispatcher read again: what it lost is sent again, under the same id', async () => {
    const paymentId = newId();
    const told = world.tell({ paymentId, uri: receiver.url, status: 'ACSC' });
    await untilStates(paymentId, ['delivered 0']);
    await world.sql('DELETE FROM notifications.notification WHERE resource_id = $1', [paymentId]);
    await world.sql(`UPDATE notifications.checkpoint SET pos = $1 WHERE source = 'payments'`, [told.pos - 1]);
    await world.endActiveSession();
    await receiver.received(2);
    expect(requestIds(receiver)).toEqual([told.notificationId, told.notificationId]);
    await untilStates(paymentId, ['delivered 0']);
  });
});
