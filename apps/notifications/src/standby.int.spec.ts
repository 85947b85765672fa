import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { metrics } from '@xs2a/observability/metrics';
import { newId } from '@xs2a/runtime/ids';
import { ActiveDispatcher } from './active-dispatcher.js';
import { type NotificationsWorld, startNotificationsWorld } from './testing/notifications-world.js';

let world: NotificationsWorld;
beforeAll(async () => {
  world = await startNotificationsWorld();
}, 60_000);
afterAll(async () => world.stop());

const names = [
  'xs2a_notifications_waiting',
  'xs2a_notifications_oldest_seconds',
  'xs2a_notifications_dead',
  'xs2a_notifications_unread_resources',
];
const readFigures = async (): Promise<(number | undefined)[]> =>
  Promise.all(names.map(async (name) => (await metrics.getSingleMetric(name)?.get())?.values[0]?.value));

it('an instance that is no longer active does not report notifications, so that their alerts end', async () => {
  const paymentId = newId();
  world.cannotRead(paymentId, true);
  world.cannotSign(true);
  world.publish({ paymentId, uri: 'http://127.0.0.1:9', status: 'ACCP' });
  world.publish({ uri: 'http://127.0.0.1:9', status: 'ACCP' });
  const { clock } = world.dispatcher;
  await until(async () => {
    clock.raiseTo(clock.offsetMs + 1);
    const [waiting, oldestSeconds, , unread] = await readFigures();
    expect([waiting, unread]).toEqual([1, 1]);
    expect(oldestSeconds).toBeGreaterThan(0);
  });
  await world.dispatcher.get(ActiveDispatcher).onApplicationShutdown();
  expect(await readFigures()).toEqual([0, 0, 0, 0]);
}, 30_000);
