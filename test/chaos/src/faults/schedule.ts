import { type ServiceBehindNats, serviceNames, type ServiceName } from '@xs2a/sandbox/services/service-table';
import { failpoints, failpointsInEuro } from './failpoints.js';
import { Random } from './random.js';

/** A process that may be killed or frozen. Faults of cluster nodes are described by {@link NodeFault}. */
export type Instance = ServiceName | `${ServiceName}-2`;
export type Victim = Instance | 'postgres' | 'nats';
export type Twin = Exclude<ServiceBehindNats, 'funds-confirmation'>;

/**
 * The roles of a node in a NATS cluster, with regard to the payments stream and the cluster metadata. A follower
 * is a node that leads neither, if there is one.
 */
export const nodeRoles = ['leader', 'metadata leader', 'follower'] as const;
export type NodeRole = (typeof nodeRoles)[number];

/** A fault of one or more nodes in a NATS cluster. */
export type NodeFault =
  /** kill -9, followed by a restart after some seconds. */
  | { readonly kind: 'kill node'; readonly role: NodeRole; readonly seconds: number }
  /** SIGSTOP, followed later by SIGCONT. */
  | { readonly kind: 'freeze node'; readonly role: NodeRole; readonly seconds: number }
  /** kill -9, followed by a restart without the node's files. */
  | { readonly kind: 'wipe node'; readonly role: NodeRole; readonly seconds: number }
  /** A clean stop and restart, as for an update. */
  | { readonly kind: 'restart node'; readonly role: NodeRole }
  /** kill -9 of two of the three nodes, so that nothing can be stored until one of them is up again. */
  | { readonly kind: 'lose quorum'; readonly seconds: number };

/** A fault, with times in real seconds. */
export type Fault =
  /** kill -9, after which the sandbox restarts the process. */
  | { readonly kind: 'kill'; readonly victim: Victim }
  /** SIGSTOP, followed later by SIGCONT. */
  | { readonly kind: 'freeze'; readonly victim: Victim; readonly seconds: number }
  /**
   * A settlement worker is frozen for longer than its ack wait and the lifetime of its lock, while other faults
   * continue.
   */
  | {
      readonly kind: 'freeze beyond ack wait';
      readonly victim: 'settlement-worker' | 'settlement-worker-2';
      readonly seconds: number;
    }
  /** JetStream restarts without the files of one stream or of all streams. */
  | { readonly kind: 'wipe'; readonly files: 'PAYMENTS' | 'CONSENTS' | 'all' }
  /** JetStream restarts with a copy of its files from some seconds ago. */
  | { readonly kind: 'roll back'; readonly seconds: number }
  /** PostgreSQL's data is replaced with a copy from some seconds ago while services are running. */
  | { readonly kind: 'database goes back'; readonly seconds: number }
  /** The last events are published again, as by a relay that still believes it is the leader. */
  | { readonly kind: 'duplicate publish' }
  /**
   * A second process of a service is started, and later stopped cleanly or killed. For payments and consents, this
   * includes a second relay.
   */
  | {
      readonly kind: 'twin';
      readonly service: Twin;
      readonly seconds: number;
      readonly end: 'SIGKILL' | 'SIGTERM';
    }
  /** All database connections of a role are terminated. */
  | { readonly kind: 'cut connections'; readonly role: string }
  | { readonly kind: 'advance clock'; readonly by: string }
  /**
   * The host of a second process vanishes: the process disappears, and its connections go silent without being
   * closed.
   */
  | { readonly kind: 'host vanishes'; readonly service: ServiceName; readonly seconds: number }
  /** SIGSTOP of one of two instances for a minute, while other faults continue. */
  | { readonly kind: 'frozen for a minute'; readonly victim: Instance }
  /** An operator's transaction that holds one snapshot open for a minute, while other faults continue. */
  | { readonly kind: 'long snapshot' }
  /** The primary is killed, and a synchronous standby created beforehand is promoted. No data may be lost. */
  | { readonly kind: 'promoted standby'; readonly seconds: number }
  /** SIGTERM to both processes of a service in turn, as for an update. No request may fail. */
  | { readonly kind: 'rolling restart'; readonly service: ServiceName }
  /**
   * The second processes run the next release for a while. They are stopped and started cleanly while other faults
   * continue.
   */
  | { readonly kind: 'two releases'; readonly seconds: number }
  /**
   * Both processes of the accounts service are frozen, which also answer for the sandbox's core bank: it answers no instant
   * order and no question about a payee until later.
   */
  | { readonly kind: 'silent bank'; readonly seconds: number }
  /** A power cut at a specific line of the code. */
  | { readonly kind: 'failpoint'; readonly name: string }
  | NodeFault;
export type FaultKind = Fault['kind'];

export interface Step {
  /** Real milliseconds without a fault before this step. */
  readonly afterMs: number;
  readonly fault: Fault;
}

/** The settings of a run on which the schedule depends. */
export interface Setting {
  /** Whether the run uses three nats-servers, not one. */
  readonly cluster: boolean;
  /** Whether the second process of each service is switched to the next release. Default: false. */
  readonly twoReleases?: boolean;
  /** Whether the load includes instant payments. Default: false. */
  readonly instant?: boolean;
}

/**
 * The ack wait of the settlement worker's consumer is 10 s (libs/nats/src/jetstream-assets.ts). The active
 * worker's lock is released at most 15 s after its holder hangs (libs/postgres/src/leader-lock.ts).
 */
const beyondAckWaitSeconds = 17;
const roles = ['xs2a_payments', 'xs2a_consents', 'xs2a_accounts', 'xs2a_auth', 'xs2a_settlement'];
const twins: readonly Twin[] = ['payments', 'settlement-worker', 'accounts', 'consents'];

const instances: readonly Instance[] = [...serviceNames, ...serviceNames.map((name) => `${name}-2` as const)];

/** Lists the processes that may be killed or frozen. Faults of cluster nodes are planned separately. */
export const listVictims = ({ cluster }: Setting): readonly Victim[] => [
  ...instances,
  'postgres',
  ...(cluster ? [] : (['nats'] as const)),
];

/**
 * Draws every item once before it repeats any, so that over an hour every process is killed equally often, and
 * within a minute every process is killed once.
 */
class Bag<Item> {
  private drawn: Item[] = [];

  constructor(
    private readonly random: Random,
    private readonly items: readonly Item[],
  ) {}

  /** Ensures that each of the given items occurs within the next `within` draws. */
  bringForward(items: readonly Item[], within: number): void {
    this.fill();
    const early: Item[] = [];
    for (const item of items) {
      const index = this.drawn.lastIndexOf(item);
      if (index >= 0) early.push(...this.drawn.splice(index, 1));
    }
    const others = this.drawn.splice(Math.max(0, this.drawn.length - (within - early.length)));
    this.drawn.push(...this.random.shuffled([...early, ...others]));
  }

  private fill(): void {
    if (this.drawn.length === 0) this.drawn = this.random.shuffled(this.items);
  }

  draw(): Item {
    this.fill();
    const item = this.drawn.pop();
    if (item === undefined) throw new RangeError('nothing to draw from');
    return item;
  }
}

interface Draw {
  readonly random: Random;
  readonly killed: Bag<Victim>;
  readonly frozen: Bag<Victim>;
  readonly failpoint: Bag<string>;
  readonly vanished: Bag<ServiceName>;
  readonly still: Bag<Instance>;
  readonly restarted: Bag<ServiceName>;
}

const makers: Readonly<Record<FaultKind, (draw: Draw) => Fault>> = {
  kill: ({ killed }) => ({ kind: 'kill', victim: killed.draw() }),
  freeze: ({ random, frozen }) => ({
    kind: 'freeze',
    victim: frozen.draw(),
    seconds: random.between(1, 4),
  }),
  'freeze beyond ack wait': ({ random }) => ({
    kind: 'freeze beyond ack wait',
    victim: random.pick(['settlement-worker', 'settlement-worker-2'] as const),
    seconds: beyondAckWaitSeconds,
  }),
  wipe: ({ random }) => ({ kind: 'wipe', files: random.pick(['PAYMENTS', 'CONSENTS', 'all'] as const) }),
  'roll back': ({ random }) => ({ kind: 'roll back', seconds: random.between(1, 2) }),
  'database goes back': ({ random }) => ({ kind: 'database goes back', seconds: random.between(3, 8) }),
  'duplicate publish': () => ({ kind: 'duplicate publish' }),
  twin: ({ random }) => ({
    kind: 'twin',
    service: random.pick(twins),
    seconds: random.between(1, 3),
    end: random.pick(['SIGKILL', 'SIGTERM'] as const),
  }),
  'cut connections': ({ random }) => ({ kind: 'cut connections', role: random.pick(roles) }),
  'advance clock': ({ random }) => ({
    kind: 'advance clock',
    by: random.pick(['PT30S', 'PT1M', 'PT2M', 'PT6M']),
  }),
  failpoint: ({ failpoint }) => ({ kind: 'failpoint', name: failpoint.draw() }),
  'host vanishes': ({ random, vanished }) => ({
    kind: 'host vanishes',
    service: vanished.draw(),
    seconds: random.between(20, 40),
  }),
  'frozen for a minute': ({ still }) => ({ kind: 'frozen for a minute', victim: still.draw() }),
  'long snapshot': () => ({ kind: 'long snapshot' }),
  'promoted standby': ({ random }) => ({ kind: 'promoted standby', seconds: random.between(0, 3) }),
  'rolling restart': ({ restarted }) => ({ kind: 'rolling restart', service: restarted.draw() }),
  'two releases': ({ random }) => ({ kind: 'two releases', seconds: random.between(10, 30) }),
  'silent bank': ({ random }) => ({ kind: 'silent bank', seconds: random.between(3, 13) }),
  'kill node': ({ random }) => ({
    kind: 'kill node',
    role: random.pick(nodeRoles),
    seconds: random.between(1, 4),
  }),
  'freeze node': ({ random }) => ({
    kind: 'freeze node',
    role: random.pick(nodeRoles),
    seconds: random.between(1, 4),
  }),
  'wipe node': ({ random }) => ({
    kind: 'wipe node',
    role: random.pick(nodeRoles),
    seconds: random.between(0, 2),
  }),
  'restart node': ({ random }) => ({ kind: 'restart node', role: random.pick(nodeRoles) }),
  'lose quorum': ({ random }) => ({ kind: 'lose quorum', seconds: random.between(1, 3) }),
};

/** The faults in the bag; a kind that is listed twice occurs twice as often. */
const ofEither: readonly FaultKind[] = [
  'database goes back',
  'freeze beyond ack wait',
  'freeze',
  'duplicate publish',
  'twin',
  'cut connections',
  'advance clock',
  'host vanishes',
  'frozen for a minute',
  'long snapshot',
  'promoted standby',
  'rolling restart',
];
const ofOneServer: readonly FaultKind[] = ['wipe', 'roll back'];
const ofCluster: readonly FaultKind[] = ['freeze node', 'wipe node', 'restart node', 'lose quorum'];
const fillBag = ({ cluster, twoReleases = false, instant = false }: Setting): readonly FaultKind[] => {
  const repeated = (kind: FaultKind, times: number): FaultKind[] => Array.from({ length: times }, () => kind);
  const either: readonly FaultKind[] = [
    ...ofEither,
    ...(twoReleases ? (['two releases'] as const) : []),
    ...(instant ? (['silent bank'] as const) : []),
  ];
  return cluster
    ? [...either, ...ofCluster, ...repeated('kill node', 2), ...repeated('kill', 4), 'failpoint']
    : [...either, ...ofOneServer, ...repeated('kill', 12), ...repeated('failpoint', 6), 'host vanishes'];
};

export const listFaultKinds = (setting: Setting): readonly FaultKind[] => [...new Set(fillBag(setting))];

/** Faults that every run contains, even a short one. */
const ofEveryRun: readonly FaultKind[] = [
  'frozen for a minute',
  'long snapshot',
  'database goes back',
  'promoted standby',
];

/** True if another instance keeps working while this one hangs. */
export const isOneOfTwo = (victim: Victim): victim is Instance => victim !== 'postgres' && victim !== 'nats';

/** Returns the approximate duration of a fault in real seconds, so that the schedule fits into its time. */
const computeCost = (fault: Fault): number => {
  if (fault.kind === 'freeze node') return fault.seconds;
  if (fault.kind === 'freeze') return isOneOfTwo(fault.victim) ? 0.1 : fault.seconds;
  if (fault.kind === 'promoted standby') return fault.seconds + 4;
  if (fault.kind === 'twin') return fault.seconds + 1.5;
  if (fault.kind === 'database goes back') return fault.seconds + 4;
  if (fault.kind === 'roll back') return fault.seconds + 1;
  if (fault.kind === 'kill node' || fault.kind === 'wipe node' || fault.kind === 'lose quorum')
    return fault.seconds + 0.5;
  if (fault.kind === 'wipe' || fault.kind === 'restart node') return 0.7;
  return 0.1;
};

/**
 * Plans faults for approximately the given number of real seconds. The same seed produces the same faults in the
 * same order, and a longer schedule begins with the steps of the shorter one.
 */
export const planSchedule = (seed: number, seconds: number, setting: Setting): readonly Step[] => {
  const random = new Random(seed);
  const kinds = new Bag(random, fillBag(setting));
  const draw: Draw = {
    random,
    killed: new Bag(random, listVictims(setting)),
    frozen: new Bag(random, listVictims(setting)),
    vanished: new Bag(random, serviceNames),
    still: new Bag(random, instances),
    restarted: new Bag(random, serviceNames),
    failpoint: new Bag(
      random,
      (setting.instant === true ? failpointsInEuro : failpoints).map(({ name }) => name),
    ),
  };
  // On a busy machine only half of the bag is drawn in a minute, and two of these faults last that long.
  const early: readonly FaultKind[] = setting.instant === true ? [...ofEveryRun, 'silent bank'] : ofEveryRun;
  if (setting.cluster) kinds.bringForward([...early, 'kill node', 'freeze node'], 8);
  else kinds.bringForward(early, 6);
  const steps: Step[] = [];
  for (let used = 0; used < seconds;) {
    const step: Step = { afterMs: random.between(150, 900), fault: makers[kinds.draw()](draw) };
    steps.push(step);
    used += step.afterMs / 1000 + computeCost(step.fault);
  }
  return steps;
};

/** The name under which a fault is counted, such as `kill postgres`, `freeze` or `kill node leader`. */
export const countedAs = (fault: Fault): string => {
  if (fault.kind === 'kill') return `${fault.kind} ${fault.victim}`;
  if ('role' in fault && fault.kind !== 'cut connections') return `${fault.kind} ${fault.role}`;
  return fault.kind;
};

/** A description such as `kill postgres`. */
export const describeFault = (fault: Fault): string =>
  [fault.kind, ...Object.entries(fault).flatMap(([name, value]) => (name === 'kind' ? [] : [value]))].join(
    ' ',
  );
