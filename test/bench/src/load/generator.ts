import { runLoad } from '@xs2a/test-support/load';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type HttpAnswer, HttpConnection } from './http-connection.js';
import { lateAfterMs, type LoadPlan, type LoadResult, type LoadTurn, uuidMark } from './load-plan.js';
import { summarise } from './latency.js';
import { proofMark, Proofs } from './proofs.js';

/** The load generator process: reads the plan named on its command line, and runs it turn by turn on request. */
const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadPlan;
const { requests } = plan;
const proofs = plan.proofs === undefined ? undefined : new Proofs(plan.proofs);

const preparedAt = (index: number): string | undefined => {
  if (plan.max !== undefined && index >= plan.max) return undefined;
  return plan.once ? requests[index] : requests[index % requests.length];
};

/** Proofs signed before the turn, by request number. */
const signedAhead = new Map<number, string>();
const signing = { proofs: 0, ms: 0 };
const sign = (request: string): string => {
  if (proofs === undefined) throw new Error('a request wants a proof, and the plan has no key');
  const begun = performance.now();
  const proof = proofs.of(request);
  signing.proofs += 1;
  signing.ms += performance.now() - begun;
  return proof;
};

/** Signs proofs for this many requests in advance, so that the generator has little work during the turn. */
const signAhead = (count: number): void => {
  signedAhead.clear();
  for (let index = next; index < next + count; index += 1) {
    const request = preparedAt(index);
    if (request?.includes(proofMark) === true) signedAhead.set(index, sign(request));
  }
};

const requestAt = (index: number): string | undefined => {
  const request = preparedAt(index);
  if (request === undefined) return undefined;
  const named = request.includes(uuidMark) ? request.replace(uuidMark, randomUUID()) : request;
  return named.includes(proofMark) ? named.replace(proofMark, signedAhead.get(index) ?? sign(named)) : named;
};

let next = 0;
let unexpected = 0;
let firstUnexpected: string | undefined;
const statuses: Record<number, number> = {};
const expectedAt = (index: number): number | undefined =>
  typeof plan.expect === 'number' ? plan.expect : plan.expect[index % plan.expect.length];
const countAnswer = (index: number, { status, body }: HttpAnswer): void => {
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status === expectedAt(index)) return;
  unexpected += 1;
  firstUnexpected ??= `${status} ${body.slice(0, 300)}`;
};

const connections = await Promise.all(
  Array.from({ length: plan.connections }, async () => HttpConnection.open(plan.port, plan.tls)),
);
/** What turns measured. */
class Counted {
  readonly latencies: number[] = [];
  late = 0;
  seconds = 0;
  cpuMs = 0;
}
const withOthers = new Counted();
/** Requests per second in the previous turn. The generator signs enough proofs in advance for 25 % more requests. */
let lastRate = 0;

const carryOut = async ({ seconds, counts, pace = plan.pace }: LoadTurn): Promise<LoadResult> => {
  if (proofs !== undefined) signAhead(Math.ceil((pace ?? lastRate) * seconds * 1.25));
  const counted = counts === 'with-others' ? withOthers : new Counted();
  const over = new AbortController();
  const ask = async (connection: HttpConnection, lateMs: number): Promise<void> => {
    const index = next;
    const request = requestAt(index);
    if (request === undefined) return over.abort();
    next += 1;
    if (lateMs > lateAfterMs) counted.late += 1;
    const dueAt = performance.now() - lateMs;
    countAnswer(index, await connection.send(request));
    counted.latencies.push(performance.now() - dueAt);
  };
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const first = next;
  const timer = setTimeout(() => over.abort(), seconds * 1000);
  await runLoad(async (_number, client, lateMs) => ask(connections[client] as HttpConnection, lateMs), {
    stop: over.signal,
    clients: connections.length,
    ...(pace === undefined ? {} : { perSecond: pace }),
  });
  clearTimeout(timer);
  const took = (performance.now() - begun) / 1000;
  lastRate = (next - first) / took;
  const { user, system } = process.cpuUsage(cpuBefore);
  counted.seconds += took;
  counted.cpuMs += (user + system) / 1000;
  return {
    ...summarise(counts === 'nothing' ? [] : counted.latencies, counted.seconds),
    late: counted.late,
    sent: next,
    exhausted: plan.once === true && next >= requests.length,
    unexpected,
    firstUnexpected,
    statuses,
    ownMs: counted.latencies.length === 0 ? 0 : counted.cpuMs / counted.latencies.length,
    proofMs: signing.proofs === 0 ? 0 : signing.ms / signing.proofs,
  };
};

process.on('message', (turn: LoadTurn) => {
  void carryOut(turn).then((result) => process.send?.(result));
});
