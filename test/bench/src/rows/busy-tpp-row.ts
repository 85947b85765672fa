import { parseJson, send } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { uuidMark, wireRequest } from '../load/load-plan.js';
import { type Measured, Measurement } from '../load/measure.js';
import { BenchWorld } from '../world/bench-world.js';
import { customers, inTurn } from '../world/customers.js';
import { MintedTokens } from '../world/minted-tokens.js';
import { paymentBody, product } from '../world/signed-payments.js';
import { bulkBody } from './bulk-rows.js';

/** The load of the busy TPP until it is stopped. Returns the number of answers by status. */
type BusyTpp = (world: BenchWorld, until: AbortSignal) => Promise<Readonly<Record<number, number>>>;

const otherTpp = 'sandbox-tpp-2';
/** Payments per second of the other TPP. */
const pace = 20;
const otherConnections = 4;

const post = (path: string, token: string, body: unknown): string =>
  wireRequest('POST', path, { Authorization: `Bearer ${token}`, 'X-Request-ID': uuidMark }, body);

/** Prepared requests over this many connections, each as fast as it is answered. */
const requests =
  (connections: number, expect: number, prepare: (token: string) => readonly string[]): BusyTpp =>
  async (world, until) => {
    const [token = ''] = await world.tokens.application(1);
    const times = { warmUpSeconds: 0, seconds: 1 };
    const plan = { ...world.entrance, connections, ...times, once: false, requests: prepare(token), expect };
    const load = new Measurement(plan, []);
    try {
      let measured: Measured;
      do measured = await load.turn(times.seconds);
      while (!until.aborted);
      return measured.statuses;
    } finally {
      load.end();
    }
  };

/** 870 KB in 80,000 members. */
const manyMembers = Object.fromEntries(Array.from({ length: 80_000 }, (_none, at) => [`m${at}`, 1]));

/** This many browsers on links of the busy TPP, each of which signs in as one stranger after the other. */
const signIns =
  (browsers: number): BusyTpp =>
  async (world, until) => {
    const [token = ''] = await world.tokens.application(1);
    const statuses: Record<number, number> = {};
    const browse = async (number: number): Promise<void> => {
      const { iban } = inTurn(number);
      const created = await send('POST', `${world.sandbox.baseUrl}/v1/payments/${product}`, {
        headers: { authorization: `Bearer ${token}` },
        json: paymentBody(iban, { number }),
      });
      const { _links } = parseJson<{ _links: { scaRedirect: { href: string } } }>(created);
      const browser = new PsuBrowser({}, async (method, url, sending) => {
        const answer = await send(method, url, sending);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        return answer;
      });
      const signIn = async (): Promise<void> => {
        const page = await browser.open(_links.scaRedirect.href);
        await browser.submit(page, { psuId: randomUUID(), password: 'guess' }, 'approve');
      };
      // A page that could not be opened or submitted is already counted; its visitor tries again.
      while (!until.aborted) await signIn().catch(async () => pause(100));
    };
    await Promise.all(Array.from({ length: browsers }, async (_none, number) => browse(number)));
    return statuses;
  };

const loads: readonly (readonly [name: string, load: BusyTpp])[] = [
  ['nothing', async () => ({})],
  [
    'payments × 8',
    requests(8, 201, (token) =>
      customers
        .slice(0, 1000)
        .map(({ iban }, number) => post(`/v1/payments/${product}`, token, paymentBody(iban, { number }))),
    ),
  ],
  [
    'bulks of 250 × 12',
    requests(12, 201, (token) =>
      Array.from({ length: 100 }, (_none, number) =>
        post(`/v1/bulk-payments/${product}`, token, bulkBody(inTurn(number).iban, number)),
      ),
    ),
  ],
  [
    '1 MiB of members × 8',
    requests(8, 400, (token) => [post(`/v1/bulk-payments/${product}`, token, manyMembers)]),
  ],
  ['GET /openapi.json × 32', requests(32, 200, () => [wireRequest('GET', '/openapi.json', {})])],
  ['sign-ins × 48', signIns(48)],
];

/** The other TPP's payments while the busy one continues. */
const beside = async (
  world: BenchWorld,
  other: readonly string[],
  { busy, seconds }: { readonly busy: BusyTpp; readonly seconds: number },
): Promise<{ readonly measured: Measured; readonly statuses: Readonly<Record<number, number>> }> => {
  const over = new AbortController();
  const going = busy(world, over.signal);
  const plan = {
    ...world.entrance,
    connections: otherConnections,
    warmUpSeconds: 0,
    seconds,
    once: false,
    requests: other,
    expect: 201,
    pace,
  };
  const load = new Measurement(plan, world.parts);
  try {
    await pause(1000);
    const measured = await load.turn(seconds);
    over.abort();
    return { measured, statuses: await going };
  } finally {
    over.abort();
    load.end();
  }
};

const measureLoads = async (options: FigureOptions): Promise<Found> => {
  const world = await BenchWorld.start(options);
  try {
    const tokens = await new MintedTokens(world.sandbox, { clientId: otherTpp }).application(1);
    const other = customers
      .slice(1000, 2000)
      .map(({ iban }, number) =>
        post(`/v1/payments/${product}`, tokens[0] ?? '', paymentBody(iban, { number })),
      );
    const notes: string[] = [];
    const problems: string[] = [];
    let worst = 0;
    for (const [name, busy] of loads) {
      const { measured, statuses } = await beside(world, other, { busy, seconds: options.seconds });
      const { answered, p50, p95, longest, unexpected, firstUnexpected } = measured;
      const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
      notes.push(
        `beside ${name}: ${answered} answered, p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, longest ${longest.toFixed(0)} ms; the busy one had ${counts.join(', ') || 'none'}`,
      );
      options.say(`  ${notes.at(-1)}`);
      if (unexpected > 0)
        problems.push(`beside ${name} ${unexpected} unexpected answers: ${firstUnexpected}`);
      worst = Math.max(worst, p95);
    }
    return { value: worst, notes, ...(problems.length === 0 ? {} : { problem: problems.join('; ') }) };
  } finally {
    await world.stop();
  }
};

export const busyTppRow: FigureRow = {
  name: 'busy-tpp',
  title: 'POST payment of a TPP beside a busy one, p95',
  targets: { sandbox: { atMost: 1000, unit: 'ms' } },
  measure: measureLoads,
};
