import { type BenchWorld, must } from './bench-world.js';
import { copyConsent, fillHistory } from './direct-data.js';
import { wireRequest } from './load-plan.js';
import { mintTokens } from './minted-tokens.js';
import type { Prepared, Row } from './row.js';
import { realTime } from './real-time.js';

const callsPerDay = 4;
/** Consents are used in rounds over so many, so that two calls of one consent are never under way together. */
const round = 500;
const maxConsents = 25_000;

const listAccounts = async (world: BenchWorld): Promise<Prepared> => {
  const psu = await world.psu(1);
  const { token } = await world.consent(psu, psu.accounts[0]?.iban ?? '');
  const headers = { Authorization: `Bearer ${token}`, 'PSU-IP-Address': '192.0.2.10' };
  return { requests: [wireRequest('GET', '/v1/accounts', headers)], expect: 200 };
};

const dayMs = 24 * 60 * 60 * 1000;
/**
 * The periods within the last 89 days that end before today and hold at least a page of a thousand entries: more
 * periods than the bank keeps pages.
 */
const periods = Array.from({ length: 70 }, (_none, end) => end + 1).flatMap((end) =>
  Array.from({ length: 83 - end }, (_none, more) => ({ end, begin: end + 6 + more })),
);
const daysAgo = (days: number): string =>
  new Date(realTime.nowMs() - days * dayMs).toISOString().slice(0, 10);
const coldQuery = (n: number): string => {
  const { begin = 0, end = 0 } = periods[n % periods.length] ?? {};
  return `?pageSize=50&dateFrom=${daysAgo(begin)}&dateTo=${daysAgo(end)}`;
};
const sameQuery = (): string => '?pageSize=50';

/** `query`: of the request of this number. */
const listTransactions =
  (entries: number, query: (n: number) => string = sameQuery) =>
  async (world: BenchWorld, most: number): Promise<Prepared> => {
    const psu = await world.psu(1);
    const iban = psu.accounts[0]?.iban ?? '';
    const { consentId, token } = await world.consent(psu, iban);
    const listed = await world.tpp.call('GET', '/v1/accounts', token, {
      headers: { 'PSU-IP-Address': '192.0.2.10' },
    });
    const [account] = must<{ accounts: { resourceId: string }[] }>(200, listed).accounts;
    await fillHistory(world.sandbox, iban, entries);
    const copies = Math.min(maxConsents, Math.ceil(most / callsPerDay));
    const consentIds = await copyConsent(world.sandbox, consentId, copies);
    const tokens = await mintTokens(world.sandbox, token, consentIds);
    const path = `/v1/accounts/${account?.resourceId}/transactions`;
    const requests = inRounds(tokens).map((one, n) =>
      wireRequest('GET', path + query(n), { Authorization: `Bearer ${one}` }),
    );
    return { requests, once: true, expect: 200 };
  };

/** Each token as often as it may be used, the first {@link round} of them in turn, then the next. */
const inRounds = (tokens: readonly string[]): string[] => {
  const order: string[] = [];
  for (let from = 0; from < tokens.length; from += round) {
    for (let call = 0; call < callsPerDay; call += 1) order.push(...tokens.slice(from, from + round));
  }
  return order;
};

const confirmFunds = async (world: BenchWorld): Promise<Prepared> => {
  const token = await world.userToken(await world.psu(1), 'PSP_IC');
  const body = { instructedAmount: { currency: 'BGN', amount: '100.00' } };
  return {
    requests: [wireRequest('POST', '/v1/funds-confirmations', { Authorization: `Bearer ${token}` }, body)],
    expect: 200,
  };
};

export const accountRows: readonly Row[] = [
  { name: 'accounts', title: 'GET accounts, PSU present', prepare: listAccounts },
  {
    name: 'transactions-1k',
    title: 'GET transactions, 50 of 1,000, unattended',
    target: 0.4,
    prepare: listTransactions(1000),
  },
  {
    name: 'transactions',
    title: 'GET transactions, 50 of 100,000, unattended',
    target: 0.4,
    prepare: listTransactions(100_000),
  },
  {
    name: 'transactions-cold',
    title: 'the same, another page each time',
    prepare: listTransactions(100_000, coldQuery),
  },
  {
    name: 'transactions-cold-1k',
    title: 'GET transactions, 50 of 1,000, another page each time',
    long: true,
    prepare: listTransactions(1000, coldQuery),
  },
  {
    name: 'transactions-cold-1m',
    title: 'GET transactions, 50 of 1,000,000, another page each time',
    long: true,
    prepare: listTransactions(1_000_000, coldQuery),
  },
  { name: 'funds', title: 'POST funds-confirmation', target: 0.5, prepare: confirmFunds },
];
