import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  endOwnNotification,
  forgeOwnNotification,
  listOwnNotifications,
  type OwnNotification,
  replayOwnNotification,
} from '@xs2a/contracts/push/own-notifications.contract';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  makeSignature,
  type NotificationsWorld,
  signedAt,
  startNotificationsWorld,
  unsignable,
} from '../testing/notifications-world.js';

let world: NotificationsWorld;
let receiver: HttpReceiver;
let tppId: string;
beforeAll(async () => {
  world = await startNotificationsWorld();
}, 60_000);
afterAll(async () => world.stop());
beforeEach(async () => {
  receiver = await HttpReceiver.start();
  tppId = newId();
});
afterEach(async () => receiver.stop());

const page = async (request: { limit?: number; before?: string } = {}, by = tppId) =>
  world.dispatcher.callClient.call(listOwnNotifications, { tppId: by, limit: 50, ...request });
const list = async (): Promise<readonly OwnNotification[]> => (await page()).notifications;
const replay = async (notificationId: string, by = tppId) =>
  world.dispatcher.callClient.call(replayOwnNotification, { tppId: by, notificationId });
const end = async (notificationId: string, by = tppId) =>
  world.dispatcher.callClient.call(endOwnNotification, { tppId: by, notificationId });
const forge = async (notificationId: string, by = tppId) =>
  world.dispatcher.callClient.call(forgeOwnNotification, { tppId: by, notificationId });
const publish = (status = 'ACCP', paymentId = newId(), uri = receiver.url) =>
  world.publish({ tppId, uri, status, paymentId });
/** Waits until the notifications, newest first, have these states. */
const untilStates = async (...states: OwnNotification['state'][]): Promise<readonly OwnNotification[]> => {
  await until(async () => expect((await list()).map(({ state }) => state)).toEqual(states));
  return list();
};
const unknown = { failures: [{ failure: 'resourceUnknown' }] };

describe('svc.notifications.sandbox.list (contract 13)', () => {
  it('shows each attempt with its answer, and the body and signature as sent', async () => {
    receiver.behaviour = (_post, count) => (count === 1 ? 500 : 202);
    const { notificationId, resourceId } = publish();
    await receiver.received(1);
    const [shown] = await untilStates('delivered');
    const [post] = await receiver.received(2);
    expect(shown).toEqual({
      notificationId,
      resourceId,
      resourceType: 'payment',
      status: 'ACCP',
      uri: receiver.url,
      state: 'delivered',
      createdAt: expect.stringMatching(/Z$/),
      attempts: [
        { time: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/), answer: 'HTTP 500' },
        { time: expect.stringMatching(/Z$/), answer: 'HTTP 202' },
      ],
      body: post?.body,
      signature: makeSignature(post?.body ?? ''),
    });
  });

  it('keeps the latest 20 attempts', async () => {
    publish();
    const [{ notificationId } = { notificationId: '' }] = await untilStates('delivered');
    const tries = Array.from({ length: 20 }, (_none, index) => ({
      time: 'earlier',
      answer: `HTTP ${500 + index}`,
    }));
    await world.sql('UPDATE notifications.notification SET tries = $2 WHERE notification_id = $1', [
      notificationId,
      JSON.stringify(tries),
    ]);
    await replay(notificationId);
    const [after] = await untilStates('delivered');
    expect(after?.attempts.map(({ answer }) => answer)).toEqual([
      ...tries.slice(1).map(({ answer }) => answer),
      'HTTP 204',
    ]);
  });

  it('pages newest first without a gap, and refuses a cursor that is not one of the TPP’s', async () => {
    const paymentId = newId();
    for (const status of ['ACCP', 'ACSP', 'ACSC']) publish(status, paymentId);
    await untilStates('delivered', 'delivered', 'delivered');
    const first = await page({ limit: 2 });
    expect(first.notifications.map(({ status }) => status)).toEqual(['ACSC', 'ACSP']);
    const rest = await page({ limit: 2, before: first.next ?? '' });
    expect([rest.notifications.map(({ status }) => status), rest.next]).toEqual([['ACCP'], undefined]);
    const malformed = { failures: [{ failure: 'fieldMalformed', path: 'cursor' }] };
    for (const before of ['x', newId()]) await expect(page({ before })).rejects.toMatchObject(malformed);
    await expect(page({ before: first.next ?? '' }, 'other')).rejects.toMatchObject(malformed);
  });

  it('shows nothing that ended more than 24 hours ago, nor anything of another TPP', async () => {
    const { notificationId } = publish();
    await untilStates('delivered');
    expect((await page({}, newId())).notifications).toEqual([]);
    for (const call of [replay, end, forge])
      await expect(call(notificationId, newId())).rejects.toMatchObject(unknown);
    await world.sql(
      `UPDATE notifications.notification SET ended_at = now() - interval '25 hours' WHERE notification_id = $1`,
      [notificationId],
    );
    expect(await list()).toEqual([]);
    for (const call of [replay, end, forge])
      await expect(call(notificationId)).rejects.toMatchObject(unknown);
  });
});

describe('svc.notifications.sandbox.replay (contract 13)', () => {
  it('sends a delivered notification and a dead letter again, with the same X-Request-ID', async () => {
    const { notificationId } = publish();
    await untilStates('delivered');
    await replay(notificationId);
    await receiver.received(2);
    await untilStates('delivered');
    receiver.behaviour = () => 500;
    await replay(notificationId);
    await receiver.received(3);
    await end(notificationId);
    await untilStates('deadLetter');
    receiver.behaviour = () => 204;
    await replay(notificationId);
    await untilStates('delivered');
    expect(new Set(receiver.posts.map(({ headers }) => headers['x-request-id']))).toEqual(
      new Set([notificationId]),
    );
  });

  it('is refused while the notification waits', async () => {
    receiver.behaviour = () => 500;
    const { notificationId } = publish();
    await receiver.received(1);
    await expect(replay(notificationId)).rejects.toMatchObject({
      failures: [{ failure: 'statusForbidsReplay' }],
    });
  });
});

describe('svc.notifications.sandbox.dead-letter (contract 13)', () => {
  it('lets the next notification of the resource be sent, and is refused for one that has ended', async () => {
    receiver.behaviour = ({ body }) => (body.includes('ACCP') ? 500 : 204);
    const paymentId = newId();
    const { notificationId } = publish('ACCP', paymentId);
    publish('ACSP', paymentId);
    await receiver.received(1);
    await end(notificationId);
    await untilStates('delivered', 'deadLetter');
    await expect(end(notificationId)).rejects.toMatchObject({
      failures: [{ failure: 'statusForbidsDeadLetter' }],
    });
  });

  it('of several notifications at once leaves none behind that is waiting without a time', async () => {
    receiver.behaviour = ({ body }) => (body.includes('ACSC') ? 204 : 500);
    for (let round = 0; round < 10; round += 1) {
      tppId = newId();
      const paymentId = newId();
      const ended = ['ACCP', 'ACSP', 'ACTC'].map((status) => publish(status, paymentId).notificationId);
      publish('ACSC', paymentId);
      await until(async () => expect(await list()).toHaveLength(4));
      await Promise.all(ended.map(async (id) => end(id)));
      await untilStates('delivered', 'deadLetter', 'deadLetter', 'deadLetter');
    }
  });

  it.each([
    ['is delivered if the receiver accepts the attempt under way', 204, 'delivered'],
    ['stays a dead letter if the attempt under way fails', 500, 'deadLetter'],
  ] as const)('%s', async (_title, status, state) => {
    let answer: ServerResponse | undefined;
    const server = createServer((_request, response) => {
      answer = response;
      server.emit('asked');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asked = once(server, 'asked');
    const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { notificationId } = publish('ACCP', newId(), uri);
    await asked;
    await end(notificationId);
    answer?.writeHead(status).end();
    // A later one is recorded after the answer: each is recorded in the order in which it ended.
    publish('ACSC');
    await until(async () => {
      const shown = await list();
      expect(shown.map((one) => one.state)).toEqual(['delivered', state]);
    });
    server.closeAllConnections();
    server.close();
  });
});

describe('svc.notifications.sandbox.forge (contract 13)', () => {
  it('sends another status under a signature of the true body, once, and changes nothing but the attempts', async () => {
    const { notificationId } = publish('ACCP');
    const [before] = await untilStates('delivered');
    receiver.behaviour = () => 500;
    await forge(notificationId);
    const [genuine, forgery, ...others] = receiver.posts;
    expect(others).toEqual([]);
    expect(JSON.parse(forgery?.body ?? '')).toEqual({
      ...(JSON.parse(genuine?.body ?? '') as object),
      transactionStatus: 'ACSC',
    });
    expect(forgery?.headers).toMatchObject({
      'x-jws-signature': makeSignature(genuine?.body ?? ''),
      'x-sandbox-clock': signedAt,
    });
    expect(forgery?.headers['x-request-id']).not.toBe(notificationId);
    expect(await list()).toEqual([
      {
        ...before,
        attempts: [
          ...(before?.attempts ?? []),
          { time: expect.stringMatching(/Z$/), answer: 'HTTP 500', forged: true },
        ],
      },
    ]);
  });

  it('claims a rejection of a payment that is settled', async () => {
    const { notificationId } = publish('ACSC');
    await untilStates('delivered');
    await forge(notificationId);
    expect(receiver.posts[1]?.body).toContain('"transactionStatus":"RJCT"');
  });

  it('of a waiting notification, even one that is never signed, leaves its attempts and times as they were', async () => {
    receiver.behaviour = () => 500;
    const { notificationId } = publish(unsignable);
    await until(async () => expect((await list())[0]?.attempts).toHaveLength(1));
    const [before] = await list();
    await forge(notificationId);
    const [after] = await list();
    expect([after?.state, after?.nextAttemptAt]).toEqual(['waiting', before?.nextAttemptAt]);
    expect(receiver.posts[0]?.headers['x-jws-signature']).toBe('..');
  });

  it('keeps the attempts of forgeries sent at the same time as the notification itself', async () => {
    const { notificationId } = publish();
    await untilStates('delivered');
    await Promise.all([
      forge(notificationId),
      replay(notificationId),
      ...[1, 2, 3].map(async () => forge(notificationId)),
    ]);
    await receiver.received(6);
    await until(async () => {
      const attempts = (await list())[0]?.attempts ?? [];
      expect([attempts.length, attempts.filter(({ forged }) => forged === true).length]).toEqual([6, 4]);
    });
  });
});
