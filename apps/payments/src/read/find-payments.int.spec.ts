import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callContext } from '@xs2a/calls/context';
import { paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import {
  findPayments,
  type FoundPayments,
  maxCandidates,
  type PaymentSearch,
  searchPayments,
} from '@xs2a/contracts/console/payment-search.contract';
import { readTagger } from '@xs2a/custody/personal-data/person-tags';
import { eraseStreams } from '@xs2a/custody/personal-data/erase-streams';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { resources } from '@xs2a/resources/resources';
import { newId } from '@xs2a/runtime/ids';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import type { Pool } from 'pg';
import { createPaymentStore } from '../store/payment-store.js';
import {
  body,
  bulkPayment,
  catchFailure,
  ivansAccount,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';
import { candidateStatements } from './payment-candidates.js';

let world: PaymentsWorld;
let owner: Pool;
/** Each test has its own TPP. */
let tppId: string;
beforeAll(async () => {
  world = await startPaymentsWorld();
  const url = new URL(world.ownerUrl);
  url.searchParams.set('options', '-c search_path=payments');
  owner = createPool({ url: url.href, name: 'owner', max: 2, byKey: true });
}, 60_000);
afterAll(async () => {
  await owner.end();
  await world.stop();
});
beforeEach(() => void (tppId = `tpp ${newId()}`));

const today = (): string => world.payments.clock.date(world.payments.profile.timeZone);
const search = async (changes: Partial<PaymentSearch> = {}): Promise<FoundPayments> =>
  world.ask(
    'lastFour' in changes || 'payee' in changes || 'endToEndId' in changes ? searchPayments : findPayments,
    {
      ...('psuId' in changes ? {} : { tppId }),
      day: today(),
      limit: 50,
      operator: 'ivanova',
      ...changes,
    },
  );
const idsOf = ({ payments }: FoundPayments): string[] => payments.map(({ paymentId }) => paymentId);
const initiate = async (changes: Record<string, unknown> = {}): Promise<string> =>
  (await world.initiate({ tppId, body: body(changes) })).paymentId;

/** Adds payments of the TPP to the status view as if they had been stored before encryption was introduced. */
const addOld = async (count: number): Promise<void> => {
  const at = new Date(world.payments.clock.nowMs() - 1).toISOString();
  const order = {
    amount: { minor: 100, currency: 'BGN' },
    debtorIban: 'BG80BNBG96611020340000',
    creditorAccount: 'BG80BNBG96611020340000',
    creditorName: 'Old',
    remittance: '',
  };
  const state = evolvePayment(
    undefined,
    {
      type: 'initiated',
      data: {
        paymentId: '',
        tppId,
        product: 'domestic-credit-transfer-BGN',
        paymentType: 'DOMESTIC',
        body: {},
        order,
        signaturesRequired: 1,
        redirectUris: {},
        expiresAt: at,
      },
    },
    at,
  );
  await owner.query(
    `INSERT INTO payment_view (stream_id, version, last_hash, state, tpp_id, service, product, status, created_at, amount_minor, currency)
     SELECT id, 1, '', jsonb_set($2::jsonb, '{paymentId}', to_jsonb(id)), $3, 'payments', $4, 'RCVD',
       $5::timestamptz - n * interval '1 ms', 100, 'BGN' FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $1) n) AS ids`,
    [
      count,
      JSON.stringify({ $state: [paymentStateVersion, 1], ...state }),
      tppId,
      'domestic-credit-transfer-BGN',
      at,
    ],
  );
};
const recorded = async (): Promise<Record<string, unknown>[]> =>
  world.sql(
    `SELECT operator, act, reason, streams::int AS streams, asked::text[] AS asked FROM payments.privacy_log ORDER BY id`,
  );

describe('the payments of a TPP on a day (docs/how-to/operate.md)', () => {
  it('are single payments, periodic orders and bulk payments, newest first, with their amount and without personal data', async () => {
    const single = await initiate();
    const { paymentId: order } = await world.initiateAny({ ...periodicOrder(3, today()), tppId });
    const { paymentId: bulk } = await world.initiateAny({ ...bulkPayment(['1.00', '2.50']), tppId });
    await world.initiate();
    const answer = await search();
    const facts = {
      tppId,
      createdAt: expect.stringMatching(/Z$/),
      transactionStatus: 'RCVD',
      product: 'domestic-credit-transfer-BGN',
    };
    const bgn = (minor: number) => ({ minor, currency: 'BGN' });
    expect(answer).toEqual({
      payments: [
        { ...facts, paymentId: bulk, service: 'bulk-payments', amount: bgn(350) },
        { ...facts, paymentId: order, service: 'periodic-payments', amount: bgn(1250) },
        { ...facts, paymentId: single, service: 'payments', amount: bgn(1250) },
      ],
      found: 3,
      searched: 3,
      candidates: 3,
      archivedMonths: [],
      isOutdated: false,
    });
  });

  it('are found on the day of the POST in the bank’s time zone, whatever happens to them later', async () => {
    const day = today();
    const { paymentId } = await world.signed({ tppId });
    world.payments.clock.raiseTo(world.payments.clock.offsetMs + 86_400_000);
    expect(today()).toBe(addDays(day, 1));
    await world.record({ paymentId, step: 'funds-refused', reason: 'insufficient-funds' });
    const next = await initiate();
    expect(idsOf(await search())).toEqual([next]);
    expect((await search({ day })).payments).toMatchObject([
      { paymentId, transactionStatus: 'ACCP', fundsAvailable: false },
    ]);
  });

  it('can be limited to an amount, and to a number, of which the newest are returned', async () => {
    const [first, other, last] = [
      await initiate(),
      await initiate({ instructedAmount: { amount: '12.51', currency: 'BGN' } }),
      await initiate(),
    ];
    const amount = { minor: 1250, currency: 'BGN' };
    const found = await search({ amount });
    expect([idsOf(found), found.candidates]).toEqual([[last, first], 2]);
    expect(idsOf(await search({ amount: { ...amount, currency: 'EUR' } }))).toEqual([]);
    const some = await search({ limit: 2 });
    expect([idsOf(some), some.found]).toEqual([[last, other], 3]);
  });
});

describe('the payments of a PSU on a day (docs/how-to/operate.md)', () => {
  it('are those that the PSU has signed or, as the only signer, has signed in for, and those signed as one of several', async () => {
    const signed = await world.signed({ tppId });
    const opened = await world.initiate({ tppId });
    await world.ask(paymentAuthorisation.identify, { ...opened, psuId: 'ivan' });
    await world.initiate({ tppId, psuId: 'ivan' });
    const shared = await world.initiateForSeveral();
    const by = await world.identified(shared, 'elena');
    expect(idsOf(await search({ psuId: 'elena' }))).toEqual([]);
    await world.ask(paymentAuthorisation.sign, by);
    expect(idsOf(await search({ psuId: 'elena' }))).toEqual([shared.paymentId]);
    expect(idsOf(await search({ psuId: 'ivan' })).slice(0, 2)).toEqual([opened.paymentId, signed.paymentId]);
    expect(idsOf(await search({ psuId: 'georgi' }))).toEqual([]);
  });
});

describe('a search in encrypted data (docs/how-to/operate.md)', () => {
  it('finds a payment by the end of an account, the payee and the endToEndId, and counts the payments it searched', async () => {
    const wanted = await initiate({ creditorName: 'ТЕЦ София', endToEndIdentification: 'INV-77' });
    const { paymentId: bulk } = await world.initiateAny({ ...bulkPayment(['1.00', '2.50']), tppId });
    await initiate();
    const found = async (text: Partial<PaymentSearch>): Promise<unknown> => {
      const { payments, ...answer } = await search(text);
      return [payments.map(({ paymentId }) => paymentId), answer.found, answer.searched, answer.candidates];
    };
    expect(await found({ payee: 'тец' })).toEqual([[wanted], 1, 3, 3]);
    expect(await found({ endToEndId: 'INV-77' })).toEqual([[wanted], 1, 3, 3]);
    expect(await found({ endToEndId: 'INV-1', amount: { minor: 350, currency: 'BGN' } })).toEqual([
      [bulk],
      1,
      1,
      1,
    ]);
    expect(await found({ lastFour: ivansAccount.slice(-4), payee: 'София' })).toEqual([[wanted], 1, 3, 3]);
    expect(await found({ lastFour: '9999' })).toEqual([[], 0, 3, 3]);
  });

  it('covers the newest 2,000 payments, and returns how many there are', async () => {
    await addOld(maxCandidates + 412);
    const newest = await initiate();
    const inAll = await search({ limit: maxCandidates });
    expect([inAll.payments.length, inAll.found, inAll.searched, inAll.candidates]).toEqual([
      maxCandidates,
      maxCandidates,
      maxCandidates,
      maxCandidates + 413,
    ]);
    expect(idsOf(inAll)[0]).toBe(newest);
    const old = await search({ payee: 'old' });
    expect([old.payments.length, old.found, old.searched, old.candidates]).toEqual([
      50,
      maxCandidates - 1,
      maxCandidates,
      maxCandidates + 413,
    ]);
  }, 60_000);

  it('omits a payment that cannot be read, and does not count it as searched', async () => {
    const [broken, whole] = [await initiate(), await initiate()];
    await world.sql(
      `UPDATE payments.payment_view SET state = (state::jsonb || '{"personal": "AAAA"}')::json WHERE stream_id = $1`,
      [broken],
    );
    const answer = await search({ payee: 'мария' });
    expect([idsOf(answer), answer.searched, answer.candidates]).toEqual([[whole], 1, 2]);
  });

  it('stops, and says so, before its caller stops waiting', async () => {
    await initiate();
    const asked = { tppId, day: today(), limit: 50, operator: 'ivanova', payee: 'мария' };
    const hurried = { ...searchPayments, timeoutMs: 1000 };
    const answer = await callContext.run({ requestId: newId() }, async () => world.ask(hurried, asked));
    expect(answer).toMatchObject({
      payments: [],
      found: 0,
      searched: 0,
      candidates: 1,
      isCut: true,
    });
    expect(await world.ask(searchPayments, asked)).toMatchObject({ found: 1, searched: 1 });
  });

  it('is refused to the operator’s own call: only the console, which counts it, may search', async () => {
    for (const text of [{ payee: 'x' }, { lastFour: '5678' }, { endToEndId: 'x' }])
      expect(
        await catchFailure(
          world.ask(findPayments, { tppId, day: today(), limit: 50, operator: 'ivanova', ...text }),
        ),
      ).toBe('fieldMalformed');
  });

  it('does not find an erased payment', async () => {
    const { paymentId } = await world.signed({ tppId });
    await world.record({ paymentId, step: 'funds-refused', reason: 'insufficient-funds' });
    expect(idsOf(await search({ payee: 'мария' }))).toEqual([paymentId]);
    await eraseStreams(owner, [paymentId], {
      resource: resources.payments,
      nowMs: world.payments.clock.nowMs(),
      retainedYears: 5,
      timeZone: 'Europe/Sofia',
      despiteRetention: true,
    });
    const none = { payments: [], found: 0, searched: 0, candidates: 0 };
    expect(await search({ payee: 'мария' })).toMatchObject(none);
    expect(await search()).toMatchObject(none);
  });
});

describe('the record of a search (docs/how-to/erasure.md)', () => {
  it('is made for a search by PSU or in encrypted data, with the number searched, and without the text or the PSU-ID', async () => {
    await initiate();
    const before = (await recorded()).length;
    await search();
    await search({ amount: { minor: 1250, currency: 'BGN' } });
    expect(await recorded()).toHaveLength(before);
    await search({ payee: 'Мария', lastFour: '5678', endToEndId: 'INV-1', reason: 'case 4711' });
    await search({ psuId: 'nobody-42', operator: 'petrov' });
    const tagger = await readTagger(owner, testMasterKeys);
    const made = (await recorded()).slice(before);
    expect(made).toEqual([
      { operator: 'ivanova', act: 'search', reason: 'case 4711', streams: 1, asked: [] },
      {
        operator: 'petrov',
        act: 'search',
        reason: '',
        streams: 0,
        asked: tagger.ofLogged({ psuIds: ['nobody-42'], ibans: [] }),
      },
    ]);
  });

  it('cannot be changed or removed by the service', async () => {
    await search({ psuId: 'nobody-43' });
    for (const statement of ['DELETE FROM privacy_log', "UPDATE privacy_log SET reason = ''"])
      await expect(world.payments.pool?.query(statement)).rejects.toThrow('permission denied');
  });
});

describe('payments that a search does not cover (docs/how-to/operate.md)', () => {
  it('are those of archived months: the answer names the months of the day', async () => {
    const archive = async (month: string, detachedAt: string | null): Promise<unknown> =>
      world.sql(
        `INSERT INTO payments.archived_month (month, part, file, sha256, streams, events, head, carried_streams, detached_at)
         VALUES ($1, 1, 'f', 's', 1, 1, 1, 0, $2)`,
        [month, detachedAt],
      );
    await archive('2024-09', '2025-01-01T00:00:00Z');
    await archive('2024-11', null);
    const months = async (day: string) => (await search({ day })).archivedMonths;
    expect(await months('2024-09-15')).toEqual(['2024-09']);
    // The first hours of this day in Sofia belong to September in UTC.
    expect(await months('2024-10-01')).toEqual(['2024-09']);
    expect(await months('2024-10-02')).toEqual([]);
    expect(await months('2024-11-15')).toEqual([]);
  });

  it('are those that an earlier release stored, until the status view is rebuilt', async () => {
    const paymentId = await initiate();
    await world.sql(
      `UPDATE payments.payment_view SET created_at = NULL, amount_minor = NULL, currency = NULL,
         state = jsonb_set(state::jsonb, '{$state}', '[1, 1]')::json WHERE stream_id = $1`,
      [paymentId],
    );
    expect(await search()).toMatchObject({ payments: [], candidates: 0, isOutdated: true });
    expect(await search({ psuId: 'ivan' })).toMatchObject({ isOutdated: false });
    const { clock } = world.payments;
    const store = createPaymentStore(owner, clock, createLogger('test', 'silent'), {
      MASTER_KEYS: testMasterKeys,
    });
    await rebuildInlineView(owner, store);
    const after = await search();
    expect([idsOf(after), after.isOutdated]).toEqual([[paymentId], false]);
  });
});

describe('a search that is not valid', () => {
  it.each<[string, Partial<PaymentSearch>]>([
    ['without TPP and PSU', { tppId: undefined }],
    ['with both', { tppId: 'tpp', psuId: 'ivan' }],
    ['without a day', { day: '' }],
    ['of a day that does not exist', { day: '2026-02-30' }],
    ['of an amount in fractions', { amount: { minor: 0.5, currency: 'BGN' } }],
    ['of five characters of an account', { lastFour: '12345' }],
    ['for more payments than it may return', { limit: maxCandidates + 1 }],
    ['of nobody', { operator: ' ' }],
  ])('%s is refused', async (_what, changes) => {
    expect(await catchFailure(search({ tppId: 'tpp', ...changes }))).toBe('fieldMalformed');
  });
});

describe('the statements of a search, whatever the number of stored payments', () => {
  it.each([
    ['tpp', false, ['payment_of_tpp_by_day']],
    ['tpp', true, ['payment_of_tpp_by_day']],
    ['psu', false, ['payment_of_psu_by_day', 'payment_of_signers_by_day']],
  ] as const)('read only the day of the %s from an index (amount: %s)', async (by, hasAmount, indexes) => {
    const { page, count, outdated } = candidateStatements(by, hasAmount);
    const client = await owner.connect();
    try {
      for (const [text, types] of [
        [page, 'text, timestamptz, timestamptz'],
        [count, 'text, timestamptz, timestamptz'],
        [outdated, 'text'],
      ] as const) {
        const amount = hasAmount && text !== outdated;
        await client.query(`PREPARE search (${types}${amount ? ', bigint, text' : ''}) AS ${text}`);
        const [from, to] = [today(), addDays(today(), 1)].map((day) => startOfBankDay(day, 'Europe/Sofia'));
        const values = text === outdated ? `'x'` : `'x', '${from}', '${to}'${amount ? `, 1250, 'BGN'` : ''}`;
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (COSTS OFF) EXECUTE search (${values})`,
        );
        await client.query('DEALLOCATE search');
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        for (const index of indexes) expect(plan).toContain(index);
        expect(plan).not.toMatch(/Seq Scan|Bitmap/);
        const conditions = plan.match(/Index Cond: .*/g) ?? [];
        expect(conditions).toHaveLength(indexes.length);
        for (const condition of conditions) expect(condition).toContain('created_at');
        if (amount) expect(conditions[0]).toContain('amount_minor');
      }
    } finally {
      client.release();
    }
  });
});
