import { connect, type Msg } from '@nats-io/transport-node';
import type { TransactionEntry } from '@xs2a/contracts/accounts.contract';
import type { BankContext, BankMessages, BankSubject } from '@xs2a/core-banking/nats/bank-messages';
import { type Customer, customers } from './customers.js';

/**
 * A custom core bank for the production column, in a separate process. It responds over NATS as described in
 * docs/how-to/connect-your-core-bank.md, and keeps results in memory by idempotency key. Account histories are
 * computed from the account and the day, and every account always has funds.
 */
type Answers = {
  readonly [Subject in BankSubject]: (
    request: BankMessages[Subject]['request'],
    context: BankContext,
  ) => BankMessages[Subject]['answer'];
};

const byIban = new Map(customers.map((customer) => [customer.iban, customer]));
const byPsu = new Map(customers.map((customer) => [customer.psuId, customer]));
const byId = new Map(customers.map((customer) => [customer.resourceId, customer]));
/** The idempotency keys of completed operations. */
const done = new Set<string>();

const product = {
  currency: process.env['CURRENCY'] ?? '',
  product: 'Current account',
  status: 'enabled',
} as const;
const dayMs = 24 * 60 * 60 * 1000;
const entriesPerDay = 3;

const listAccounts = (customer: Customer | undefined) =>
  customer === undefined
    ? []
    : [
        {
          ...product,
          iban: customer.iban,
          resourceId: customer.resourceId,
          type: 'CACC',
          main: true,
        },
      ];

/** Returns the entry with the given number, counted from 1 January 1970. */
const entryAt = (resourceId: string, number: number): TransactionEntry => {
  const date = new Date(Math.floor(number / entriesPerDay) * dayMs).toISOString().slice(0, 10);
  const id = resourceId.replaceAll('-', '').slice(0, 24) + number.toString(16).padStart(8, '0');
  return {
    transactionId: id,
    entryReference: id,
    bookingDate: date,
    valueDate: date,
    amount: { minor: 100 + (number % 9000), currency: product.currency },
    debtorName: 'Магазин Изток ООД',
    debtorAccount: 'BG18RZBB91550123456789',
    remittance: `Покупка ${number}`,
    bankTransactionCode: 'PMNT-RCDT-DMCT',
  };
};

const toDay = (date: string): number => Date.parse(date) / dayMs;

const page = ({
  resourceId,
  dateFrom,
  dateTo,
  bookingStatus,
  pageSize,
  cursor,
}: BankMessages['svc.bank.accounts.entries']['request']) => {
  const oldest = toDay(dateFrom) * entriesPerDay;
  const newest = cursor === undefined ? (toDay(dateTo) + 1) * entriesPerDay - 1 : Number(cursor) - 1;
  const last = bookingStatus === 'pending' ? newest + 1 : Math.max(oldest, newest - pageSize + 1);
  const booked: TransactionEntry[] = [];
  for (let number = newest; number >= last; number -= 1) booked.push(entryAt(resourceId, number));
  return { booked, pending: [], ...(last > oldest ? { nextCursor: String(last) } : {}) };
};

const answers: Answers = {
  'svc.bank.accounts.facts': ({ iban, psuId }) => {
    const customer = byIban.get(iban);
    if (customer === undefined) return { ownedByPsu: false };
    const account = { iban, currency: product.currency, type: 'CACC', status: product.status } as const;
    return {
      account: { ...account, internetBanking: true, signaturesRequired: 1 },
      ownedByPsu: customer.psuId === psuId,
    };
  },
  'svc.bank.accounts.details': ({ resourceIds }) => ({
    accounts: resourceIds.flatMap((resourceId) => {
      const customer = byId.get(resourceId);
      return customer === undefined
        ? []
        : [
            {
              ...product,
              resourceId,
              iban: customer.iban,
              cashAccountType: 'CACC',
              ownerName: 'Мария Петрова',
              balances: [],
            },
          ];
    }),
  }),
  'svc.bank.accounts.entries': page,
  'svc.bank.accounts.entry': () => ({}),
  'svc.bank.funds.covers': ({ psuId }) =>
    byPsu.has(psuId) ? { fundsAvailable: true } : { refused: 'currency-not-held' },
  'svc.bank.instant.send': () => ({ outcome: 'settled' }),
  'svc.bank.holds.place': ({ orders }) => ({
    results: orders.map(({ paymentId, idempotencyKey }) => {
      done.add(idempotencyKey);
      return {
        paymentId,
        held: true,
        holdId: idempotencyKey,
        transactionId: idempotencyKey.replaceAll('-', ''),
      };
    }),
  }),
  'svc.bank.holds.post': ({ commands }) => ({
    results: commands.map(({ paymentId, idempotencyKey }) => {
      done.add(idempotencyKey);
      return { paymentId, posted: true, postingId: idempotencyKey };
    }),
  }),
  'svc.bank.holds.void': () => ({}),
  'svc.bank.psus.authenticate': () => ({}),
  'svc.bank.psus.accounts': ({ psuId }) => ({ accounts: listAccounts(byPsu.get(psuId)) }),
  'svc.bank.psus.corporate': () => ({}),
  'svc.bank.payees.verify': () => ({ verdict: 'MATCH' }),
  'svc.bank.deliver-otp': () => ({}),
  'svc.bank.tell-psu': () => ({}),
};

const { username, password, host } = new URL(process.env['NATS_URL'] ?? '');
const connection = await connect({ servers: host, user: username, pass: password, name: 'bench-bank' });

const respond = (answer: (request: never, context: BankContext) => unknown, message: Msg): void => {
  try {
    const { context, request } = message.json<{ context: BankContext; request: never }>();
    message.respond(JSON.stringify({ ok: answer(request, context) }));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    message.respond(JSON.stringify({ error: { code: 'failed' } }));
  }
};
for (const [subject, answer] of Object.entries(answers))
  connection.subscribe(subject, {
    queue: 'bank',
    callback: (error, message) => {
      if (error === null || error === undefined) respond(answer as never, message);
    },
  });
await connection.flush();
process.send?.({ ready: true });
process.on('disconnect', () => process.exit(0));
