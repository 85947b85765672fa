// Lane: long, first (what fault runs found once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedPost } from '@xs2a/local-servers/http-receiver';
import { randomUUID } from 'node:crypto';
import { clientFindings } from './client-findings.js';
import { type Asked, ClientLog, type PaymentRecord } from '../load/client-log.js';
import { waitUntilRest } from '@xs2a/invariants/due-left';
import { findMissingNotifications } from './missing-notifications.js';
import { type KnownWorld, startKnownWorld } from '../testing/known-world.js';
import type { ChaosWorld } from '../world.js';

let known: KnownWorld;
let world: ChaosWorld;
let payments: KnownWorld['payments'];

beforeAll(async () => {
  known = await startKnownWorld();
  ({ world, payments } = known);
}, 120_000);
afterAll(async () => world?.stop(), 30_000);

describe('client findings (quality, invariants 3 and 8)', () => {
  /** Returns the findings after the clients' log has been changed as if the clients had received other responses. */
  const foundBy = async (changeLog: (log: ClientLog) => void) => {
    const log = new ClientLog();
    log.payments.push(...world.log.payments);
    log.consents.push(...world.log.consents);
    log.baskets.push(...world.log.baskets);
    changeLog(log);
    const { tpp, schemas, masterKeys } = world;
    const { violations, windows } = await clientFindings({ tpp, schemas, log, masterKeys }, [
      known.iban,
      known.poorIban,
    ]);
    return [...violations, ...windows];
  };
  const instead = (log: ClientLog, of: PaymentRecord, record: Partial<PaymentRecord>): void => {
    log.payments[log.payments.indexOf(of)] = { ...of, ...record };
  };

  /** Returns the consent's successful reads without a PSU; only one consent has any. */
  const readConsent = (): Asked[] | undefined =>
    world.log.consents
      .map(({ unattended }) => unattended.get('accounts'))
      .find((reads) => reads !== undefined);

  /** A point in time outside the period that the database lost. */
  const asked: Asked = { from: 0, to: 0 };

  it('are empty if the service’s data matches all acknowledgements', async () => {
    expect(await foundBy(() => undefined)).toEqual([]);
  });

  it.each([
    [
      'a payment that is lost',
      (log) => log.payments.push({ ...payments.unsigned, paymentId: randomUUID() }),
      /^payment \S+ is lost: 40[34]$/,
    ],
    [
      'a payment that was created twice',
      (log) => log.payments.splice(log.payments.indexOf(payments.unsigned), 1),
      /^payment \S+ was created twice: no client knows it$/,
    ],
    [
      'a payment of another amount',
      (log) => instead(log, payments.unsigned, { amount: 301 }),
      /^payment \S+ is another one$/,
    ],
    [
      'a status that went backwards',
      (log) =>
        instead(log, payments.settled, {
          seen: ['RCVD', 'ACSP', 'ACCP', 'ACSC'].map((status) => ({ status, asked })),
        }),
      /^payment \S+ went from ACSP to ACCP$/,
    ],
    [
      'a signature without effect',
      (log) => instead(log, payments.unsigned, { signed: asked }),
      /^payment \S+ was signed but is RCVD$/,
    ],
    [
      'a cancellation without effect',
      (log) => instead(log, payments.settled, { cancelled: asked }),
      /^payment \S+ was cancelled but is ACSC$/,
    ],
    [
      'money that moved without a signature',
      (log) => instead(log, payments.settled, { signed: undefined }),
      /^payment \S+ was not signed but is ACSC$/,
    ],
    [
      'money that no payment accounts for',
      (log) => instead(log, payments.settled, { debtorIban: known.poorIban }),
      /^account …\d{4}: 2500 left it, but its payments say otherwise$/,
    ],
    [
      'a basket that is lost',
      (log) => log.baskets.push({ ...known.baskets.open, basketId: randomUUID(), seen: [] }),
      /^basket \S+ is lost: 404$/,
    ],
    [
      'a basket that was created twice',
      (log) => log.baskets.shift(),
      /^basket \S+ was created twice: no client knows it$/,
    ],
    [
      'a basket with other items',
      (log) => log.baskets.push({ ...known.baskets.open, payments: [] }),
      /^basket \S+ is another one$/,
    ],
    [
      'a basket whose signature had no effect',
      (log) => log.baskets.push({ ...known.baskets.open, signed: asked }),
      /^basket \S+ was signed but is RCVD$/,
    ],
    [
      'a basket whose deletion had no effect',
      (log) => log.baskets.push({ ...known.baskets.open, cancelled: asked }),
      /^basket \S+ was cancelled but is RCVD$/,
    ],
    [
      'an unsigned basket that was completed',
      (log) => log.baskets.push({ ...known.baskets.signed, signed: undefined }),
      /^basket \S+ was not signed but is ACSC$/,
    ],
    [
      'a basket that went backwards',
      (log) =>
        log.baskets.push({
          ...known.baskets.signed,
          seen: ['ACTC', 'RCVD'].map((status) => ({ status, asked })),
        }),
      /^basket \S+ went from ACTC to RCVD$/,
    ],
    [
      'a consent that is lost',
      (log) =>
        log.consents.push({
          key: '',
          consentId: randomUUID(),
          created: asked,
          authorised: asked,
          unattended: new Map(),
        }),
      /^consent \S+ is lost: 40[34]$/,
    ],
    [
      'more reads than allowed',
      () => readConsent()?.push(asked),
      /^consent \S+: 5 reads of accounts were answered$/,
    ],
  ] as [string, (log: ClientLog) => void, RegExp][])('show %s', async (_title, changeLog, sentence) => {
    expect(await foundBy(changeLog)).toContainEqual(expect.stringMatching(sentence));
    readConsent()?.splice(4);
  });
});

describe('the notification check of a TPP (contract 11: at least once, in order per resource)', () => {
  const postsWith = (change: (posts: ReceivedPost[]) => ReceivedPost[]) => ({
    posts: change([...world.receiver.posts]),
  });
  const statusIn = ({ body }: ReceivedPost): string =>
    (JSON.parse(body) as { transactionStatus: string }).transactionStatus;
  const findMissing = async (change: (posts: ReceivedPost[]) => ReceivedPost[]): Promise<readonly string[]> =>
    findMissingNotifications(world.schemas, postsWith(change));

  it('accepts complete notifications in order, including duplicates', async () => {
    await waitUntilRest(world, 10);
    expect(await findMissing((posts) => [...posts, ...posts])).toEqual([]);
    expect(world.receiver.posts.length).toBeGreaterThan(2);
  });

  it.each([
    ['an order', 'payment', ({ orderId }: KnownWorld) => orderId, 'transaction-started'],
    ['a basket', 'basket', ({ baskets }: KnownWorld) => baskets.signed.basketId, 'basket-signed'],
    [
      'a consent',
      'consent',
      ({ baskets }: KnownWorld) => baskets.signed.consents[0]?.consentId ?? '',
      'authorised',
    ],
  ])('reports that no notification was sent about %s', async (_what, noun, makeId, type) => {
    const found = await findMissing((posts) => posts.filter(({ body }) => !body.includes(makeId(known))));
    expect(found).toContainEqual(`${noun} ${makeId(known)}: its TPP was not notified of ${type}`);
  });

  it('reports a change for which no notification was sent, and one whose notification was sent too early', async () => {
    const found = await findMissing((posts) => posts.filter((post) => statusIn(post) !== 'ACSP'));
    expect(found).toContainEqual(
      expect.stringMatching(/^payment \S+: its TPP was not notified of settlement-started$/),
    );
    expect(await findMissing((posts) => posts.toReversed())).toContainEqual(
      expect.stringMatching(
        /^payment \S+: its TPP was notified of settled too early$|of settlement-started too early$/,
      ),
    );
  });
});

describe('client findings after the database was restored to an earlier state', () => {
  const undone = { from: 100, to: 200 };
  const [during, after] = [
    { from: 150, to: 160 },
    { from: 201, to: 210 },
  ];
  const foundBy = async (changeLog: (log: ClientLog) => void): Promise<readonly string[]> => {
    const log = new ClientLog();
    log.payments.push(...Object.values(payments).filter((one, index, all) => all.indexOf(one) === index));
    log.baskets.push(...world.log.baskets);
    log.wentBack(undone);
    changeLog(log);
    const { tpp, schemas, masterKeys } = world;
    return (await clientFindings({ tpp, schemas, log, masterKeys }, [])).violations;
  };
  const lost = (created: Asked): PaymentRecord => ({
    ...payments.unsigned,
    paymentId: randomUUID(),
    created,
    seen: [{ status: 'RCVD', asked: created }],
  });

  it('ignore a missing resource that was acknowledged in the lost period', async () => {
    const found = await foundBy((log) => {
      log.payments.push(lost(during));
      const signed = { ...payments.unsigned, signed: during };
      log.payments[log.payments.indexOf(payments.unsigned)] = signed;
      log.payments.push({ ...payments.settled, cancelled: during });
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['before', { from: 90, to: 99 }],
    ['after', after],
  ])('report a missing resource that was acknowledged %s that period', async (_when, asked) => {
    const found = await foundBy((log) => {
      log.payments.push(lost(asked), { ...payments.unsigned, signed: asked });
    });
    expect(found.toSorted((a, b) => a.length - b.length)).toEqual([
      expect.stringMatching(/^payment \S+ is lost: 40[34]$/),
      expect.stringMatching(/^payment \S+ was signed but is RCVD$/),
    ]);
  });

  it('report a missing resource that was still visible after that period', async () => {
    const found = await foundBy((log) => {
      const payment = lost(during);
      payment.seen.push({ status: 'RCVD', asked: after });
      log.payments.push(payment);
    });
    expect(found).toEqual([expect.stringMatching(/^payment \S+ is lost: 40[34]$/)]);
  });
});
