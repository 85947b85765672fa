// Lane: nightly (two instances of each service are frozen in turn, and doctor has ten seconds to name them).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceName, serviceNames } from '@xs2a/contracts/services';
import type { Running } from '@xs2a/sandbox/processes/supervised';
import { until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { makeOperator } from '../testing/command-process.js';
import type { Examined } from './doctor.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
}, 120_000);
afterAll(async () => world.stop(), 30_000);

const withinMs = 10_000;

interface Diagnosis {
  readonly code: number;
  readonly failed: readonly string[];
  readonly ms: number;
}
/** Runs doctor and returns the names and texts of the lines that failed. */
const diagnose = async (): Promise<Diagnosis> => {
  const begun = performance.now();
  const checks = await operator.json<Examined>('doctor');
  const code = operator.said.at(-1)?.code ?? -1;
  const failed = checks.flatMap(({ name, state, text }) => (state === 'failed' ? [`${name}: ${text}`] : []));
  return { code, failed, ms: performance.now() - begun };
};
const untilGreen = async (): Promise<void> => {
  await until(diagnose, ({ code }) => code === 0, withinMs / 1000);
};

const isOf =
  (service: ServiceName, pid: number) =>
  (line: string): boolean =>
    line.startsWith(`${service}: does not answer`) && line.includes(`pid ${pid},`);

/** The second instance of each service. */
const others = new Map<ServiceName, Running>();
beforeAll(async () => {
  const { sandbox } = world;
  for (const service of serviceNames) {
    const other =
      service === 'gateway'
        ? sandbox.startAnotherGateway()
        : service === 'auth'
          ? sandbox.startAnotherAuth()
          : sandbox.startAnother(service);
    others.set(service, await other);
  }
}, 120_000);
afterAll(async () => {
  for (const other of others.values()) await other.stop();
}, 60_000);

/** Freezes processes while doctor runs. */
const diagnoseFrozen = async (pids: readonly number[]): Promise<Diagnosis> => {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await diagnose();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
};

describe.each(serviceNames)('%s frozen (docs/runbooks/service-does-not-answer.md)', (service) => {
  it.each(['one instance', 'both instances'])(
    '%s: doctor fails within ten seconds and names each frozen process; ten seconds later everything is well',
    async (which) => {
      const [own, other] = [world.sandbox.services[service].pid, others.get(service)?.pid ?? 0];
      const pids = which === 'one instance' ? [other] : [own, other];
      const { code, failed, ms } = await diagnoseFrozen(pids);
      for (const pid of pids) expect(failed.filter(isOf(service, pid))).toHaveLength(1);
      expect(failed.filter(isOf(service, own))).toHaveLength(pids.includes(own) ? 1 : 0);
      expect(code).toBe(1);
      expect(ms).toBeLessThan(withinMs);
      await untilGreen();
    },
    60_000,
  );
});

describe('an instance that is killed', () => {
  it('is named until another one has replaced it, and is counted as lost', async () => {
    await untilGreen();
    const killed = others.get('funds-confirmation');
    killed?.kill('SIGKILL');
    await killed?.exited;
    expect((await diagnose()).failed.filter(isOf('funds-confirmation', killed?.pid ?? 0))).toHaveLength(1);
    const successor = await world.sandbox.startAnother('funds-confirmation');
    others.set('funds-confirmation', successor);
    await untilGreen();
    const checks = await operator.json<Examined>('doctor');
    expect(checks.find(({ name }) => name === 'restarts')?.text).toContain(
      'funds-confirmation 3 (1 killed, crashed or silent)',
    );
    await successor.stop();
    await untilGreen();
  }, 60_000);
});
