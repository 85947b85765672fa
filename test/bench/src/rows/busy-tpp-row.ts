import { runLoad } from '@xs2a/test-support/load';
import { parseInitiated } from '@xs2a/test-support/requests';
import { send } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { uuidMark, wireRequest } from '../load/load-plan.js';
import { Measurement, problemOf } from '../load/measure.js';
import { type FigureRow, inWorld } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { customers, inTurn } from '../world/customers.js';
import { numbers } from '../world/in-parallel.js';
import { MintedTokens } from '../world/minted-tokens.js';
import { bulkBody, bulksPath, paymentBody, paymentsPath } from '../world/payments.js';

type Statuses = Record<number, number>;
/** Generates the busy TPP's load with one of its tokens until stopped. Returns the number of responses by status. */
type BusyTpp = (world: BenchWorld, token: string, stop: AbortSignal) => Promise<Readonly<Statuses>>;

const otherTpp = 'sandbox-tpp-2';
/** The other TPP's payments per second. */
const pace = 20;

const post = (path: string, token: string, body: unknown): string =>
  wireRequest('POST', path, { Authorization: `Bearer ${token}`, 'X-Request-ID': uuidMark }, body);
const posts = (from: number, token: string): readonly string[] =>
  customers
    .slice(from, from + 1000)
    .map(({ iban }, number) => post(paymentsPath, token, paymentBody(iban, { number })));

/** Sends prepared requests over the given number of connections, each as fast as it receives responses. */
const requests =
  (count: number, expect: number, prepare: (token: string) => readonly string[]): BusyTpp =>
  async ({ entrance }, token, stop) => {
    const times = { connections: count, warmUpSeconds: 0, seconds: 1 };
    const plan = { ...entrance, ...times, requests: prepare(token), expect };
    const load = new Measurement(plan, []);
    let statuses: Readonly<Statuses> = {};
    try {
      await runLoad(async () => ({ statuses } = await load.turn(times.seconds)), { stop });
      return statuses;
    } finally {
      load.end();
    }
  };

/** A body of 870 KB with 80,000 members. */
const manyMembers = Object.fromEntries(numbers(80_000).map((at) => [`m${at}`, 1]));

/**
 * Opens the given number of browsers on the busy TPP's links; each signs in repeatedly, as a different stranger
 * each time.
 */
const signIns =
  (browsers: number): BusyTpp =>
  async ({ sandbox: { baseUrl } }, token, stop) => {
    const statuses: Statuses = {};
    const links = await Promise.all(
      numbers(browsers).map(async (number) => {
        const headers = { authorization: `Bearer ${token}` };
        const json = paymentBody(inTurn(number).iban, { number });
        return parseInitiated(await send('POST', `${baseUrl}${paymentsPath}`, { headers, json })).scaRedirect;
      }),
    );
    const signIn = async (link: string): Promise<void> => {
      const browser = new PsuBrowser({}, async (method, url, sending) => {
        const answer = await send(method, url, sending);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        return answer;
      });
      const page = await browser.open(link);
      await browser.submit(page, { psuId: randomUUID(), password: 'guess' }, 'approve');
    };
    // A page that could not be opened or submitted is already counted, so its browser tries again.
    const options = { stop, clients: browsers, onError: async () => pause(100) };
    await runLoad(async (_number, client) => signIn(links[client] ?? ''), options);
    return statuses;
  };

const loads: Readonly<Record<string, BusyTpp>> = {
  nothing: async () => ({}),
  'payments × 8': requests(8, 201, (token) => posts(0, token)),
  'bulks of 250 × 12': requests(12, 201, (token) =>
    numbers(100).map((number) => post(bulksPath, token, bulkBody(inTurn(number).iban, number))),
  ),
  '1 MiB of members × 8': requests(8, 400, (token) => [post(bulksPath, token, manyMembers)]),
  'GET /openapi.json × 32': requests(32, 200, () => [wireRequest('GET', '/openapi.json', {})]),
  'sign-ins × 48': signIns(48),
};

export const busyTppRow: FigureRow = {
  name: 'busy-tpp',
  title: 'POST payment of one TPP while another is busy, p95',
  targets: { sandbox: { atMost: 1000, unit: 'ms' } },
  measure: inWorld(async (world, { seconds, say }) => {
    const [token = ''] = await world.tokens.application(1);
    const others = new MintedTokens(world.sandbox, world.database, { clientId: otherTpp });
    const [otherToken = ''] = await others.application(1);
    const times = { connections: 4, warmUpSeconds: 0, seconds, pace };
    const other = { ...times, requests: posts(1000, otherToken), expect: 201 };
    const found: { readonly p95: number; readonly note: string; readonly problem: string | undefined }[] = [];
    for (const [name, busy] of Object.entries(loads)) {
      const over = new AbortController();
      const load = new Measurement({ ...world.entrance, ...other }, world.parts);
      try {
        const going = busy(world, token, over.signal);
        await pause(1000);
        const measured = await load.turn(seconds);
        over.abort();
        const counts = Object.entries(await going).map(([status, count]) => `${count} × ${status}`);
        const { answered, p50, p95, longest } = measured;
        const note = `during ${name}: ${answered} answered, p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, longest ${longest.toFixed(0)} ms; the busy TPP received ${counts.join(', ') || 'none'}`;
        say(`  ${note}`);
        const problem = problemOf(measured);
        found.push({ p95, note, problem: problem && `during ${name} ${problem}` });
      } finally {
        over.abort();
        load.end();
      }
    }
    const problems = found.flatMap(({ problem }) => problem ?? []);
    return {
      value: Math.max(...found.map(({ p95 }) => p95)),
      notes: found.map(({ note }) => note),
      problem: problems.length === 0 ? undefined : problems.join('; '),
    };
  }),
};
