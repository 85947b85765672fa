import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/published-event';
import { setTimeout as wait } from 'node:timers/promises';
import { clientFindings } from './findings/client-findings.js';
import { waitUntilRest } from '@xs2a/invariants/due-left';
import { Faults } from './faults/faults.js';
import { checkInvariants, type Invariant } from '@xs2a/invariants/invariants';
import { Load, usualPayers } from './load/load.js';
import { type ChaosReport, doubledIn, lostIn } from './report.js';
import { planSchedule } from './faults/schedule.js';
import { readModels } from './findings/read-models.js';
import { ChaosWorld } from './world.js';
import { wronglyRefusedPayments } from './findings/wrongly-refused.js';

export interface ChaosOptions {
  readonly seed: number;
  /** Real seconds of faults; the checks come after. */
  readonly seconds: number;
  /** Three nats-servers, with faults of single nodes, instead of one. */
  readonly cluster?: boolean;
  /** Number of concurrent paying clients. */
  readonly payers?: number;
  /** Size limit of each event stream; absent: the sandbox's default. */
  readonly streamMegabytes?: number;
  /** From time to time, second processes are started from the next release, which is made for the run. */
  readonly twoReleases?: boolean;
  readonly say?: (line: string) => void;
  /** The folder that keeps the sandbox's data and logs; absent: they are removed. */
  readonly keepIn?: string;
}

/** Each of them is killed once while days of periodic orders are executed. */
const servicesOfSettlement = ['settlement-worker', 'payments', 'accounts'] as const;

/** Quality, invariant 7. */
const restWithinSeconds = 10;

/** Runs a fresh sandbox under load and faults from a seed, lets it come to rest, and checks every invariant. */
export const runChaos = async ({
  seed,
  seconds,
  cluster = false,
  payers = usualPayers,
  streamMegabytes,
  twoReleases = false,
  keepIn,
  say = () => undefined,
}: ChaosOptions): Promise<ChaosReport> => {
  let restarts = 0;
  const print = withSeconds(say);
  const heard = (line: string): void => {
    if (line.endsWith('is back')) restarts += 1;
    if (/ended|back|not start|slow/.test(line)) print(line);
  };
  const world = await ChaosWorld.start({
    onProgress: heard,
    keepIn,
    cluster,
    twice: true,
    streamMegabytes,
    twoReleases,
  });
  try {
    const load = await Load.prepare(world, seed, payers);
    const faults = new Faults(world, print);
    load.start();
    await faults.run(planSchedule(seed, seconds, { cluster, twoReleases }), seconds);
    await allUp(world);
    print('the last fault is over');
    const [restAfterSeconds, late] = await comeToRest(world, load);
    await streamsExist(world);
    print('checking the invariants');
    const sources = { schemas: world.schemas, nats: async () => world.nats, readModels };
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

/** Prints each line with the seconds since this call. */
const withSeconds = (say: (line: string) => void): ((line: string) => void) => {
  const began = performance.now();
  return (line) => say(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
};

/** The findings of two times in one list, each violation once, with what was late under invariant 7. */
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
 * Waits until both event streams exist. A cluster that lost them with the files of two nodes gets them again after its last node has
 * started, which the sandbox does not wait for. Throws after a minute.
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
 * The clients finish; then everything that is signed becomes due, is settled and booked. Returns the seconds from the
 * last fault until no work was due, and what was late.
 */
const comeToRest = async (world: ChaosWorld, load: Load): Promise<[number, string[]]> => {
  const began = performance.now();
  await load.stop();
  const { left } = await waitUntilRest(world, restWithinSeconds - (performance.now() - began) / 1000);
  const late = left.map((what) => `${what}, ${restWithinSeconds} s after the last fault`);
  const restAfter = (performance.now() - began) / 1000;
  for (const by of ['PT2M', 'PT6M']) {
    await world.advance(by);
    await waitUntilRest(world, 60);
  }
  return [restAfter, late];
};

/**
 * Days pass, and each service of settlement is killed in the middle of the due work. This runs after the clients: a day later the
 * service may have deleted the keys of repeated requests. Returns what was late.
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
