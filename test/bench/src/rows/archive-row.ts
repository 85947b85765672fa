import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { type HistoryWorld, startHistoryWorld } from '../history/history-world.js';
import { archiveMonth, type Archived, dueMonths } from '../archive/archived-months.js';
import { inTurn } from '../world/customers.js';
import { xs2a } from '../archive/operator-command.js';
import { paymentBody, product } from '../world/signed-payments.js';
import { withClient } from '../world/with-client.js';

const defaultEvents = 100_000;
/** Two months at least are over for long enough to be archived. */
const days = 130;

/** The longest answers, in milliseconds, of a TPP that POSTs a payment and asks for its status again and again until the work is done. */
const besideRequests = async <Result>(
  { world }: HistoryWorld,
  work: () => Promise<Result>,
): Promise<{
  readonly result: Result;
  readonly post: number;
  readonly get: number;
  readonly requests: number;
}> => {
  const token = await world.tpp.applicationToken();
  const longest = { post: 0, get: 0, requests: 0 };
  const done = new AbortController();
  const timed = async (
    kind: 'post' | 'get',
    status: number,
    ask: () => ReturnType<typeof world.tpp.call>,
  ) => {
    const begun = performance.now();
    const answer = await ask();
    if (answer.status !== status) throw new Error(`${kind} answered ${answer.status}: ${answer.text}`);
    longest[kind] = Math.max(longest[kind], performance.now() - begun);
    longest.requests += 1;
    return answer;
  };
  const asking = (async (): Promise<void> => {
    for (let number = 0; !done.signal.aborted; number += 1) {
      const json = paymentBody(inTurn(number).iban, { number });
      const headers = { 'idempotency-key': randomUUID() };
      const { text } = await timed('post', 201, async () =>
        world.tpp.call('POST', `/v1/payments/${product}`, token, { json, headers }),
      );
      const { paymentId } = JSON.parse(text) as { paymentId: string };
      await timed('get', 200, async () =>
        world.tpp.call('GET', `/v1/payments/${product}/${paymentId}/status`, token),
      );
    }
  })();
  // The error is not lost: it is thrown by `await asking` below. Until then it must not count as unhandled.
  asking.catch(() => undefined);
  try {
    const result = await work();
    done.abort();
    await asking;
    return { result, ...longest };
  } finally {
    done.abort();
  }
};

const storedBytes = async ({ world }: HistoryWorld): Promise<number> =>
  withClient(world.sandbox.databaseUrl('postgres'), async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
       WHERE c.relnamespace = 'payments'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^events_[0-9]'`,
    );
    return Number(rows[0]?.bytes ?? 0);
  });

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const measureMonths = async (history: HistoryWorld, { folder, say }: FigureOptions): Promise<Found> => {
  const to = join(folder, 'archive');
  mkdirSync(to);
  const months = await dueMonths(history.world);
  const before = await storedBytes(history);
  const { result, post, get, requests } = await besideRequests(history, async () => {
    const files: Archived[] = [];
    let seconds = 0;
    for (const month of months) {
      const run = await archiveMonth(history.world, month, to);
      files.push(...run.files);
      seconds += run.seconds;
      say(`  ${month} in ${run.seconds.toFixed(1)} s`);
    }
    return { files, seconds };
  });
  const { files, seconds } = result;
  const after = await storedBytes(history);
  const total = (of: (one: Archived) => number): number => files.reduce((sum, one) => sum + of(one), 0);
  const spent = { verify: 0, restore: 0 };
  for (const { path } of files) {
    spent.verify += (await xs2a(history.world, 'archive', 'verify', path)).seconds;
    spent.restore += (
      await xs2a(history.world, 'archive', 'restore', path, '--resource', 'payments')
    ).seconds;
  }
  const events = total((one) => one.events);
  const perEvent = total(({ path }) => statSync(path).size) / events;
  return {
    value: Math.max(post, get),
    notes: [
      `${events} events of ${total((one) => one.streams)} payments in ${files.length} months: archived in ${seconds.toFixed(1)} s (${(events / seconds).toFixed(0)}/s), verified in ${spent.verify.toFixed(1)} s, restored in ${spent.restore.toFixed(1)} s`,
      `${perEvent.toFixed(0)} bytes of file an event; the partitions shrank from ${megabytes(before)} to ${megabytes(after)}`,
      `beside ${requests} requests, one after the other: the longest POST took ${post.toFixed(0)} ms, the longest GET ${get.toFixed(0)} ms`,
    ],
    ...(events === 0 ? { problem: 'no month was archived' } : {}),
  };
};

const archive = async (options: FigureOptions): Promise<Found> => {
  const { events = defaultEvents } = options;
  const history = await startHistoryWorld(options, { name: 'many', events, days });
  try {
    return await measureMonths(history, options);
  } finally {
    await history.world.stop();
  }
};

export const archiveRow: FigureRow = {
  name: 'archive',
  title: 'longest answer to a TPP while months are archived',
  targets: { sandbox: { atMost: 1000, unit: 'ms' } },
  measure: archive,
};
