import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type HttpAnswer, HttpConnection } from './http-connection.js';
import { type LoadPlan, type LoadResult, type LoadTurn, uuidMark } from './load-plan.js';
import { summaryOf } from './latency.js';

/** The load generator's process: reads the plan named on its command line, and carries it out turn by turn as it is told. */
const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadPlan;
const parts = plan.requests.map((request) => request.split(uuidMark));
const requestAt = (index: number): string | undefined => {
  if (plan.most !== undefined && index >= plan.most) return undefined;
  const request = plan.once ? parts[index] : parts[index % parts.length];
  return request?.length === 1 ? request[0] : request?.join(randomUUID());
};

let next = 0;
let unexpected = 0;
let firstUnexpected: string | undefined;
const judge = ({ status, body }: HttpAnswer): void => {
  if (status === plan.expect) return;
  unexpected += 1;
  firstUnexpected ??= `${status} ${body.slice(0, 300)}`;
};

const started = performance.now();
/** With a pace, request n has its moment; one whose moment has passed goes at once. */
const momentOf = async (index: number): Promise<void> => {
  if (plan.pace === undefined) return;
  const wait = started + (index / plan.pace) * 1000 - performance.now();
  if (wait > 0)
    await new Promise((resolve) => {
      setTimeout(resolve, wait);
    });
};

/** Every connection sends its next request when the last one was answered, until `deadline` or until none is left. */
const drive = async (connection: HttpConnection, deadline: number, latencies: number[]): Promise<void> => {
  for (let begun = performance.now(); begun < deadline; begun = performance.now()) {
    const request = requestAt(next);
    if (request === undefined) return;
    next += 1;
    await momentOf(next - 1);
    const sentAt = performance.now();
    judge(await connection.send(request));
    latencies.push(performance.now() - sentAt);
  }
};

const connections = await Promise.all(
  Array.from({ length: plan.connections }, async () => HttpConnection.open(plan.port)),
);
const counted = { latencies: [] as number[], seconds: 0 };

const carryOut = async ({ seconds, counts }: LoadTurn): Promise<LoadResult> => {
  const begun = performance.now();
  const latencies = counts ? counted.latencies : [];
  await Promise.all(connections.map(async (one) => drive(one, begun + seconds * 1000, latencies)));
  if (counts) counted.seconds += (performance.now() - begun) / 1000;
  return {
    ...summaryOf(counted.latencies, counted.seconds),
    sent: next,
    exhausted: plan.once && next >= parts.length,
    unexpected,
    firstUnexpected,
  };
};

process.on('message', (turn: LoadTurn) => {
  void carryOut(turn).then((result) => process.send?.(result));
});
