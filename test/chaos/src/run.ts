import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/event-streams';
import { setTimeout as wait } from 'node:timers/promises';
import { clientFindings } from './findings/client-findings.js';
import { waitUntilRest } from '@xs2a/invariants/due-left';
import { Faults } from './faults/faults.js';
import { checkInvariants, type Invariant } from '@xs2a/invariants/invariants';
import { Load, usualPayers } from './load/load.js';
import { type ChaosReport, doubledIn, lostIn } from './report.js';
import type { ChaosProfile } from './load/payment-forms.js';
import { planSchedule } from './faults/schedule.js';
import { readModels } from './findings/read-models.js';
import { ChaosWorld } from './world.js';
import { wronglyRefusedPayments } from './findings/wrongly-refused.js';

export interface ChaosOptions {
  readonly seed: number;
  /** Real seconds during which faults occur; the checks follow. */
  readonly seconds: number;
  /** Whether the run uses three nats-servers, not one, and includes faults of single nodes. */
  readonly cluster?: boolean;
  /** The number of concurrent paying clients. */
  readonly payers?: number;
  /** The size limit of each event stream. If absent, the sandbox's default applies. */
  readonly streamMegabytes?: number;
  /** Whether some second processes are started during the run from the next release, which is built for the run. */
  readonly twoReleases?: boolean;
  /** The rules of the bank. Default: `sandbox`. */
  readonly profile?: ChaosProfile;
  readonly say?: (line: string) => void;
  /** The folder in which the sandbox's data and logs are kept. If absent, they are removed. */
  readonly keepIn?: string;
}

/** The services that are each killed once while periodic orders run over several days. */
const servicesOfSettlement = ['settlement-worker', 'payments', 'accounts'] as const;

/**
 * Runs a new sandbox under load with faults planned from a seed, waits until it is at rest, and checks every
 * invariant.
 */
export const runChaos = async ({
  seed,
  seconds,
  cluster = false,
  payers = usualPayers,
  streamMegabytes,
  twoReleases = false,
  profile = 'sandbox',
  keepIn,
  say = () => undefined,
}: ChaosOptions): Promise<ChaosReport> => {
  let restarts = 0;
  const print = withSeconds(say);
  const heard = (line: string): void => {
    if (line.endsWith('is back')) restarts += 1;
    if (/ended|back|not start|slow/.test(line)) print(line);
  };
  const settings = { keepIn, cluster, streamMegabytes, twoReleases, profile };
  const world = await ChaosWorld.start({ ...settings, onProgress: heard, twice: true });
  try {
    const load = await Load.prepare(world, seed, payers);
    const faults = new Faults(world, print);
    load.start();
    await faults.run(planSchedule(seed, seconds, { cluster, twoReleases, instant: world.isEuro }), seconds);
    await allUp(world);
    print('the last fault is over');
    const [restAfterSeconds, late] = await comeToRest(world, load);
    await streamsExist(world);
    await untilDelivered(world);
    print('checking the invariants');
    const { schemas, nats, isEuro: verifiesPayees } = world;
    const sources = { schemas, nats: async () => nats, readModels, verifiesPayees };
    const clients = async () => clientFindings(world, load.ibans);
    const found = await checkInvariants({ ...sources, clients });
    late.push(...(await executeOrders(world, print)));
    const foundAfter = await checkInvariants(sources);
    const invariants = foundTwice(found, foundAfter, [...faults.late, ...late]);
    const violationTexts = invariants.flatMap(({ violations }) => violations);
    return {
      seed,
      seconds,
      cluster,
      profile,
      payers,
      ...(streamMegabytes === undefined ? {} : { streamMegabytes }),
      faults: Object.fromEntries([...faults.counts].toSorted()),
      acknowledged: world.log.acknowledged(),
      uncertain: world.log.uncertain(),
      retries: world.log.retries,
      restarts,
      maxWait: world.log.maxWait,
      answers: world.times.counts(),
      restAfterSeconds,
      lost: lostIn(violationTexts),
      doubled: doubledIn(violationTexts),
      wronglyRefused: await wronglyRefusedPayments(world.schemas, world.masterKeys),
      failedInRestarts: faults.failedInRestarts,
      invariants,
    };
  } finally {
    await world.stop();
  }
};

/** Prefixes each printed line with the seconds since this call. */
const withSeconds = (say: (line: string) => void): ((line: string) => void) => {
  const began = performance.now();
  return (line) => say(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
};

/** Merges the findings of two checks into one list without duplicates, and adds late work to invariant 7. */
const foundTwice = (
  found: readonly Invariant[],
  again: readonly Invariant[],
  late: readonly string[],
): readonly Invariant[] =>
  found.map((one, index) => {
    const violations = [...new Set([...one.violations, ...(again[index]?.violations ?? [])])];
    return { ...one, violations: one.number === 7 ? [...late, ...violations] : violations };
  });

/**
 * Waits until both event streams exist. A cluster that lost them together with the files of two nodes recreates
 * them after its last node has started, and the sandbox does not wait for that. Throws after a minute.
 */
const streamsExist = async ({ nats }: ChaosWorld): Promise<void> => {
  const end = performance.now() + 60_000;
  for (const name of Object.values(eventStreams)) {
    for (let exists = false; !exists;) {
      try {
        const manager = await jetstreamManager(nats, { checkAPI: false });
        await manager.streams.info(name);
        exists = true;
      } catch (error) {
        if (performance.now() > end) throw error;
        await wait(250);
      }
    }
  }
};

const allUp = async ({ sandbox }: ChaosWorld): Promise<void> => {
  const all = [
    sandbox.postgres,
    ...sandbox.natsNodes,
    ...Object.values(sandbox.services),
    ...Object.values(sandbox.seconds),
  ];
  while (all.some(({ pid }) => pid === 0)) await wait(50);
};

/**
 * Lets the clients finish, then waits until every signed payment is due, settled and booked. Returns the seconds
 * from the last fault until no work was due, and sentences about late work.
 */
const comeToRest = async (world: ChaosWorld, load: Load): Promise<[number, string[]]> => {
  const began = performance.now();
  const { restSeconds } = world;
  await load.stop();
  const { left } = await waitUntilRest(world, restSeconds - (performance.now() - began) / 1000);
  const late = left.map((what) => `${what}, ${restSeconds} s after the last fault`);
  const restAfter = (performance.now() - began) / 1000;
  for (const by of ['PT2M', 'PT6M']) {
    await world.advance(by);
    await waitUntilRest(world, 60);
  }
  return [restAfter, late];
};

/**
 * Waits for notifications that failed during a fault. Each waits twice as long as before for its next attempt, so it
 * may come after everything else is at rest. What is left after a minute and a half is found by invariant 3.
 */
const untilDelivered = async ({ schemas }: ChaosWorld): Promise<void> => {
  for (const began = performance.now(); performance.now() - began < 90_000;) {
    const { rows } = await schemas
      .of('notifications')
      .query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM notification WHERE state = 'waiting'`,
      );
    if (rows[0]?.waiting === 0) return;
    await wait(500);
  }
};

/**
 * Moves the clock by days, and kills each service involved in settlement while due work is being done. This
 * happens after the clients have finished, because a day later the service may have deleted the idempotency keys
 * of retried requests. Returns sentences about late work.
 */
const executeOrders = async (world: ChaosWorld, print: (line: string) => void): Promise<string[]> => {
  print('days of periodic orders');
  const late: string[] = [];
  for (const victim of servicesOfSettlement) {
    const advancing = world.advance('P5D');
    world.sandbox.services[victim].kill();
    await advancing;
    await allUp(world);
    const { left } = await waitUntilRest(world, 60);
    late.push(...left.map((what) => `${what}, 60 s after ${victim} ended while orders were executed`));
  }
  return late;
};
