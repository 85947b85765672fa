import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { type NotificationsWorld, signedAt, startNotificationsWorld } from './testing/notifications-world.js';

describe.each([
  ['in a sandbox, is the time from which iat is taken', true, signedAt],
  ['outside the sandbox, is never sent', false, undefined],
])('X-Sandbox-Clock of a notification (contract 13)', (title, SANDBOX, expected) => {
  let world: NotificationsWorld;
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    world = await startNotificationsWorld({ SANDBOX });
  }, 60_000);
  afterAll(async () => {
    await world.stop();
    await receiver.stop();
  });

  it(title, async () => {
    receiver.behaviour = (_post, count) => (count === 1 ? 500 : 204);
    world.publish({ uri: receiver.url, status: 'ACCP' });
    const posts = await receiver.received(2);
    expect(posts.map(({ headers }) => headers['x-sandbox-clock'])).toEqual([expected, expected]);
  });
});
