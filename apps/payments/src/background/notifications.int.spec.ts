import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DueNotification, readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import * as contract from '@xs2a/contracts/payments.contract';
import { everyChange } from '@xs2a/domain/notification/notification-content';
import { until } from '@xs2a/nats/testing/until';
import { occurrenceTransactionId } from '@xs2a/runtime/booking-ids';
import {
  bulkPayment,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
let from: number;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());
beforeEach(async () => {
  from = (await allAfter(0)).next;
});

/** Returns all notifications after a position in the log, once all events have a position. */
const allAfter = async (after: number): Promise<{ notifications: DueNotification[]; next: number }> => {
  await until(async () => expect(await world.sql('SELECT FROM payments.unsequenced')).toEqual([]));
  const notifications: DueNotification[] = [];
  for (let next = after; ;) {
    const page = await world.ask(readPaymentNotifications, { after: next });
    if (page.next === next) return { notifications, next };
    notifications.push(...page.notifications);
    next = page.next;
  }
};
const readNotifications = async (): Promise<DueNotification[]> => (await allAfter(from)).notifications;
const uri = 'https://tpp.example/push';
const notified = (content: readonly ('SCA' | 'PROCESS' | 'LAST')[] = everyChange) => ({
  notification: { uri, content },
});
const started = (paymentId: string, number: number) =>
  ({
    ...world.part(paymentId, number),
    step: 'settlement-started',
    holdId: `h${number}`,
    transactionId: `t${number}`,
  }) as const;
const settled = (paymentId: string, number: number) =>
  ({ ...world.part(paymentId, number), step: 'settled', postingId: `p${number}` }) as const;
const refused = (paymentId: string, number: number) =>
  ({ ...world.part(paymentId, number), step: 'funds-refused', reason: 'insufficient-funds' }) as const;
const processed = async (): Promise<unknown[]> =>
  (await readNotifications()).map(({ body: { transactionStatus, fundsAvailable, transactionId } }) =>
    [transactionStatus, fundsAvailable, transactionId].filter((value) => value !== undefined),
  );

describe('the notifications of payments (contract 11)', () => {
  it('cover each change of a payment with a registered address, in order and with its links, and no changes of other payments', async () => {
    await world.signed();
    const { paymentId, authorisationId, product } = await world.signed(notified());
    const path = `/v1/payments/${product}/${paymentId}`;
    const _links = {
      self: { href: path },
      status: { href: `${path}/status` },
      scaStatus: { href: `${path}/authorisations/${authorisationId}` },
    };
    const common = { paymentId, transactionStatus: 'ACCP', authorisationId, _links };
    const notifications = await readNotifications();
    expect(notifications.map(({ body }) => body)).toEqual([
      { ...common, scaStatus: 'psuIdentified', timestamp: expect.any(String) },
      { ...common, scaStatus: 'finalised', timestamp: expect.any(String) },
    ]);
    expect(notifications[0]).toMatchObject({ tppId: 'tpp', resourceId: paymentId, uri, part: 0 });
    expect(notifications[1]?.pos).toBeGreaterThan(notifications[0]?.pos ?? 0);
  });

  it('are the same, with the same ids, when read again', async () => {
    await world.signed(notified());
    const [once, again] = [await readNotifications(), await readNotifications()];
    expect(again).toEqual(once);
    expect(new Set(once.map(({ notificationId }) => notificationId)).size).toBe(2);
  });

  it('use the address of a later authorisation as soon as it is registered', async () => {
    const payment = await world.initiateForSeveral();
    const start = async (psuId: string, more: object) =>
      world.ask(contract.paymentAuthorisation.start, {
        ...payment,
        psuId,
        idempotencyKey: { path: 'POST', hash: psuId },
        redirectUris: {},
        ...more,
      });
    const { authorisationId } = await start('georgi', {});
    expect(await readNotifications()).toEqual([]);
    await start('elena', notified());
    await world.ask(contract.paymentAuthorisation.identify, {
      paymentId: payment.paymentId,
      authorisationId,
      psuId: 'georgi',
    });
    expect((await readNotifications()).map(({ body }) => [body.authorisationId, body.scaStatus])).toEqual([
      [authorisationId, 'psuIdentified'],
    ]);
  });

  it('continue across pages, however many events in between have no notification', async () => {
    for (let index = 0; index < 300; index += 1) await world.initiate();
    const many: { readonly paymentId: string }[] = [];
    // A busy machine does not answer many more calls at once within their timeout.
    while (many.length < 120)
      many.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, async () => world.signed(notified(['PROCESS', 'SCA']))),
        )),
      );
    const notifications = await readNotifications();
    expect(notifications).toHaveLength(240);
    expect(new Set(notifications.map(({ resourceId }) => resourceId))).toEqual(
      new Set(many.map(({ paymentId }) => paymentId)),
    );
  });
});

describe('a payment whose events cannot be read', () => {
  it('is the only one left out, and is included once it can be read', async () => {
    const damaged = await world.signed(notified());
    const other = await world.signed(notified());
    const whole = await readNotifications();
    const all = (paymentId: string) => whole.filter(({ resourceId }) => resourceId === paymentId);
    const rename = async (type: string, newType: string): Promise<unknown> =>
      world.sql('UPDATE payments.events SET type = $3 WHERE stream_id = $1 AND type = $2', [
        damaged.paymentId,
        type,
        newType,
      ]);
    const [lastType = ''] = (await world.eventTypes(damaged.paymentId)).slice(-1);
    await rename(lastType, 'of-a-newer-release');
    const page = await world.ask(readPaymentNotifications, { after: from });
    const [first, last] = all(damaged.paymentId);
    expect(page.notifications).toEqual([first, ...all(other.paymentId)]);
    const unread = [{ resourceId: damaged.paymentId, pos: last?.pos ?? 0 }];
    expect(page.unread).toEqual(unread);

    const again = {
      after: (last?.pos ?? 0) - 1,
      only: { resourceId: damaged.paymentId, upTo: page.next },
    };
    expect(await world.ask(readPaymentNotifications, again)).toEqual({
      notifications: [],
      next: page.next,
      unread,
    });
    await rename('of-a-newer-release', lastType);
    expect(await world.ask(readPaymentNotifications, again)).toEqual({
      notifications: [last],
      next: page.next,
      unread: [],
    });
  });
});

describe('the notifications of orders and bulk payments (contract 9, 11)', () => {
  it('cover each occurrence of a periodic order, with its transactionId, and finally the end of the order', async () => {
    const order = periodicOrder(2, world.payments.clock.date('Europe/Sofia'));
    const { paymentId, product } = await world.signed({ ...order, ...notified(['PROCESS', 'LAST']) });
    await world.record(started(paymentId, 1), settled(paymentId, 1), refused(paymentId, 2));
    const skipped = occurrenceTransactionId({ paymentId, number: 2 });
    expect(await processed()).toEqual([['ACCP'], ['ACSP', true, 't1'], ['ACSP', false, skipped], ['ACSC']]);
    const [first] = await readNotifications();
    expect(first?.body._links['self']?.href).toBe(`/v1/periodic-payments/${product}/${paymentId}`);
  });

  it('cover a bulk payment as a whole: ACSP with its first hold, then its final result', async () => {
    const { paymentId } = await world.signed({ ...bulkPayment(['1.00', '2.00']), ...notified(['PROCESS']) });
    await world.record(started(paymentId, 1), refused(paymentId, 2), settled(paymentId, 1));
    expect(await processed()).toEqual([['ACCP'], ['ACSP'], ['PART']]);
  });

  it('end with LAST for a bulk payment that has no funds for any of its entries', async () => {
    const { paymentId } = await world.signed({ ...bulkPayment(['1.00', '2.00']), ...notified(['LAST']) });
    await world.record(refused(paymentId, 1), refused(paymentId, 2));
    expect(await processed()).toEqual([['ACCP', false]]);
  });
});
