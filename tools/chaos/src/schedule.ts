import type { ServiceName } from '@xs2a/sandbox/service-table';
import { serviceNames } from '@xs2a/sandbox/service-table';
import { failpoints } from './failpoints.js';
import { Random } from './random.js';

/** What may be killed or frozen. */
export type Victim = ServiceName | 'postgres' | 'nats';
export type Twin = Exclude<ServiceName, 'gateway' | 'auth' | 'funds-confirmation'>;

/** What goes wrong. Times are real seconds. */
export type Fault =
  /** kill -9; the sandbox starts it again. */
  | { readonly kind: 'kill'; readonly victim: Victim }
  /** SIGSTOP, later SIGCONT. */
  | { readonly kind: 'freeze'; readonly victim: Victim; readonly seconds: number }
  /** The settlement worker sleeps longer than its ack wait, while other faults go on. */
  | { readonly kind: 'freeze beyond ack wait'; readonly seconds: number }
  /** JetStream comes back without a stream's files, or without any. */
  | { readonly kind: 'wipe'; readonly files: 'PAYMENTS' | 'CONSENTS' | 'all' }
  /** JetStream's files come back as they were some seconds ago. */
  | { readonly kind: 'roll back'; readonly seconds: number }
  /** What a relay that thinks it still leads would send: the last events once more. */
  | { readonly kind: 'duplicate publish' }
  /** A second process of a service, ended in order or not. */
  | {
      readonly kind: 'twin';
      readonly service: Twin;
      readonly seconds: number;
      readonly end: 'SIGKILL' | 'SIGTERM';
    }
  /** All database connections of a role end. */
  | { readonly kind: 'cut connections'; readonly role: string }
  | { readonly kind: 'advance clock'; readonly by: string }
  /** A power cut at one line of the code. */
  | { readonly kind: 'failpoint'; readonly name: string };
export type FaultKind = Fault['kind'];

export interface Step {
  /** Real milliseconds of peace before it. */
  readonly afterMs: number;
  readonly fault: Fault;
}

/** Ack wait of the settlement worker's consumer is 10 s (apps/settlement-worker/src/signed-payments.consumer.ts). */
const beyondAckWaitSeconds = 11;
const roles = ['xs2a_payments', 'xs2a_consents', 'xs2a_accounts', 'xs2a_auth', 'xs2a_settlement'];
const twins: readonly Twin[] = ['payments', 'settlement-worker', 'accounts', 'consents'];
const victims: readonly Victim[] = [...serviceNames, 'postgres', 'nats'];

const makers: Readonly<Record<FaultKind, (random: Random) => Fault>> = {
  kill: (random) => ({ kind: 'kill', victim: random.pick(victims) }),
  freeze: (random) => ({ kind: 'freeze', victim: random.pick(victims), seconds: random.between(1, 4) }),
  'freeze beyond ack wait': () => ({ kind: 'freeze beyond ack wait', seconds: beyondAckWaitSeconds }),
  wipe: (random) => ({ kind: 'wipe', files: random.pick(['PAYMENTS', 'CONSENTS', 'all'] as const) }),
  'roll back': (random) => ({ kind: 'roll back', seconds: random.between(1, 2) }),
  'duplicate publish': () => ({ kind: 'duplicate publish' }),
  twin: (random) => ({
    kind: 'twin',
    service: random.pick(twins),
    seconds: random.between(1, 3),
    end: random.pick(['SIGKILL', 'SIGTERM'] as const),
  }),
  'cut connections': (random) => ({ kind: 'cut connections', role: random.pick(roles) }),
  'advance clock': (random) => ({
    kind: 'advance clock',
    by: random.pick(['PT30S', 'PT1M', 'PT2M', 'PT6M']),
  }),
  failpoint: (random) => ({ kind: 'failpoint', name: random.pick(failpoints).name }),
};
export const faultKinds = Object.keys(makers) as FaultKind[];

/** How often each kind lies in the bag from which faults are drawn until it is empty. */
const bag: readonly FaultKind[] = faultKinds.flatMap((kind) =>
  Array.from({ length: kind === 'kill' || kind === 'failpoint' ? 3 : 1 }, () => kind),
);

/** About how long a fault takes, real seconds; for a schedule that fits its time. */
const costOf = (fault: Fault): number => {
  if (fault.kind === 'freeze') return fault.seconds;
  if (fault.kind === 'twin') return fault.seconds + 1.5;
  if (fault.kind === 'roll back') return fault.seconds + 1;
  if (fault.kind === 'wipe') return 0.7;
  return 0.1;
};

/**
 * Faults for about so many real seconds. The same seed gives the same faults in the same order, and a longer schedule
 * begins with the shorter one.
 */
export const scheduleOf = (seed: number, seconds: number): readonly Step[] => {
  const random = new Random(seed);
  const steps: Step[] = [];
  let used = 0;
  let drawn: FaultKind[] = [];
  while (used < seconds) {
    if (drawn.length === 0) drawn = random.shuffled(bag);
    const kind = drawn.pop();
    if (kind === undefined) break;
    const step: Step = { afterMs: random.between(300, 1300), fault: makers[kind](random) };
    steps.push(step);
    used += step.afterMs / 1000 + costOf(step.fault);
  }
  return steps;
};

/** e.g. `kill postgres`. */
export const describeFault = (fault: Fault): string =>
  [fault.kind, ...Object.entries(fault).flatMap(([name, value]) => (name === 'kind' ? [] : [value]))].join(
    ' ',
  );
