import { jetstreamManager } from '@nats-io/jetstream';
import { type EventResource, eventStreams } from '@xs2a/contracts/published-event';
import { gapsIn } from '@xs2a/event-store/published-copy';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConsumerStanding, consumerStandings } from './consumer-standings.js';
import type { Connections } from './connections.js';
import { type Check, mendBy, type Outcome } from './doctor-check.js';
import { durationText } from './durations.js';
import { counted } from './output.js';
import { projectionStandings } from './read-models.js';
import { settlementQueue } from './settlement-queue.js';

/** What is under way may take so long before it counts as stuck. */
const patienceMs = 3000;
const xs2a = (command: string): string => `npm run xs2a -- ${command}`;
const restart = (connections: Connections, service: string): string =>
  mendBy(connections, `kubectl rollout restart deployment/${service}`);

/** Asks until the answer is as wanted or patience ends; answers the last one and how long it took. */
const settled = async <Value>(
  ask: () => Promise<Value>,
  wanted: (value: Value) => boolean,
): Promise<{ readonly value: Value; readonly good: boolean; readonly ms: number }> => {
  const begun = performance.now();
  for (;;) {
    const value = await ask();
    const ms = performance.now() - begun;
    if (wanted(value) || ms > patienceMs) return { value, good: wanted(value), ms };
    await pause(50);
  }
};

const logOf = async (
  connections: Connections,
  resource: EventResource,
): Promise<{ head: number; waiting: number }> => {
  const { rows } = await connections
    .pool(resource)
    .query<{ head: number; waiting: number }>(
      'SELECT (SELECT coalesce(max(pos), 0) FROM log) AS head, (SELECT count(*) FROM unsequenced) AS waiting',
    );
  return rows[0] ?? { head: 0, waiting: 0 };
};

const streamState = async (connections: Connections, resource: EventResource) => {
  const { streams } = await jetstreamManager(await connections.nats());
  return (await streams.info(eventStreams[resource])).state;
};

const stream =
  (resource: EventResource) =>
  async (connections: Connections): Promise<Outcome> => {
    const name = eventStreams[resource];
    const { streams } = await jetstreamManager(await connections.nats());
    const existing: string[] = [];
    for await (const one of streams.names()) existing.push(one);
    if (!existing.includes(name)) {
      return {
        ok: false,
        text: `there is no ${name}`,
        mend: xs2a('jetstream make'),
      };
    }
    const state = await streamState(connections, resource);
    const { messages, first_seq: first, last_seq: last } = state;
    // Asked after the stream: whatever it holds was in the log before.
    const { head } = await logOf(connections, resource);
    if (last > head) {
      const text = `${name} ends at ${last}, the database at ${head}: it is of another database, or one restored from a backup`;
      return { ok: false, text, mend: xs2a(`events verify --resource ${resource}`) };
    }
    if (gapsIn(state) !== 0) {
      const text = `${name} goes from ${first} to ${last} and holds ${messages}`;
      return { ok: false, text, mend: xs2a(`events verify --resource ${resource}`) };
    }
    const older = messages < last ? `; PostgreSQL has the ${last - messages} before them` : '';
    return { ok: true, text: `${name} holds ${counted(messages, 'event')}, without gaps${older}` };
  };

const relay =
  (resource: EventResource) =>
  async (connections: Connections): Promise<Outcome> => {
    const { head, waiting } = await logOf(connections, resource);
    const target = head + waiting;
    const { value, good, ms } = await settled(
      async () => (await streamState(connections, resource)).last_seq,
      (last) => last >= target,
    );
    if (good)
      return {
        ok: true,
        text: `${counted(target, 'event')} committed and published (seen after ${durationText(ms)})`,
      };
    const text = `not published: ${counted(target - value, 'event')}, after ${durationText(ms)}`;
    return { ok: false, text, mend: restart(connections, resource) };
  };

const projections = async (connections: Connections): Promise<Outcome> => {
  const before = (await projectionStandings(connections)).filter(({ live }) => live);
  const outdated = before.find(({ version, definedVersion }) => version !== definedVersion);
  if (outdated !== undefined) {
    const { name, version, definedVersion } = outdated;
    const text = `${name} has version ${version}, the service ${definedVersion}`;
    return { ok: false, text, mend: xs2a(`projections rebuild ${name}`) };
  }
  const targets = new Map(before.map(({ name, pos, behind }) => [name, pos + behind]));
  const { value, good } = await settled(
    async () => (await projectionStandings(connections)).filter(({ live }) => live),
    (now) => now.every(({ name, pos }) => pos >= (targets.get(name) ?? 0)),
  );
  if (good) return { ok: true, text: `${value.length} follow the log` };
  const text = value.map(({ name, behind }) => `${name} is ${counted(behind, 'event')} behind`).join(', ');
  return { ok: false, text, mend: restart(connections, 'payments') };
};

const isWell = ({ reading, lag, failingAt }: ConsumerStanding): boolean =>
  reading && lag === 0 && failingAt === null;

const consumers = async (connections: Connections): Promise<Outcome> => {
  const before = new Map(
    (await consumerStandings(connections)).map((one) => [one.consumer, one.cursor ?? 0]),
  );
  const { value } = await settled(
    async () => consumerStandings(connections),
    (now) =>
      now.every((one) => isWell(one) || (one.reading && (one.cursor ?? 0) > (before.get(one.consumer) ?? 0))),
  );
  const stuck = value.find((one) => !one.reading) ?? value.find((one) => one.failingAt !== null);
  if (stuck !== undefined) {
    const text = stuck.reading
      ? `${stuck.consumer} fails on position ${stuck.failingAt}, ${stuck.tries} tries`
      : `nobody reads for ${stuck.consumer}`;
    return {
      ok: false,
      text,
      mend: stuck.reading ? xs2a('consumers') : restart(connections, 'settlement-worker'),
    };
  }
  return { ok: true, text: value.map(({ consumer, lag }) => `${consumer}: lag ${lag}`).join(', ') };
};

const deadLetters = async (connections: Connections): Promise<Outcome> => {
  const letters = (await consumerStandings(connections)).reduce((sum, one) => sum + one.deadLetters, 0);
  if (letters === 0) return { ok: true, text: 'none' };
  return {
    ok: false,
    text: `${counted(letters, 'event')} could not be handled`,
    mend: xs2a('dead-letters list'),
  };
};

const settlement = async (connections: Connections): Promise<Outcome> => {
  const { counts } = await settlementQueue(connections, 1);
  const text = Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
  if (counts.failing + counts.overdue === 0) return { ok: true, text };
  return { ok: false, text, mend: xs2a('settlement queue') };
};

export const flowChecks: readonly Check[] = [
  ...(['payments', 'consents'] as const).flatMap((resource): Check[] => [
    { name: `stream ${resource}`, needs: ['postgres', 'nats'], run: stream(resource) },
    { name: `relay ${resource}`, needs: ['postgres', 'nats'], run: relay(resource) },
  ]),
  { name: 'projections', needs: ['postgres'], run: projections },
  { name: 'consumers', needs: ['postgres', 'nats'], run: consumers },
  { name: 'dead letters', needs: ['postgres', 'nats'], run: deadLetters },
  { name: 'settlement', needs: ['postgres', 'nats'], run: settlement },
];
