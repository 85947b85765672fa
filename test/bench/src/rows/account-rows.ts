import { wireRequest } from '../load/load-plan.js';
import { hopsAtMost, type Prepared, type RequestRow } from '../row.js';
import { fillHistories } from '../world/account-histories.js';
import type { BenchWorld } from '../world/bench-world.js';
import { type Customer, customers } from '../world/customers.js';
import { transactionRequests } from './transaction-requests.js';

/** The row reads two thousand accounts: a few company accounts have 100,000 entries each, all others 200. */
const [companies, entriesOfCompany] = [6, 100_000] as const;
const [people, entriesOfPerson] = [1994, 200] as const;
const minDays = 25;

/** Lists the accounts to read, so that every second call reads a company account. */
const accountsRead = (): readonly Customer[] =>
  customers
    .slice(companies, companies + people)
    .flatMap((person, number) => [person, customers[number % companies] ?? person]);

const listTransactions = async (world: BenchWorld, max: number): Promise<Prepared> => {
  // A custom core bank has its own account histories.
  if (world.hasSandboxBank) {
    await fillHistories(world, customers.slice(companies, companies + people), entriesOfPerson);
    await fillHistories(world, customers.slice(0, companies), entriesOfCompany);
  }
  return transactionRequests(world, { accounts: accountsRead(), minDays, max });
};

const confirmFunds = async (world: BenchWorld): Promise<Prepared> => {
  const tokens = await world.tokens.ofFunds(customers);
  const body = { instructedAmount: { currency: 'BGN', amount: '100.00' } };
  return {
    requests: tokens.map((token) =>
      wireRequest('POST', '/v1/funds-confirmations', world.bearing(token), body),
    ),
    expect: 200,
  };
};

export const accountRows: readonly RequestRow[] = [
  {
    name: 'transactions',
    title: 'GET transactions, 50 of 1,000,000 over 2,000 accounts',
    targets: hopsAtMost({ sandbox: 7, production: 14 }),
    floor: 5.2,
    prepare: listTransactions,
  },
  {
    name: 'funds',
    title: 'POST funds-confirmation, 6,000 PSUs',
    targets: hopsAtMost({ sandbox: 1.7, production: 6 }),
    floor: 1.7,
    prepare: confirmFunds,
  },
];
