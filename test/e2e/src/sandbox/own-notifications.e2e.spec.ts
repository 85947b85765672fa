import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { domesticPayment, initiate, listCodes, listPaths, until } from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import { publishedKeys, verifyNotification } from '@xs2a/tpp-client/notification-signature';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';

let world: World;
let receiver: HttpReceiver;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.ofLane();
});
afterAll(async () => world.stop());
beforeEach(async () => {
  receiver = await HttpReceiver.start();
  tpp = await registered();
  token = await tpp.applicationToken();
});
afterEach(async () => receiver.stop());

/** Registers a new TPP whose receiver is ours. */
const registered = async (): Promise<TppClient> => {
  const redirectUri = `${receiver.url}/callback`;
  const json = { name: 'Notified', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
  const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
    await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
  );
  return new TppClient(world.baseUrl, { clientId, clientSecret, redirectUri });
};

interface Shown {
  readonly notificationId: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly status: string;
  readonly uri: string;
  readonly state: string;
  readonly attempts: readonly { readonly time: string; readonly answer: string; readonly forged?: true }[];
  readonly body: string;
  readonly signature?: string;
}
interface Page {
  readonly notifications: readonly Shown[];
  readonly _links: { readonly first?: { readonly href: string }; readonly next?: { readonly href: string } };
}
const listed = async (path = '/sandbox/notifications', bearer = token): Promise<Page> =>
  bodyOf<Page>(await tpp.call('GET', path, bearer), 200);
/** Waits until the notifications, newest first, have these states. */
const untilStates = async (...states: string[]): Promise<readonly Shown[]> => {
  const { notifications } = await until(
    listed,
    (page) => page.notifications.map(({ state }) => state).join() === states.join(),
  );
  return notifications;
};
const act = async (id: string, what: 'replay' | 'dead-letter' | 'forge', bearer = token): Promise<unknown> =>
  summarise(await tpp.call('POST', `/sandbox/notifications/${id}/${what}`, bearer));
const summarise = (answer: Answer): unknown =>
  answer.status === 204 ? [204, answer.text] : [answer.status, ...listCodes(answer)];
/** Creates a payment whose changes are pushed to our receiver, and has it signed. */
const signed = async (): Promise<string> => {
  const psu = await world.person('100.00');
  const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''), {
    'tpp-notification-uri': `${receiver.url}/push`,
  });
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment.paymentId;
};

describe('GET /sandbox/notifications (contract 13)', () => {
  it('lists the caller’s notifications, newest first, with attempts, body and a valid signature', async () => {
    receiver.behaviour = (_post, count) => (count === 1 ? 500 : 204);
    const paymentId = await signed();
    const [last, first] = await untilStates('delivered', 'delivered');
    expect(last).toMatchObject({ resourceType: 'payment', resourceId: paymentId, status: 'ACCP finalised' });
    expect(first).toMatchObject({ status: 'ACCP psuIdentified', uri: `${receiver.url}/push` });
    expect(first?.attempts.map(({ answer }) => answer)).toEqual(['HTTP 500', 'HTTP 204']);
    const post = receiver.posts[1];
    expect([first?.notificationId, first?.body, first?.signature]).toEqual([
      post?.headers['x-request-id'],
      post?.body,
      post?.headers['x-jws-signature'],
    ]);
    const keys = await publishedKeys(world.baseUrl);
    expect(verifyNotification(first?.body ?? '', first?.signature ?? '', keys)).toMatchObject({
      header: { alg: 'ES256' },
    });
  });

  it('pages through the links, and refuses a wrong page size or cursor with its name', async () => {
    await signed();
    const all = await untilStates('delivered', 'delivered');
    const page = await listed('/sandbox/notifications?pageSize=1');
    expect(page.notifications).toEqual([all[0]]);
    const next = await listed(page._links.next?.href);
    expect(next).toEqual({
      notifications: [all[1]],
      _links: { first: { href: '/sandbox/notifications?pageSize=1' } },
    });
    for (const [query, path] of [
      ['pageSize=0', 'pageSize'],
      ['cursor=x', 'cursor'],
      [`cursor=${randomUUID()}`, 'cursor'],
    ]) {
      const answer = await tpp.call('GET', `/sandbox/notifications?${query}`, token);
      expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([400, ['FORMAT_ERROR'], [path]]);
    }
  });

  it('never shows another TPP’s notifications, nor lets it change them', async () => {
    await signed();
    const [{ notificationId } = { notificationId: '' }] = await untilStates('delivered', 'delivered');
    const other = await registered();
    const ofOther = await other.applicationToken();
    expect((await listed('/sandbox/notifications', ofOther)).notifications).toEqual([]);
    for (const what of ['replay', 'dead-letter', 'forge'] as const)
      expect(await act(notificationId, what, ofOther)).toEqual([404, 'RESOURCE_UNKNOWN']);
    const answer = await other.call('GET', `/sandbox/notifications?cursor=${notificationId}`, ofOther);
    expect([answer.status, listPaths(answer)]).toEqual([400, ['cursor']]);
  });
});

describe('POST /sandbox/notifications/{notificationId}/… (contract 13)', () => {
  it('replay sends a delivered notification again, with the same X-Request-ID', async () => {
    await signed();
    const [{ notificationId } = { notificationId: '' }] = await untilStates('delivered', 'delivered');
    expect(await act(notificationId, 'dead-letter')).toEqual([409, 'STATUS_INVALID']);
    expect(await act(notificationId, 'replay')).toEqual([204, '']);
    const posts = await receiver.received(3);
    expect(posts[2]?.headers['x-request-id']).toBe(notificationId);
    expect(posts[2]?.body).toBe(posts[1]?.body);
  });

  it('dead-letter gives up a failing notification, so that the next one is sent', async () => {
    receiver.behaviour = ({ body }) => (body.includes('psuIdentified') ? 500 : 204);
    await signed();
    const [, failing] = await untilStates('waiting', 'waiting');
    const id = failing?.notificationId ?? '';
    expect(await act(id, 'replay')).toEqual([409, 'STATUS_INVALID']);
    expect(await act(id, 'dead-letter')).toEqual([204, '']);
    await untilStates('delivered', 'deadLetter');
    receiver.behaviour = () => 204;
    expect(await act(id, 'replay')).toEqual([204, '']);
    await untilStates('delivered', 'delivered');
  });

  it('forge sends a false status, whose signature names a published key and does not verify', async () => {
    await signed();
    const [{ notificationId, attempts } = { notificationId: '', attempts: [] }] = await untilStates(
      'delivered',
      'delivered',
    );
    expect(await act(notificationId, 'forge')).toEqual([204, '']);
    const [, genuine, forgery] = await receiver.received(3);
    const keys = await publishedKeys(world.baseUrl);
    const signature = String(forgery?.headers['x-jws-signature']);
    expect(verifyNotification(genuine?.body ?? '', signature, keys)).toMatchObject({
      header: { alg: 'ES256' },
    });
    expect(verifyNotification(forgery?.body ?? '', signature, keys)).toEqual({
      refused: 'the signature does not match the body',
    });
    expect(JSON.parse(forgery?.body ?? '')).toMatchObject({ transactionStatus: 'ACSC' });
    const { notifications } = await listed();
    expect(notifications[0]?.attempts).toEqual([
      ...attempts,
      { time: expect.any(String), answer: 'HTTP 204', forged: true },
    ]);
  });
});
