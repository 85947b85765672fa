import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import type { Supervised } from '@xs2a/sandbox/processes/supervised';
import { setTimeout as wait } from 'node:timers/promises';
import type { Instance } from './schedule.js';
import type { ChaosWorld } from '../world.js';

/**
 * The time without a failed request that must pass before the restart begins, so that any later failure is due to
 * the restart.
 */
const calmMs = 1500;
const calmWithinMs = 20_000;

/**
 * Stops the two processes of a service in turn with SIGTERM and restarts each; the balancers are notified in
 * advance. Returns one sentence for each request that failed in the meantime, or undefined if earlier faults kept
 * the restart from starting. The clock must not move: a basket is abandoned ten seconds after it was opened, so
 * moving the clock by twenty seconds would make its POST fail without any restart.
 */
export const rollingRestart = async (
  world: ChaosWorld,
  service: ServiceName,
): Promise<readonly string[] | undefined> => {
  if (world.sandbox.seconds[service] === undefined) return undefined;
  return world.whileClockStands(async () => {
    if (!(await isCalm(world))) return undefined;
    const from = performance.now();
    await restartBoth(world, service);
    return world.times.failuresSince(from).map((failure) => `rolling restart of ${service}: ${failure}`);
  });
};

/** Stops the two processes of a service in turn with SIGTERM and restarts each; the balancers are notified in advance. */
export const restartBoth = async (world: ChaosWorld, service: ServiceName): Promise<void> => {
  const { services, seconds } = world.sandbox;
  for (const [name, process] of [
    [service, services[service]],
    [`${service}-2`, seconds[service]],
  ] as const) {
    const back = withdraw(world, name);
    await process?.restart();
    back();
    // During this time the load balancer adds the instance again, and the NATS servers learn its
    // subscriptions.
    await wait(500);
  }
};

const isCalm = async ({ sandbox, times }: ChaosWorld): Promise<boolean> => {
  const all: readonly Pick<Supervised, 'pid'>[] = [
    sandbox.postgres,
    ...sandbox.natsNodes,
    ...Object.values(sandbox.services),
    ...Object.values(sandbox.seconds),
  ];
  const end = performance.now() + calmWithinMs;
  let since = performance.now();
  while (performance.now() < end) {
    if (all.some(({ pid }) => pid === 0)) since = performance.now();
    const now = performance.now();
    if (now - since > calmMs && times.failuresSince(now - calmMs).length === 0) return true;
    await wait(50);
  }
  return false;
};

const withdraw = ({ gateways, sandbox }: ChaosWorld, name: Instance): (() => void) => {
  if (name === 'gateway' || name === 'gateway-2') return gateways.withdraw(name);
  if (name === 'auth' || name === 'auth-2') return sandbox.withdrawAuth(name);
  return () => undefined;
};
