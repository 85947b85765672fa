import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { metrics } from '@xs2a/observability/metrics';
import { newId } from '@xs2a/runtime/ids';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import {
  type NotificationsWorld,
  makeSignature,
  startNotificationsWorld,
  unsignable,
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
  // No other code consumes the notifications that a test leaves behind.
  await world.sql(`DELETE FROM notifications.notification WHERE state = 'waiting'`);
});

const statuses = (from: HttpReceiver): string[] =>
  from.posts.map(({ body }) => (JSON.parse(body) as { transactionStatus: string }).transactionStatus);
const requestIds = (from: HttpReceiver): unknown[] =>
  from.posts.map(({ headers }) => headers['x-request-id']);
/** Waits until the notifications of a payment have these states and failure counts. */
const untilStates = async (paymentId: string, wanted: readonly string[]): Promise<void> =>
  until(async () => expect(await world.states(paymentId)).toEqual(wanted));
/** Like `untilStates`, but makes every retry due at once. */
const retriedUntil = async (paymentId: string, wanted: readonly string[]): Promise<void> =>
  until(async () => {
    await world.retryNow();
    expect(await world.states(paymentId)).toEqual(wanted);
  });
/** Waits until this many notifications are waiting. */
const untilWaiting = async (count: number): Promise<void> =>
  until(async () => {
    const [row] = await world.sql(
      `SELECT count(*)::int AS count FROM notifications.notification WHERE state = 'waiting'`,
    );
    expect(row).toEqual({ count });
  });
/** Records, for each failure, the seconds until the next attempt. */
const recordWaits = async (): Promise<unknown> =>
  world.sql(`
    CREATE TABLE notifications.wait (resource_id uuid, failures int, seconds float8);
    CREATE FUNCTION notifications.keep_wait() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO notifications.wait VALUES (new.resource_id, new.failures, extract(epoch FROM new.next_try_at - now()));
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep_wait AFTER UPDATE OF failures ON notifications.notification FOR EACH ROW
      WHEN (new.failures > old.failures) EXECUTE FUNCTION notifications.keep_wait()`);
const readWaits = async (paymentId: string): Promise<unknown[]> => {
  const rows = await world.sql(
    'SELECT seconds FROM notifications.wait WHERE resource_id = $1 ORDER BY failures',
    [paymentId],
  );
  return rows.map(({ seconds }) => seconds);
};

describe('sending notifications (contract 11)', () => {
  it('posts exactly the signed body, with an X-Request-ID', async () => {
    const published = world.publish({ uri: `${receiver.url}/told`, status: 'ACCP' });
    const [post] = await receiver.received(1);
    expect(JSON.parse(post?.body ?? '')).toEqual(published.body);
    expect(post?.headers['x-jws-signature']).toBe(makeSignature(post?.body ?? ''));
    expect(post?.headers['x-request-id']).toBe(published.notificationId);
  });

  it('keeps the order per resource, and sends no notification before the previous one has been accepted', async () => {
    const paymentId = newId();
    receiver.behaviour = (_post, count) => (count < 3 ? 500 : 204);
    for (const status of ['ACCP', 'ACSP', 'ACSC']) world.publish({ paymentId, uri: receiver.url, status });
    await retriedUntil(paymentId, ['delivered 2', 'delivered 0', 'delivered 0']);
    expect(statuses(receiver)).toEqual(['ACCP', 'ACCP', 'ACCP', 'ACSP', 'ACSC']);
  });

  it('keeps the X-Request-ID for all attempts of a notification, and uses a different one for the next', async () => {
    const paymentId = newId();
    receiver.behaviour = (_post, count) => (count === 1 ? 503 : 204);
    for (const status of ['ACCP', 'ACSP']) world.publish({ paymentId, uri: receiver.url, status });
    await retriedUntil(paymentId, ['delivered 1', 'delivered 0']);
    const [first, second, third] = requestIds(receiver);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('retries after 1 s of real time, doubling each time', async () => {
    const paymentId = newId();
    await recordWaits();
    receiver.behaviour = () => 500;
    world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    await until(async () => {
      await world.retryNow();
      expect((await readWaits(paymentId)).slice(0, 4)).toEqual([1, 2, 4, 8]);
    });
  });

  it('does not retry earlier when the sandbox clock moves', async () => {
    const paymentId = newId();
    receiver.behaviour = ({ body }) => (body.includes('ACSC') ? 500 : 204);
    world.cannotSign(true);
    for (const status of ['ACCP', 'ACSC']) world.publish({ paymentId, uri: receiver.url, status });
    await untilStates(paymentId, ['waiting 0', 'waiting 0']);
    // This notification waits for the one before it, so it is not being sent now. Its next failure delays it
    // by an hour.
    await world.sql(
      `UPDATE notifications.notification SET failures = 12 WHERE resource_id = $1 AND body LIKE '%ACSC%'`,
      [paymentId],
    );
    world.cannotSign(false);
    await untilStates(paymentId, ['delivered 0', 'waiting 13']);
    const { clock } = world.dispatcher;
    clock.raiseTo(clock.offsetMs + 90 * 86_400_000);
    const marker = world.publish({ uri: receiver.url, status: 'ACCP' });
    await untilStates(marker.resourceId, ['delivered 0']);
    expect(await world.states(paymentId)).toEqual(['delivered 0', 'waiting 13']);
  });

  it('makes a notification a dead letter after 24 hours, counts it, and sends the next one', async () => {
    const givenUp = async (): Promise<number> => {
      const { values = [] } = (await metrics.getSingleMetric('xs2a_notification_tries_total')?.get()) ?? {};
      return values.find(({ labels }) => labels['outcome'] === 'given-up')?.value ?? 0;
    };
    const before = await givenUp();
    const paymentId = newId();
    receiver.behaviour = ({ body }) => (body.includes('ACCP') ? 410 : 204);
    for (const status of ['ACCP', 'ACSC']) world.publish({ paymentId, uri: receiver.url, status });
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
    expect((await givenUp()) - before).toBe(1);
  });
});

describe('isolation of failing receivers (contract 11)', () => {
  it('a receiver that never answers has at most eight attempts in progress, and another TPP gets all its notifications', async () => {
    const hanging = await HttpReceiver.start();
    hanging.behaviour = () => 'hang';
    for (let index = 0; index < 40; index += 1)
      world.publish({ tppId: 'slow', uri: hanging.url, status: 'ACCP' });
    await hanging.received(8);
    for (let index = 0; index < 40; index += 1)
      world.publish({ tppId: 'quick', uri: receiver.url, status: 'ACCP' });
    await receiver.received(40);
    expect(hanging.posts).toHaveLength(8);
    await hanging.stop();
  });

  it.each([
    ['closes without an answer', 'close'],
    ['switches protocols', 101],
  ] as const)('if the receiver %s, the attempt fails and is retried', async (_kind, behaviour) => {
    const paymentId = newId();
    receiver.behaviour = (_post, count) => (count === 1 ? behaviour : 204);
    receiver.answerHeaders = { connection: 'Upgrade', upgrade: 'websocket' };
    world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    await retriedUntil(paymentId, ['delivered 1']);
  });

  it('a backlog for 300 TPPs is delivered over at most 256 concurrent connections, signed 50 at a time', async () => {
    world.cannotSign(true);
    const payments = Array.from({ length: 900 }, (_none, index) =>
      world.publish({ tppId: `tpp-${index % 300}`, uri: receiver.url, status: 'ACCP' }),
    );
    await untilWaiting(900);
    world.cannotSign(false);
    await receiver.received(900);
    await untilWaiting(0);
    expect(new Set(requestIds(receiver))).toEqual(new Set(payments.map((one) => one.notificationId)));
    expect(receiver.maxOpen).toBeLessThanOrEqual(256);
    expect(world.maxSigned()).toBeLessThanOrEqual(50);
  });

  it('each of many hanging receivers gets its first attempt before any gets its second, with at most 256 in progress', async () => {
    const hanging = await HttpReceiver.start();
    hanging.behaviour = () => 'hang';
    world.cannotSign(true);
    for (let index = 0; index < 800; index += 1)
      world.publish({
        tppId: `hanging-${index % 200}`,
        uri: `${hanging.url}/${index % 200}`,
        status: 'ACCP',
      });
    await untilWaiting(800);
    world.cannotSign(false);
    await hanging.received(256);
    expect(new Set(hanging.posts.map(({ path }) => path)).size).toBe(200);
    const marker = world.publish({ tppId: 'late', uri: receiver.url, status: 'ACCP' });
    hanging.behaviour = () => 500;
    await hanging.stop();
    await untilStates(marker.resourceId, ['delivered 0']);
    expect(hanging.maxOpen).toBe(256);
  });

  it('if a body cannot be signed, only the attempt to send it fails, with the reason', async () => {
    const refused = world.publish({ uri: receiver.url, status: unsignable });
    const paymentId = newId();
    world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    await untilStates(paymentId, ['delivered 0']);
    await until(async () => expect((await world.states(refused.resourceId))[0]).toMatch(/^waiting [1-9]/));
    const [row] = await world.sql(
      'SELECT last_failure FROM notifications.notification WHERE resource_id = $1',
      [refused.resourceId],
    );
    expect(row?.['last_failure']).toMatch(/^the authorization server refuses to sign its body/);
    expect(receiver.posts).toHaveLength(1);
  });

  it('after losing the lock, an instance waits for attempts only for a limited time, then competes for the lock again', async () => {
    const hanging = await HttpReceiver.start();
    hanging.behaviour = () => 'hang';
    world.publish({ tppId: 'slow', uri: hanging.url, status: 'ACCP' });
    await hanging.received(1);
    await world.endActiveSession();
    // This is the only instance, so it sends again once it has reacquired the lock.
    await hanging.received(2);
    await hanging.stop();
  });
});

describe('a resource with unreadable changes (ADR 38; contract 11)', () => {
  it('does not delay others; its own notifications are sent in order, by any instance, once it is readable', async () => {
    await world.another();
    const paymentId = newId();
    const change = (status: string) => world.publish({ paymentId, uri: receiver.url, status });
    world.cannotRead(paymentId, true);
    change('ACCP');
    const marker = world.publish({ uri: `${receiver.url}/other`, status: 'ACSC' });
    await untilStates(marker.resourceId, ['delivered 0']);
    expect(await world.degraded()).toContain('resources whose changes cannot be read: 1');
    await world.endActiveSession();
    change('ACSP');
    const second = world.publish({ uri: `${receiver.url}/other`, status: 'ACSC' });
    await untilStates(second.resourceId, ['delivered 0']);
    expect(await world.states(paymentId)).toEqual([]);
    world.cannotRead(paymentId, false);
    change('ACSC');
    await until(async () => {
      world.lookNow();
      expect(await world.states(paymentId)).toEqual(['delivered 0', 'delivered 0', 'delivered 0']);
    });
    const own = receiver.posts.filter(({ path }) => path !== '/other');
    expect(
      own.map(({ body }) => (JSON.parse(body) as { transactionStatus: string }).transactionStatus),
    ).toEqual(['ACCP', 'ACSP', 'ACSC']);
    await until(async () => expect(await world.degraded()).toBe(''));
  });

  /** Publishes unreadable payment changes, and waits until the dispatcher has noticed. */
  const unreadablePayments = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => newId());
    for (const paymentId of ids) {
      world.cannotRead(paymentId, true);
      world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    }
    await until(async () => expect(await world.degraded()).toContain(`cannot be read: ${count}`));
    return ids;
  };
  const countDelivered = async (ids: readonly string[]): Promise<unknown> => {
    const [row] = await world.sql(
      `SELECT count(*)::int AS count FROM notifications.notification WHERE resource_id = ANY($1) AND state = 'delivered'`,
      [ids],
    );
    return row?.['count'];
  };

  it('is read again without pauses, together with many others, as soon as they are readable', async () => {
    const ids = await unreadablePayments(90);
    for (const paymentId of ids) world.cannotRead(paymentId, false);
    world.lookNow();
    await until(async () => expect(await countDelivered(ids)).toBe(90));
  });

  it('does not delay others that have become readable again, even if every request for it fails', async () => {
    const [failing = '', ...others] = await unreadablePayments(4);
    world.doesNotAnswerOf(failing, true);
    for (const paymentId of others) world.cannotRead(paymentId, false);
    await until(async () => {
      world.lookNow();
      expect(await countDelivered(others)).toBe(3);
    });
    expect(await world.states(failing)).toEqual([]);
    world.doesNotAnswerOf(failing, false);
    world.cannotRead(failing, false);
    await until(async () => {
      world.lookNow();
      expect(await world.states(failing)).toEqual(['delivered 0']);
    });
  });

  it('is reported to the operator by a metric', async () => {
    const paymentId = newId();
    world.cannotRead(paymentId, true);
    world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    const unread = async (): Promise<number | undefined> => {
      world.lookNow();
      const { values = [] } =
        (await metrics.getSingleMetric('xs2a_notifications_unread_resources')?.get()) ?? {};
      return values[0]?.value;
    };
    await until(async () => expect(await unread()).toBe(1));
    world.cannotRead(paymentId, false);
    await until(async () => expect(await unread()).toBe(0));
    await untilStates(paymentId, ['delivered 0']);
  });
});

describe('at-least-once delivery (contract 11)', () => {
  it('sends a notification again with the same id from another instance if the sender dies before it records the response', async () => {
    await world.another();
    const paymentId = newId();
    receiver.behaviour = (_post, count) => (count === 1 ? 'hang' : 204);
    const published = world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    await receiver.received(1);
    await world.endActiveSession();
    await receiver.received(2);
    await untilStates(paymentId, ['delivered 0']);
    expect(requestIds(receiver)).toEqual([published.notificationId, published.notificationId]);
  });

  it('omits no notification and counts no attempt while signing is unavailable', async () => {
    world.cannotSign(true);
    const paymentId = newId();
    world.publish({ paymentId, uri: receiver.url, status: 'ACCP' });
    await untilStates(paymentId, ['waiting 0']);
    await until(async () => expect(await world.degraded()).toContain('wait for a signature'));
    expect(receiver.posts).toHaveLength(0);
    world.cannotSign(false);
    await receiver.received(1);
    await untilStates(paymentId, ['delivered 0']);
  });

  it('reads the log again after the database was reset to an earlier state, and sends the lost notifications again with the same ids', async () => {
    const paymentId = newId();
    const published = world.publish({ paymentId, uri: receiver.url, status: 'ACSC' });
    await untilStates(paymentId, ['delivered 0']);
    await world.sql('DELETE FROM notifications.notification WHERE resource_id = $1', [paymentId]);
    await world.sql(`UPDATE notifications.checkpoint SET pos = $1 WHERE source = 'payments'`, [
      published.pos - 1,
    ]);
    await world.endActiveSession();
    await receiver.received(2);
    expect(requestIds(receiver)).toEqual([published.notificationId, published.notificationId]);
    await untilStates(paymentId, ['delivered 0']);
  });
});
