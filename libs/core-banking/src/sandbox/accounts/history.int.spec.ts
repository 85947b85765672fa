import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { newId } from '@xs2a/runtime/ids';
import type { DeltaQuery } from '../../port/accounts.js';
import { makeCustomers } from '../../testing/customers.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { newerEntries, olderEntries, type PageRow } from './page-statement.js';
import { transactionText } from '../../rendering/entry-text.js';
import { readEntries } from '../ledger/entry-details.js';
import { ledgerViolations } from '../ledger/ledger-invariants.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);
afterEach(async () => {
  expect(await ledgerViolations(fresh.pool)).toEqual([]);
});

const { accountsOf: listAccounts, oneAccount, page, deposit } = makeCustomers(() => fresh);
const ids = (entries: readonly TransactionEntry[]): string[] =>
  entries.map(({ transactionId }) => transactionId);

describe('paging (contract 6)', () => {
  it('returns every entry once, from the newest to the oldest and back again, while new entries arrive', async () => {
    const { iban, resourceId } = await oneAccount();
    for (let n = 1; n <= 23; n += 1) await deposit(iban, `${n}.00`);
    const all = ids((await page(resourceId)).booked);
    expect(all).toHaveLength(23);
    const pages = [await page(resourceId, { pageSize: 5 })];
    for (let last = pages.at(-1); last?.nextCursor !== undefined; last = pages.at(-1)) {
      await deposit(iban, '100.00');
      pages.push(await page(resourceId, { pageSize: 5, cursor: last.nextCursor }));
    }
    expect(pages.flatMap(({ booked }) => ids(booked))).toEqual(all);
    expect(pages[0]?.previousCursor).toBeUndefined();
    const back = [pages.at(-1)];
    for (let first = back[0]; first?.previousCursor !== undefined; first = back[0]) {
      back.unshift(await page(resourceId, { pageSize: 5, cursor: first.previousCursor }));
    }
    const seen = back.flatMap((one) => ids(one?.booked ?? []));
    expect(seen).toEqual(ids((await page(resourceId)).booked));
    expect(seen).toHaveLength(23 + pages.length - 1);
  });

  it('counts booked and pending entries together', async () => {
    const { iban, resourceId } = await oneAccount('10.00');
    await deposit(iban, '1.00');
    const payment = newId();
    await fresh.bank.booking.placeHolds([
      {
        paymentId: payment,
        order: {
          amount: { minor: 100, currency: 'BGN' },
          debtorIban: iban,
          creditorAccount: 'DE89370400440532013000',
          creditorName: 'M',
          remittance: 'r',
        },
      },
    ]);
    const first = await page(resourceId, { pageSize: 1 });
    expect([first.booked.length, first.pending.length]).toEqual([0, 1]);
    const second = await page(resourceId, { pageSize: 1, cursor: first.nextCursor });
    expect([second.booked.length, second.pending.length, second.nextCursor]).toEqual([1, 0, undefined]);
    expect((await page(resourceId, { bookingStatus: 'pending' })).booked).toEqual([]);
    expect((await page(resourceId, { bookingStatus: 'pending' })).pending).toHaveLength(1);
    expect((await page(resourceId, { bookingStatus: 'booked' })).pending).toEqual([]);
    expect((await page(resourceId, { bookingStatus: 'booked' })).booked).toHaveLength(1);
  });

  it('returns booked entries as JSON text equal to the rendered entries on older and newer pages, and parses the text only on access', async () => {
    const [account] = await listAccounts('ivan');
    const resourceId = account?.resourceId ?? '';
    const first = await page(resourceId, { pageSize: 20 });
    const second = await page(resourceId, { pageSize: 20, cursor: first.nextCursor });
    const back = await page(resourceId, { pageSize: 20, cursor: second.previousCursor });
    for (const one of [first, second, back]) {
      expect(Object.getOwnPropertyDescriptor(one, 'booked')?.get).toBeDefined();
      const { booked, bookedText } = one;
      expect(booked).toHaveLength(20);
      expect(bookedText).toBe(booked.map(transactionText).join(','));
    }
    expect(back.bookedText).toBe(first.bookedText);
    expect(await page(resourceId, { dateTo: '2000-01-01' })).toMatchObject({ booked: [], bookedText: '' });
  });

  it('limits entries to the requested booking dates, including the first and last day', async () => {
    const [account] = await listAccounts('ivan');
    const resourceId = account?.resourceId ?? '';
    const all = (await page(resourceId, { pageSize: 500 })).booked;
    const dates = all.map(({ bookingDate }) => bookingDate ?? '');
    expect(dates).toEqual(dates.toSorted().reverse());
    const [from, to] = [dates.at(-10) ?? '', dates.at(20) ?? ''];
    const some = await page(resourceId, { dateFrom: from, dateTo: to, pageSize: 500 });
    expect(some.booked).toEqual(
      all.filter(({ bookingDate = '' }) => bookingDate >= from && bookingDate <= to),
    );
    for (const [dateFrom, dateTo] of [
      ['0001-01-01', '1969-12-31'],
      ['9999-12-31', '9999-12-31'],
      ['0000-01-01', '0000-01-01'],
    ]) {
      expect(await page(resourceId, { dateFrom, dateTo })).toMatchObject({ booked: [], pending: [] });
    }
  });

  it('refuses cursors that this bank did not issue or that it issued for another account', async () => {
    const [account, other] = await listAccounts('ivan');
    const { nextCursor = '' } = await page(account?.resourceId ?? '', { pageSize: 1 });
    const query = {
      currency: 'BGN',
      dateFrom: '2000-01-01',
      dateTo: '2100-01-01',
      bookingStatus: 'both',
      pageSize: 1,
    } as const;
    const ask = (resourceId = '', cursor = ''): Promise<unknown> =>
      fresh.bank.accounts.entries({ ...query, resourceId, cursor });
    expect(await ask(account?.resourceId, nextCursor)).not.toBe('cursor-forged');
    expect(await ask(other?.resourceId, nextCursor)).toBe('cursor-forged');
    expect(await ask(account?.resourceId, `${nextCursor}A`)).toBe('cursor-forged');
    expect(await ask(account?.resourceId, 'x')).toBe('cursor-forged');
  });

  it('with entryReferenceFrom, returns what was booked after that entry, including entries still pending at that time (contract 6)', async () => {
    const { iban, resourceId } = await oneAccount('10.00');
    const paid = async (amount: string): Promise<string> => {
      const done = await deposit(iban, amount);
      if (!('transactionId' in done)) throw new Error('refused');
      return done.transactionId;
    };
    const before = await paid('1.00');
    const [hold] = await fresh.bank.booking.placeHolds([
      {
        paymentId: newId(),
        order: {
          amount: { minor: 100, currency: 'BGN' },
          debtorIban: iban,
          creditorAccount: 'DE89370400440532013000',
          creditorName: 'M',
          remittance: 'r',
        },
      },
    ]);
    const held = hold?.held === true ? hold.transactionId : '';
    const known = await paid('2.00');
    const since = async (
      reference: string,
      query: Partial<DeltaQuery> = {},
    ): Promise<[string[], string[]]> => {
      const { booked, pending } = await page(resourceId, { entryReferenceFrom: reference, ...query });
      return [ids(booked), ids(pending)];
    };
    expect(await since(before)).toEqual([[known], [held]]);
    expect(await since(known)).toEqual([[], [held]]);
    await expect(page(resourceId, { entryReferenceFrom: held })).rejects.toThrow('reference-unknown');
    fresh.clock.raiseTo(fresh.clock.offsetMs + fresh.profile.bookingDelaySeconds * 1000);
    const later = await paid('3.00');
    expect(await since(known)).toEqual([[later, held], []]);
    expect(await since(held)).toEqual([[later], []]);
    expect(await since(later)).toEqual([[], []]);
    const first = await page(resourceId, { entryReferenceFrom: known, pageSize: 1 });
    expect(await since(known, { pageSize: 1, cursor: first.nextCursor })).toEqual([[held], []]);
    const other = await oneAccount('1.00');
    await expect(page(other.resourceId, { entryReferenceFrom: known })).rejects.toThrow('reference-unknown');
  });

  it('returns an entry of the account, but none of another account', async () => {
    const [mine, theirs] = [await oneAccount(), await oneAccount()];
    const deposited = await deposit(mine.iban, '7.00');
    const transactionId = 'transactionId' in deposited ? deposited.transactionId : '';
    const entry = (resourceId: string, id: string): Promise<unknown> =>
      fresh.bank.accounts.entry({ resourceId }, id);
    expect(await entry(mine.resourceId, transactionId)).toMatchObject({
      transactionId,
      amount: { minor: 700, currency: 'BGN' },
    });
    expect(await entry(theirs.resourceId, transactionId)).toBeUndefined();
    for (const id of ['', 'x', transactionId.toUpperCase(), `${transactionId}0`])
      expect(await entry(mine.resourceId, id)).toBeUndefined();
  });

  it.each([
    ['older', olderEntries, "'9999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2000-01-01'"],
    ['newer', newerEntries, "'2000-01-01', '00000000-0000-0000-0000-000000000000', '9999-12-31'"],
  ])('reads a page of %s entries with SQL that runs unchanged in psql', async (direction, text, scan) => {
    const { iban, resourceId } = await oneAccount();
    const deposited = [await deposit(iban, '1.00'), await deposit(iban, '2.00')];
    const session = await fresh.pool.connect();
    try {
      await session.query(`PREPARE page AS ${text}`);
      const { rows } = await session.query<PageRow>(
        `EXECUTE page ('${resourceId}', '${fresh.clock.now()}', ${scan}, 'both', '2000-01-01', '9999-12-31', '2000-01-01', '9999-12-31',
          '-infinity', '00000000-0000-0000-0000-000000000000', 1)`,
      );
      const [row] = rows;
      expect(readEntries(row?.booked ?? '', true)).toEqual([
        expect.objectContaining({ ...deposited.at(direction === 'older' ? -1 : 0) }),
      ]);
      expect(row).toMatchObject({ pending: '', hasMore: true, switchOver: null, beginId: row?.endId });
    } finally {
      await session.query('DEALLOCATE page');
      session.release();
    }
  });
});
