import assert from 'node:assert/strict';
import { readAccount, readBalances, pageIn, readPage, type SeenPage } from './account-reading.js';
import type { BankCheck } from './sample.js';

const unknownId = '00000000-0000-4000-8000-000000000000';
/** A well-formed IBAN that does not belong to any bank. */
const unknownIban = 'DE89370400440532013000';

/** Checks of the bank's responses about people, accounts, entries and funds (spec 2.2, 2.3; contract 6, 7, 12). */
export const readingChecks: readonly BankCheck[] = [
  {
    title: 'the right password is accepted; a wrong one and an unknown PSU are not',
    run: async ({ bank, sample, call }) => {
      const { psuId, password } = sample;
      assert.equal((await bank.psus.authenticate(psuId, password, call()))?.psuId, psuId);
      assert.equal(await bank.psus.authenticate(psuId, `${password}x`, call()), undefined);
      assert.equal(await bank.psus.authenticate('nobody-of-this-name', password, call()), undefined);
    },
  },
  {
    title: 'the accounts of a PSU have distinct ids, the main account first; an unknown PSU has no accounts',
    run: async (trial) => {
      const accounts = await trial.bank.psus.listAccounts(trial.sample.psuId, trial.call());
      assert.equal(accounts[0]?.iban, trial.sample.iban);
      assert.equal(accounts[0]?.main, true);
      assert.equal(new Set(accounts.map(({ resourceId }) => resourceId)).size, accounts.length);
      assert.deepEqual(await trial.bank.psus.listAccounts('nobody-of-this-name', trial.call()), []);
    },
  },
  {
    title: 'the number of signers that a corporate requires is returned; an unknown corporate is not found',
    run: async ({ bank, sample, call }) => {
      assert.equal(await bank.psus.corporate('no-such-corporate', call()), undefined);
      if (sample.corporateId === undefined) return;
      const corporate = await bank.psus.corporate(sample.corporateId, call());
      assert.ok(corporate !== undefined && corporate.signaturesRequired >= 1);
    },
  },
  {
    title:
      'the facts about an account include whether the PSU owns it; an account of another bank is not known',
    run: async ({ bank, sample, call }) => {
      const { psuId, iban, foreignIban, currency } = sample;
      const own = await bank.accounts.facts({ iban, psuId }, call());
      assert.equal(own.ownedByPsu, true);
      assert.deepEqual(
        { iban: own.account?.iban, currency: own.account?.currency, status: own.account?.status },
        { iban, currency, status: 'enabled' },
      );
      const foreign = await bank.accounts.facts({ iban: foreignIban, psuId }, call());
      assert.equal(foreign.account?.iban, foreignIban);
      assert.equal(foreign.ownedByPsu, false);
      assert.equal((await bank.accounts.facts({ iban }, call())).ownedByPsu, false);
      assert.deepEqual(await bank.accounts.facts({ iban: unknownIban, psuId }, call()), {
        ownedByPsu: false,
      });
    },
  },
  {
    title: 'details are returned in the requested order, without unknown ids',
    run: async ({ bank, sample, call }) => {
      const ids = (await bank.psus.listAccounts(sample.psuId, call())).map(({ resourceId }) => resourceId);
      const reversed = [...ids].reverse();
      const details = await bank.accounts.details([unknownId, ...reversed], call());
      assert.deepEqual(
        details.map(({ resourceId }) => resourceId),
        reversed,
      );
      assert.deepEqual(await bank.accounts.details([], call()), []);
    },
  },
  {
    title: 'both balances are present, and expected is not above interimAvailable (spec 2.2)',
    run: async (trial) => {
      const { interimAvailable, expected } = await readBalances(trial, (await readAccount(trial)).resourceId);
      assert.ok(expected <= interimAvailable, 'blocked amounts lower expected');
    },
  },
  {
    title: 'pages contain every entry of the history once, newest first, in both directions (contract 6)',
    run: async (trial) => {
      const { resourceId } = await readAccount(trial);
      const whole = await pageIn(trial, resourceId, { pageSize: 500 });
      const all = whole.entries.slice(0, 12).map(({ transactionId }) => transactionId);
      assert.ok(all.length >= 6, 'the sample’s account needs a history of at least six entries');
      const pages: SeenPage[] = [await pageIn(trial, resourceId, { pageSize: 3 })];
      while (pages.length < 4 && pages.at(-1)?.nextCursor !== undefined) {
        pages.push(await pageIn(trial, resourceId, { pageSize: 3, cursor: pages.at(-1)?.nextCursor }));
      }
      const seen = pages.flatMap(({ entries }) => entries.map(({ transactionId }) => transactionId));
      assert.deepEqual(seen, all.slice(0, seen.length));
      assert.equal(pages[0]?.previousCursor, undefined, 'nothing is newer than the newest');
      const back = await pageIn(trial, resourceId, { pageSize: 3, cursor: pages[1]?.previousCursor });
      assert.deepEqual(back.entries, pages[0]?.entries);
      const dates = whole.booked.map(({ valueDate }) => valueDate);
      assert.deepEqual(dates, [...dates].sort().reverse(), 'newest first');
    },
  },
  {
    title: 'a cursor that the bank did not make for this account is refused',
    run: async (trial) => {
      const accounts = await trial.bank.psus.listAccounts(trial.sample.psuId, trial.call());
      const { resourceId } = await readAccount(trial);
      assert.equal(await readPage(trial, resourceId, { cursor: 'made-up' }), 'cursor-forged');
      const { nextCursor } = await pageIn(trial, resourceId, { pageSize: 1 });
      const other = accounts.find((account) => account.resourceId !== resourceId);
      if (other === undefined) return;
      assert.equal(await readPage(trial, other.resourceId, { cursor: nextCursor }), 'cursor-forged');
    },
  },
  {
    title: 'dates and booking status select entries',
    run: async (trial) => {
      const { resourceId } = await readAccount(trial);
      const { booked } = await pageIn(trial, resourceId, { bookingStatus: 'booked' });
      const day = booked.at(-1)?.bookingDate ?? '';
      const ofDay = await pageIn(trial, resourceId, { dateFrom: day, dateTo: day, bookingStatus: 'booked' });
      assert.ok(ofDay.booked.length > 0);
      assert.ok(ofDay.booked.every(({ bookingDate }) => bookingDate === day));
      const { entries } = await pageIn(trial, resourceId, { dateTo: '2000-01-01' });
      assert.deepEqual(entries, []);
      const notAsked = 'a list that was not requested is not empty';
      assert.deepEqual((await pageIn(trial, resourceId, { bookingStatus: 'pending' })).booked, [], notAsked);
      assert.deepEqual((await pageIn(trial, resourceId, { bookingStatus: 'booked' })).pending, [], notAsked);
    },
  },
  {
    title:
      'a delta contains what was booked since an entry or a moment, or deltas are not supported at all (contract 6)',
    run: async (trial) => {
      const { resourceId } = await readAccount(trial);
      const booked = { bookingStatus: 'booked' } as const;
      const whole = (await pageIn(trial, resourceId, booked)).booked;
      const bookedSince = '1970-01-01T00:00:00.000Z';
      const everything = await readPage(trial, resourceId, { ...booked, bookedSince });
      const known = whole.at(3)?.entryReference;
      assert.ok(known, 'a booked entry has a reference');
      const since = await readPage(trial, resourceId, { ...booked, entryReferenceFrom: known });
      if (everything === 'delta-not-offered') return assert.equal(since, everything);
      assert.ok(typeof everything !== 'string' && typeof since !== 'string', 'a delta was refused');
      assert.deepEqual(everything.booked, whole);
      assert.deepEqual(since.booked, whole.slice(0, 3));
      const none = await readPage(trial, resourceId, { ...booked, bookedSince: trial.call().at });
      assert.deepEqual(typeof none === 'string' ? none : none.booked, []);
      const page = await pageIn(trial, resourceId, { ...booked, entryReferenceFrom: known, pageSize: 2 });
      const rest = { ...booked, entryReferenceFrom: known, pageSize: 2, cursor: page.nextCursor };
      assert.deepEqual((await pageIn(trial, resourceId, rest)).booked, whole.slice(2, 3));
      const unknown = await readPage(trial, resourceId, { entryReferenceFrom: 'no-such-entry' });
      assert.equal(unknown, 'reference-unknown');
    },
  },
  {
    title: 'an entry is found by its id, but only on its own account',
    run: async (trial) => {
      const { bank, sample, call } = trial;
      const { resourceId } = await readAccount(trial);
      const transactionId = (await pageIn(trial, resourceId, { pageSize: 1 })).entries[0]?.transactionId;
      const entry = (id: string, of = resourceId): Promise<unknown> =>
        bank.accounts.entry({ resourceId: of, currency: sample.currency }, id, call());
      assert.notEqual(await entry(transactionId ?? ''), undefined);
      assert.equal(await entry('no-such-entry'), undefined);
      assert.equal(await entry(transactionId ?? '', unknownId), undefined);
    },
  },
  {
    title: 'funds are compared with the expected balance, to the minor unit (spec 2.3)',
    run: async (trial) => {
      const { bank, sample, call } = trial;
      const { psuId, iban, currency } = sample;
      const { expected } = await readBalances(trial, (await readAccount(trial)).resourceId);
      for (const named of [{ iban }, {}]) {
        const covers = (minor: number): Promise<unknown> =>
          bank.funds.covers({ psuId, ...named, amount: { minor, currency } }, call());
        assert.deepEqual(await covers(expected), { fundsAvailable: true });
        assert.deepEqual(await covers(expected + 1), { fundsAvailable: false });
      }
    },
  },
  {
    title:
      'funds of another person’s account, or in a currency that it does not hold, are not disclosed (contract 7)',
    run: async ({ bank, sample, call }) => {
      const { psuId, iban, foreignIban, currency } = sample;
      const notHeld = currency === 'JPY' ? 'NOK' : 'JPY';
      for (const [named, asked, refused] of [
        [foreignIban, currency, 'not-an-account-of-the-psu'],
        [unknownIban, currency, 'not-an-account-of-the-psu'],
        [iban, notHeld, 'currency-not-held'],
        [undefined, notHeld, 'currency-not-held'],
      ] as const) {
        const question = { psuId, iban: named, amount: { minor: 1, currency: asked } };
        assert.deepEqual(await bank.funds.covers(question, call()), { refused });
      }
    },
  },
];
