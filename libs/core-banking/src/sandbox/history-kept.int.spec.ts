import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type { EntriesQuery } from '../port/accounts.js';
import { type FreshBank, freshBank } from '../testing/fresh-bank.js';
import { readPage } from '../testing/read-page.js';
import { History, type RenderedPage } from './history.js';
import { cursorKey } from './settings.js';

let fresh: FreshBank;
let kept: History;
let options: ConstructorParameters<typeof History>[0];
beforeAll(async () => {
  fresh = await freshBank();
  const { pool, clock, profile } = fresh;
  options = { pool, clock, timeZone: profile.timeZone, cursorKey: await cursorKey(pool) };
  kept = new History(options);
}, 60_000);
afterAll(() => fresh.close(), 30_000);

interface Account {
  readonly iban: string;
  readonly resourceId: string;
}
const oneAccount = async (): Promise<Account> => {
  const psu = await fresh.bank.tools.createPsu({ accounts: [{ currency: 'BGN', opening: '100000.00' }] });
  if ('failures' in psu) throw new Error(JSON.stringify(psu.failures));
  const [account] = await fresh.bank.psus.accountsOf(psu.psuId);
  if (account === undefined) throw new Error('no account');
  return account;
};
const query = (resourceId: string, rest: Partial<EntriesQuery> = {}): EntriesQuery => ({
  resourceId,
  currency: 'BGN',
  dateFrom: '2000-01-01',
  dateTo: '9999-12-31',
  bookingStatus: 'both',
  pageSize: 5,
  ...rest,
});
const told = async (history: History, asked: EntriesQuery): Promise<RenderedPage> => {
  const page = await history.page(asked);
  if (typeof page === 'string') throw new Error(page);
  return page;
};
const text = ({ rendered, nextCursor, previousCursor }: RenderedPage): string =>
  `${nextCursor} ${previousCursor} ${Buffer.from(rendered).toString()}`;
/** As a bank says it that keeps no pages: one that has just been opened. */
const anew = async (asked: EntriesQuery): Promise<string> => text(await told(new History(options), asked));

const deposit = async ({ iban }: Account): Promise<string> => {
  const done = await fresh.bank.tools.deposit({ iban, body: { amount: '1.00', currency: 'BGN' } });
  if (!('transactionId' in done)) throw new Error('not deposited');
  return done.transactionId;
};
const hold = async (
  { iban }: Account,
  creditorAccount = 'DE89370400440532013000',
  batchId?: string,
): Promise<string> => {
  const paymentId = newId();
  const amount = { minor: 100, currency: 'BGN' };
  const order = { amount, debtorIban: iban, creditorAccount, creditorName: 'M', remittance: 'r' };
  const [result] = await fresh.bank.booking.placeHolds([{ paymentId, batchId, order }]);
  expect(result?.held).toBe(true);
  return paymentId;
};

describe('a page that was told before (contract 6)', () => {
  it('is told again without its entries being read', async () => {
    const account = await oneAccount();
    for (let n = 0; n < 7; n += 1) await deposit(account);
    const first = await told(kept, query(account.resourceId));
    const spy = jest.spyOn(fresh.pool, 'query');
    const again = await told(kept, query(account.resourceId));
    const names = spy.mock.calls.map(([statement]) => (statement as unknown as { name: string }).name);
    spy.mockRestore();
    expect(names).toEqual(['account-versions']);
    expect(again.rendered).toBe(first.rendered);
    const versions = await kept.versionsOf([account.resourceId, newId()]);
    expect([...versions]).toEqual([[account.resourceId, again.version]]);
    expect([first.version, again.nextCursor]).toEqual([undefined, first.nextCursor]);
  });

  it('is read again after each booking, and when a pending entry comes to be booked', async () => {
    const account = await oneAccount();
    const other = await oneAccount();
    let toPost = '';
    let toVoid = '';
    const batchId = newId();
    const steps: readonly (() => unknown)[] = [
      async () => deposit(account),
      async () => (toPost = await hold(account, other.iban)),
      async () => (toVoid = await hold(account)),
      async () => fresh.bank.booking.voidHolds([toVoid]),
      async () => fresh.bank.booking.postHolds([toPost]),
      async () => hold(account, undefined, batchId),
      async () => (toVoid = await hold(account, undefined, batchId)),
      async () => fresh.bank.booking.voidHolds([toVoid]),
      () => fresh.clock.raiseTo(fresh.clock.offsetMs + (fresh.profile.bookingDelaySeconds + 1) * 1000),
      async () => hold(account),
      async () => hold(account, undefined, batchId),
      async () => deposit(other),
      () => fresh.clock.raiseTo(fresh.clock.offsetMs + 26 * 3_600_000),
    ];
    const asked = [account, other].flatMap(({ resourceId }) => [
      query(resourceId),
      query(resourceId, { bookingStatus: 'booked' }),
      query(resourceId, { bookingStatus: 'pending' }),
      query(resourceId, { pageSize: 2 }),
    ]);
    for (const [step, act] of steps.entries()) {
      await act();
      for (const one of [...asked, ...asked])
        expect([step, text(await told(kept, one))]).toEqual([step, await anew(one)]);
    }
  });

  it('is never one from before what was acknowledged, of another account or with an entry that was taken out', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, oneAccount));
    const own = new Map(accounts.map(({ resourceId }) => [resourceId, new Set<string>()]));
    const gone = new Set<string>();
    const writing = new Set(accounts);
    const write = async (account: Account): Promise<void> => {
      for (let n = 0; n < 25; n += 1) {
        own.get(account.resourceId)?.add(await deposit(account));
        const paymentId = await hold(account);
        const pending = readPage(await told(kept, query(account.resourceId))).pending;
        await fresh.bank.booking.voidHolds([paymentId]);
        for (const { transactionId } of pending) gone.add(transactionId);
      }
      writing.delete(account);
    };
    let pages = 0;
    const read = async ({ resourceId }: Account): Promise<void> => {
      const mine = own.get(resourceId) ?? new Set();
      while (writing.size > 0) {
        const before = new Set(mine);
        const left = new Set(gone);
        const { booked, pending } = readPage(await told(kept, query(resourceId, { pageSize: 100 })));
        const ids = new Set(booked.map(({ transactionId }) => transactionId));
        expect([...before].filter((id) => !ids.has(id))).toEqual([]);
        expect(pending.filter(({ transactionId }) => left.has(transactionId))).toEqual([]);
        const others = [...own].flatMap(([id, entries]) => (id === resourceId ? [] : [...entries]));
        expect(others.filter((id) => ids.has(id))).toEqual([]);
        pages += 1;
      }
    };
    await Promise.all([...accounts.map(write), ...[...accounts, ...accounts].map(read)]);
    expect(gone.size).toBe(100);
    expect(pages).toBeGreaterThan(100);
  }, 60_000);
});
