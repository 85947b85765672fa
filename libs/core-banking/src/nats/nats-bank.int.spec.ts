import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { CallClient } from '@xs2a/calls/client';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BankCall } from '../port/bank-call.js';
import { BankFault } from '../port/bank-fault.js';
import { deriveHoldId } from '../port/booking-keys.js';
import type { CoreBank } from '../port/core-bank.js';
import { BankClient } from './bank-client.js';
import type { BankSubject } from './bank-messages.js';
import { natsBank } from './nats-bank.js';

const folder = mkdtempSync(join(tmpdir(), 'nats-bank-'));
const clock = new Clock(false);
const warned: object[] = [];
let server: NatsServer;
let nats: NatsConnection;
let bank: CoreBank;
let stopAnswering: () => void = () => undefined;

beforeAll(async () => {
  server = await startNats({ dataDir: join(folder, 'nats') });
  nats = await connect({ servers: server.url });
  const logger = { warn: (said: unknown) => void warned.push(said as object) };
  bank = natsBank(new BankClient(new CallClient(nats, clock), logger), async () => undefined);
}, 30_000);
afterEach(() => stopAnswering());
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const call = (withinMs = 1000): BankCall => ({
  requestId: 'r-1',
  at: clock.now(),
  language: 'bg',
  deadline: performance.now() + withinMs,
});

/** Replies to requests on one subject, or never replies if the reply is undefined, and records the requests. */
const answering = (subject: BankSubject, reply: unknown): unknown[] => {
  const asked: unknown[] = [];
  const subscription = nats.subscribe(subject, {
    callback: (_error, message) => {
      asked.push(JSON.parse(message.string()));
      if (reply !== undefined) message.respond(typeof reply === 'string' ? reply : JSON.stringify(reply));
    },
  });
  stopAnswering = () => subscription.unsubscribe();
  return asked;
};
const catchFault = async (work: Promise<unknown>): Promise<BankFault> => {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof BankFault)) throw new Error(`no fault but ${String(fault)}`);
  return fault;
};

const iban = 'BG03EXMP92001000000101';
const id = '8b6c1a52-64d9-4a5e-9f0e-3d1f7f7d1a01';
const account = {
  iban,
  currency: 'BGN',
  type: 'CACC',
  status: 'enabled',
  internetBanking: true,
  signaturesRequired: 1,
};
const entry = {
  transactionId: 't1',
  bookingDate: '2026-01-02',
  valueDate: '2026-01-02',
  amount: { minor: 1, currency: 'BGN' },
};
const query = {
  resourceId: id,
  currency: 'BGN',
  dateFrom: '2026-01-01',
  dateTo: '2026-02-01',
  bookingStatus: 'both',
  pageSize: 1,
} as const;
const paymentId = newId();
const order = {
  paymentId,
  order: {
    amount: { minor: 100, currency: 'BGN' },
    debtorIban: iban,
    creditorAccount: 'BG29RZBB91551000000777',
    creditorName: 'Petar',
    remittance: 'rent',
  },
};

describe('a request to a bank', () => {
  it('contains the request id, the language, the time and the remaining time until the deadline', async () => {
    const asked = answering('svc.bank.accounts.facts', { ok: { account, ownedByPsu: true } });
    expect(await bank.accounts.facts({ iban, psuId: 'anna' }, call(800))).toEqual({
      account,
      ownedByPsu: true,
    });
    expect(asked).toEqual([
      {
        context: {
          requestId: 'r-1',
          language: 'bg',
          at: expect.stringMatching(/Z$/),
          timeoutMs: expect.any(Number),
        },
        request: { iban, psuId: 'anna' },
      },
    ]);
    const [{ context }] = asked as [{ context: { timeoutMs: number } }];
    expect(context.timeoutMs).toBeGreaterThan(0);
    expect(context.timeoutMs).toBeLessThanOrEqual(800);
  });

  it('is sent with the same idempotency key each time a command is repeated', async () => {
    const asked = answering('svc.bank.holds.place', {
      ok: { results: [{ paymentId, held: true, holdId: 'h', transactionId: 't' }] },
    });
    await bank.booking.placeHolds([order], call());
    await bank.booking.placeHolds([order], call());
    const requests = asked.map(
      (one) => (one as { request: { orders: { idempotencyKey: string }[] } }).request,
    );
    expect(requests.map(({ orders }) => orders[0]?.idempotencyKey)).toEqual([
      deriveHoldId(paymentId),
      deriveHoldId(paymentId),
    ]);
  });
});

describe('batch booking (contract 9), which is optional for a bank', () => {
  const batchId = newId();

  it('sends the batch id with each order', async () => {
    const asked = answering('svc.bank.holds.place', {
      ok: { results: [{ paymentId, held: true, holdId: 'h', transactionId: 't' }] },
    });
    await bank.booking.placeHolds([{ ...order, batchId }], call());
    const idempotencyKey = deriveHoldId(paymentId);
    expect(asked).toMatchObject([{ request: { orders: [{ ...order, batchId, idempotencyKey }] } }]);
  });

  it('accepts a batch entry that is requested individually, with or without its payments', async () => {
    const ofTwo = { ...entry, batchNumberOfTransactions: 2 };
    const entryDetails = [
      { amount: entry.amount, creditorName: 'A', endToEndId: 'e' },
      { amount: entry.amount },
    ];
    for (const answered of [{ ...ofTwo, entryDetails }, ofTwo]) {
      answering('svc.bank.accounts.entry', { ok: { entry: answered } });
      expect(await bank.accounts.entry(query, 't1', call())).toEqual(answered);
      stopAnswering();
    }
  });
});

describe('calls to a bank that is down, slow, broken or overloaded (contract 3: 503 with Retry-After)', () => {
  it('fail immediately with unavailable if nobody replies', async () => {
    const fault = await catchFault(bank.psus.listAccounts('anna', call()));
    expect(fault).toMatchObject({ code: 'unavailable', retryable: true });
    expect(fault.failures).toEqual([{ failure: 'dependencyDown', retryAfter: 1, dependency: 'core-bank' }]);
  });

  it('fail with too-slow at the deadline if the bank never replies', async () => {
    answering('svc.bank.psus.accounts', undefined);
    expect(await catchFault(bank.psus.listAccounts('anna', call(150)))).toMatchObject({ code: 'too-slow' });
  });

  it('are not sent after the deadline', async () => {
    const asked = answering('svc.bank.psus.accounts', { ok: { accounts: [] } });
    expect(await catchFault(bank.psus.listAccounts('anna', call(0)))).toMatchObject({ code: 'too-slow' });
    await nats.flush();
    expect(asked).toEqual([]);
  });

  it.each([
    ['unavailable', true],
    ['overloaded', true],
    ['request-refused', false],
    ['failed', false],
  ])('fail with the error code %s of the bank, and their retryable flag is %s', async (code, retryable) => {
    answering('svc.bank.psus.accounts', { error: { code, retryAfterSeconds: 9 } });
    const fault = await catchFault(bank.psus.listAccounts('anna', call()));
    expect(fault).toMatchObject({ code, retryable });
    expect(fault.failures).toEqual([{ failure: 'dependencyDown', retryAfter: 9, dependency: 'core-bank' }]);
  });
});

describe('a wrong response from a bank, which is worse than no response (docs/how-to/connect-your-core-bank.md)', () => {
  const details = (more: object): object => ({
    accounts: [
      {
        resourceId: id,
        iban,
        currency: 'BGN',
        product: 'p',
        cashAccountType: 'CACC',
        status: 'enabled',
        balances: [],
        ...more,
      },
    ],
  });
  const held = { held: true, holdId: 'h', transactionId: 't' };
  it.each<[string, BankSubject, unknown, () => Promise<unknown>]>([
    ['no JSON', 'svc.bank.accounts.facts', 'ok', () => bank.accounts.facts({ iban }, call())],
    ['another shape', 'svc.bank.accounts.facts', [], () => bank.accounts.facts({ iban }, call())],
    [
      'an unknown error',
      'svc.bank.accounts.facts',
      { error: { code: 'x' } },
      () => bank.accounts.facts({ iban }, call()),
    ],
    ['a missing field', 'svc.bank.accounts.facts', { ok: {} }, () => bank.accounts.facts({ iban }, call())],
    [
      'a wrong type',
      'svc.bank.accounts.facts',
      { ok: { ownedByPsu: 'yes' } },
      () => bank.accounts.facts({ iban }, call()),
    ],
    [
      'another account',
      'svc.bank.accounts.facts',
      { ok: { account, ownedByPsu: true } },
      () => bank.accounts.facts({ iban: 'BG73EXMP92001000000102' }, call()),
    ],
    [
      'owned, of nobody',
      'svc.bank.accounts.facts',
      { ok: { ownedByPsu: true } },
      () => bank.accounts.facts({ iban }, call()),
    ],
    [
      'no IBAN',
      'svc.bank.accounts.details',
      { ok: details({ iban: 'BG00' }) },
      () => bank.accounts.details([id], call()),
    ],
    [
      'an id not asked',
      'svc.bank.accounts.details',
      { ok: details({}) },
      () => bank.accounts.details([newId()], call()),
    ],
    [
      'more entries than asked',
      'svc.bank.accounts.entries',
      { ok: { booked: [entry, entry], pending: [] } },
      () => bank.accounts.entries(query, call()),
    ],
    [
      'another currency',
      'svc.bank.accounts.entries',
      { ok: { booked: [{ ...entry, amount: { minor: 1, currency: 'EUR' } }], pending: [] } },
      () => bank.accounts.entries(query, call()),
    ],
    [
      'a pending entry that is booked',
      'svc.bank.accounts.entries',
      { ok: { booked: [], pending: [entry] } },
      () => bank.accounts.entries(query, call()),
    ],
    ...(['cursor-forged', 'reference-unknown', 'delta-not-offered'] as const).map(
      (refused): [string, BankSubject, unknown, () => Promise<unknown>] => [
        `${refused}, of a plain page`,
        'svc.bank.accounts.entries',
        { ok: { refused } },
        () => bank.accounts.entries(query, call()),
      ],
    ),
    [
      'booked entries as text',
      'svc.bank.accounts.entries',
      { ok: { booked: [], pending: [], bookedText: '{}' } },
      () => bank.accounts.entries(query, call()),
    ],
    [
      'an amount that is not whole',
      'svc.bank.accounts.entries',
      { ok: { booked: [{ ...entry, amount: { minor: 1.5, currency: 'BGN' } }], pending: [] } },
      () => bank.accounts.entries(query, call()),
    ],
    [
      'an amount beyond exact numbers',
      'svc.bank.accounts.entries',
      { ok: { booked: [{ ...entry, amount: { minor: 2 ** 60, currency: 'BGN' } }], pending: [] } },
      () => bank.accounts.entries(query, call()),
    ],
    [
      'a day that is none',
      'svc.bank.accounts.entries',
      { ok: { booked: [{ ...entry, valueDate: '2026-02-30' }], pending: [] } },
      () => bank.accounts.entries(query, call()),
    ],
    [
      'another entry',
      'svc.bank.accounts.entry',
      { ok: { entry } },
      () => bank.accounts.entry(query, 't2', call()),
    ],
    ...[
      ['payments of no batch', { entryDetails: [{ amount: entry.amount }] }],
      [
        'fewer payments than it says',
        { batchNumberOfTransactions: 2, entryDetails: [{ amount: entry.amount }] },
      ],
      [
        'a payment in another currency',
        { batchNumberOfTransactions: 1, entryDetails: [{ amount: { minor: 1, currency: 'EUR' } }] },
      ],
      ['a batch of no whole number', { batchNumberOfTransactions: 1.5 }],
    ].map(([what, more]): [string, BankSubject, unknown, () => Promise<unknown>] => [
      String(what),
      'svc.bank.accounts.entry',
      { ok: { entry: Object.assign({}, entry, more) } },
      () => bank.accounts.entry(query, 't1', call()),
    ]),
    [
      'the payments of a batch entry in a page',
      'svc.bank.accounts.entries',
      { ok: { booked: [{ ...entry, entryDetails: [] }], pending: [] } },
      () => bank.accounts.entries(query, call()),
    ],
    [
      'somebody else',
      'svc.bank.psus.authenticate',
      { ok: { psu: { psuId: 'boris', name: 'B' } } },
      () => bank.psus.authenticate('anna', 'x', call()),
    ],
    [
      'another payment',
      'svc.bank.holds.place',
      { ok: { results: [{ paymentId: newId(), ...held }] } },
      () => bank.booking.placeHolds([order], call()),
    ],
    [
      'fewer results',
      'svc.bank.holds.place',
      { ok: { results: [] } },
      () => bank.booking.placeHolds([order], call()),
    ],
    [
      'held without its ids',
      'svc.bank.holds.place',
      { ok: { results: [{ paymentId, held: true }] } },
      () => bank.booking.placeHolds([order], call()),
    ],
    [
      'posted without its id',
      'svc.bank.holds.post',
      { ok: { results: [{ paymentId, posted: true }] } },
      () => bank.booking.postHolds([paymentId], call()),
    ],
  ])('is treated as malformed: %s (%s)', async (_what, subject, reply, ask) => {
    answering(subject, reply);
    const fault = await catchFault(ask());
    expect(fault).toMatchObject({ code: 'answer-malformed', retryable: false });
    expect(fault.failures).toEqual([{ failure: 'dependencyDown', retryAfter: 60, dependency: 'core-bank' }]);
  });

  it('is logged with the location of the fault and the request, never with the data', async () => {
    answering('svc.bank.accounts.details', { ok: details({ iban: 'BG00CANARY' }) });
    await catchFault(bank.accounts.details([id], call()));
    expect(warned.at(-1)).toEqual({
      subject: 'svc.bank.accounts.details',
      code: 'answer-malformed',
      detail: '/ok/accounts/0/iban fails format',
      requestId: 'r-1',
    });
    expect(JSON.stringify(warned)).not.toContain('CANARY');
  });
});
