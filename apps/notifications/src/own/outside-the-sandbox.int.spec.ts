import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  endOwnNotification,
  forgeOwnNotification,
  listOwnNotifications,
  replayOwnNotification,
} from '@xs2a/contracts/push/own-notifications.contract';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { until } from '@xs2a/nats/testing/until';
import { type NotificationsWorld, startNotificationsWorld } from '../testing/notifications-world.js';

let world: NotificationsWorld;
let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await HttpReceiver.start();
  world = await startNotificationsWorld({ SANDBOX: false });
}, 60_000);
afterAll(async () => {
  await world.stop();
  await receiver.stop();
});

it('outside the sandbox, no attempts are stored, and a TPP sees and changes nothing (contract 13)', async () => {
  const { notificationId, tppId } = world.publish({ uri: receiver.url, status: 'ACCP' });
  await until(async () =>
    expect(
      await world.sql(
        'SELECT state, tries, signature FROM notifications.notification WHERE notification_id = $1',
        [notificationId],
      ),
    ).toEqual([{ state: 'delivered', tries: null, signature: null }]),
  );
  const { callClient } = world.dispatcher;
  expect(await callClient.call(listOwnNotifications, { tppId, limit: 50 })).toEqual({ notifications: [] });
  for (const call of [replayOwnNotification, endOwnNotification, forgeOwnNotification])
    await expect(callClient.call(call, { tppId, notificationId })).rejects.toMatchObject({
      failures: [{ failure: 'resourceUnknown' }],
    });
});
