import { jetstreamManager } from '@nats-io/jetstream';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { maxSummarised } from '@xs2a/contracts/notifications.contract';
import { lastGiven } from '@xs2a/event-store/recovery/log-gaps';
import { missingMessages } from '@xs2a/event-store/verification/published-copy';
import { lastPublished, RelayStream } from '@xs2a/event-store/publishing/jetstream-copy';
import { consumerStatuses } from '../events/consumer-status.js';
import { type Connections, oneRow } from '../connections.js';
import { type Check, failed, type Outcome, passed, restart } from './check.js';
import { settled } from './settled.js';
import { durationText } from '@xs2a/doctor/durations';
import { waitingLosses } from '../events/lost-event-commands.js';
import { describeLost, lostEvents } from '../events/lost-events.js';
import { summarise } from '@xs2a/notifications/queue/summary';
import { counted } from '../command-line/output.js';
import { projectionStatuses } from '../events/read-models.js';
import { settlementQueue } from '../payments/settlement-queue.js';
import { xs2a } from '../command-line/own-name.js';

const readLog = async (
  connections: Connections,
  resource: EventResource,
): Promise<{ head: number; newest: number; waiting: number }> =>
  oneRow(
    connections.pool(resource),
    `SELECT ${lastGiven} AS head, coalesce((SELECT max(pos) FROM log), 0) AS newest,
        (SELECT count(*) FROM unsequenced) AS waiting`,
  );

const stream =
  (resource: EventResource) =>
  async (connections: Connections): Promise<Outcome> => {
    const name = eventStreams[resource];
    const nats = await connections.nats();
    const manager = await jetstreamManager(nats);
    const existing: string[] = [];
    for await (const one of manager.streams.names()) existing.push(one);
    if (!existing.includes(name)) return failed(`there is no ${name}`, xs2a('jetstream make'));
    const { state } = await manager.streams.info(name);
    const last = await lastPublished(nats, resource);
    // The log is read after the stream, so it contains everything in the stream. A relay whose database has
    // returned to an earlier state reports this within seconds.
    const { value, good } = await settled(
      async () => readLog(connections, resource),
      ({ head }) => last <= head,
    );
    if (!good) {
      const text = `${name} ends at ${last}, the database at ${value.head}: the stream belongs to another database, or the database was restored to a point before the oldest event of the stream`;
      return failed(text, xs2a(`events verify --resource ${resource}`));
    }
    const { messages, first_seq: from, last_seq: to } = state;
    if (missingMessages(state) !== 0) {
      const text = `${name} covers sequences ${from} to ${to} but holds ${messages}`;
      return failed(text, xs2a(`events verify --resource ${resource}`));
    }
    const first = (await (await RelayStream.open(nats, resource)).eventFrom(1))?.pos ?? 1;
    const older = first > 1 ? `; PostgreSQL has the events before position ${first}` : '';
    return passed(`${name} holds ${counted(messages, 'event')}, none is missing${older}`);
  };

const relay =
  (resource: EventResource) =>
  async (connections: Connections): Promise<Outcome> => {
    const { head, newest, waiting } = await readLog(connections, resource);
    // After the newest event there may be positions that the database has lost; a stream that was recreated
    // does not contain them.
    const target = waiting === 0 ? newest : head + waiting;
    const { value, good, ms } = await settled(
      async () => lastPublished(await connections.nats(), resource),
      (last) => last >= target,
    );
    if (good)
      return passed(
        `all committed events are published, up to position ${target} (after ${durationText(ms)})`,
      );
    const { missing } = await oneRow<{ missing: number }>(
      connections.pool(resource),
      `SELECT (SELECT count(*) FROM log WHERE pos > $1) + (SELECT count(*) FROM unsequenced) AS missing`,
      [value],
    );
    const text = `not published: ${counted(missing, 'event')}, after ${durationText(ms)}`;
    return failed(text, restart(connections, resource));
  };

/** The number of days for which lost positions are reported. */
const lostDays = 7;

/**
 * Warns if the database has returned to an earlier state, and fails while payments or consents wait for a decision
 * by the operator because of this.
 */
const lost = async (connections: Connections): Promise<Outcome> => {
  const nats = await connections.nats();
  const found: string[] = [];
  let from: string | undefined;
  let waiting = 0;
  for (const resource of Object.keys(eventStreams) as EventResource[]) {
    waiting += await waitingLosses(connections, resource);
    for (const gap of await lostEvents(connections.pool(resource), { nats, resource }, lostDays)) {
      found.push(`${resource}, ${describeLost(gap)}`);
      from ??= `--resource ${resource} --from ${gap.after + 1}`;
    }
  }
  if (waiting > 0) {
    const text = [`payments and consents waiting for a decision: ${waiting}`, ...found].join('; ');
    return failed(text, xs2a('events lost list --waiting'));
  }
  if (from === undefined) return passed(`none in the last ${lostDays} days`);
  const text = `the database went back to an earlier state: ${found.join('; ')}`;
  return passed(text, xs2a(`events tail ${from} --no-follow`));
};

const projections = async (connections: Connections): Promise<Outcome> => {
  const before = await projectionStatuses(connections);
  const outdated = before.find(({ version, definedVersion }) => version !== definedVersion);
  if (outdated !== undefined) {
    const { name, version, definedVersion } = outdated;
    const text = `${name} has version ${version}, the service ${definedVersion}`;
    return failed(text, xs2a(`projections rebuild ${name}`));
  }
  const targets = new Map(before.map(({ name, pos, behind }) => [name, pos + behind]));
  const { value, good } = await settled(
    async () => projectionStatuses(connections),
    (now) => now.every(({ name, pos }) => pos >= (targets.get(name) ?? 0)),
  );
  if (good) return passed(`${value.length} follow the log`);
  const text = value.map(({ name, behind }) => `${name} is ${counted(behind, 'event')} behind`).join(', ');
  return failed(text, restart(connections, 'payments'));
};

const consumers = async (connections: Connections): Promise<Outcome> => {
  const before = new Map(
    (await consumerStatuses(connections)).map((one) => [one.consumer, one.ackFloor ?? 0]),
  );
  const { value, good } = await settled(
    async () => consumerStatuses(connections),
    (now) =>
      now.every(
        (one) => one.reading && (one.lag === 0 || (one.ackFloor ?? 0) > (before.get(one.consumer) ?? 0)),
      ),
  );
  const missing = value.find((one) => one.stream === null);
  if (missing !== undefined)
    return failed(`there is no consumer ${missing.consumer}`, xs2a('jetstream make'));
  const unread = value.find((one) => !one.reading);
  if (!good && unread !== undefined) {
    const text = `no instance is reading events for ${unread.consumer}`;
    return failed(text, restart(connections, 'settlement-worker'));
  }
  const text = value
    .map(
      ({ consumer, lag, redelivered }) =>
        `${consumer}: lag ${lag}${good ? '' : `, ${redelivered} delivered again`}`,
    )
    .join(', ');
  return good ? passed(text) : failed(text, xs2a('consumers'));
};

const deadLetters = async (connections: Connections): Promise<Outcome> => {
  const letters = (await consumerStatuses(connections)).reduce((sum, one) => sum + one.deadLetters, 0);
  if (letters === 0) return passed('none');
  return failed(`${counted(letters, 'event')} could not be handled`, xs2a('dead-letters list'));
};

const settlement = async (connections: Connections): Promise<Outcome> => {
  const { counts, lateOccurrences } = await settlementQueue(connections, 1);
  const states = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  const late =
    lateOccurrences === 0 ? [] : [`${counted(lateOccurrences, 'occurrence')} of periodic orders late`];
  const text = [...states, ...late].join(', ');
  if (counts.failing + counts.overdue === 0) return passed(text);
  return failed(text, xs2a('settlement queue'));
};

/** Counts the changes to payments and consents that the notifications service has not read yet. */
const unreadChanges = async (connections: Connections): Promise<number> => {
  const { unread } = await oneRow<{ unread: number }>(
    connections.pool('notifications'),
    `SELECT (SELECT count(*) FROM payments.log
         WHERE pos > coalesce((SELECT pos FROM checkpoint WHERE source = 'payments'), 0))
       + (SELECT count(*) FROM consents.log
         WHERE pos > coalesce((SELECT pos FROM checkpoint WHERE source = 'consents'), 0)) AS unread`,
  );
  return unread;
};

/** Warns if a receiver fails, because the TPP is responsible for it. Fails if notifications are not being sent. */
const notifications = async (connections: Connections): Promise<Outcome> => {
  const { value: behind, good } = await settled(
    async () => unreadChanges(connections),
    (now) => now === 0,
  );
  const { tpps, totals, unread } = await summarise(connections.reader('notifications'), maxSummarised);
  const { overdue, dead } = totals;
  const text = `${totals.waiting + totals.failing} waiting, ${dead} dead letters`;
  if (!good && behind > 10_000)
    return failed(`${text}; ${counted(behind, 'change')} not read`, restart(connections, 'notifications'));
  if (overdue > 0)
    return failed(`${text}; ${overdue} due for more than a minute`, restart(connections, 'notifications'));
  const sources = [...new Set(unread.map(({ source }) => source))].toSorted();
  const [source] = sources;
  if (source !== undefined)
    return failed(
      `${text}; changes of ${counted(totals.unread, 'resource')} cannot be read (${sources.join(', ')})`,
      xs2a(`events verify --resource ${source}`),
    );
  if (dead > 0) return passed(text, xs2a('notifications dead-letters'));
  const failing = tpps.filter((queue) => queue.failing > 0).map(({ tppId }) => tppId);
  if (failing.length > 0)
    return passed(
      `${text}; failing receivers: ${failing.toSorted().join(', ')}`,
      xs2a('notifications list --state failing'),
    );
  return passed(text);
};

export const flowChecks: readonly Check[] = [
  ...(['payments', 'consents'] as const).flatMap((resource): Check[] => [
    { name: `stream ${resource}`, needs: ['postgres', 'nats', resource], run: stream(resource) },
    { name: `relay ${resource}`, needs: ['postgres', 'nats', resource], run: relay(resource) },
  ]),
  { name: 'lost events', needs: ['postgres', 'nats'], run: lost },
  { name: 'projections', needs: ['postgres', 'payments', 'consents'], run: projections },
  { name: 'consumers', needs: ['postgres', 'nats', 'settlement-worker'], run: consumers },
  { name: 'dead letters', needs: ['postgres', 'nats'], run: deadLetters },
  { name: 'settlement', needs: ['postgres', 'nats'], run: settlement },
  { name: 'status push', needs: ['postgres', 'notifications'], run: notifications },
];
