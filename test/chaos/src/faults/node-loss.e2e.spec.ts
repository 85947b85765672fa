// Lane: nightly (this file takes two minutes).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import { checkInvariants } from '@xs2a/invariants/invariants';
import { NodeFaults } from './node-faults.js';
import { nodeRoles } from './schedule.js';
import { domesticPath } from '@xs2a/test-support/requests';
import { type TrafficPerson, trafficPerson, trafficRequests } from '../load/traffic-requests.js';
import { SteadyTraffic, wrongAnswers } from '../load/steady-traffic.js';
import { readModels } from '../findings/read-models.js';
import { ChaosWorld } from '../world.js';

let world: ChaosWorld;
let person: TrafficPerson;

beforeAll(async () => {
  world = await ChaosWorld.start({ cluster: true });
  person = await trafficPerson(world);
}, 120_000);
afterAll(async () => world.stop());

/**
 * The maximum response time: two seconds, plus the time that this machine needs to send and read responses under
 * load.
 */
const maxMs = 2500;

/** Sends traffic during a fault until the system has recovered, then reads every acknowledged payment. */
const during = async (
  happen: (traffic: SteadyTraffic) => Promise<unknown>,
): Promise<Record<string, number>> => {
  const requests = await trafficRequests(world, person);
  const traffic = new SteadyTraffic({ doors: [world.tpp.tpp.baseUrl], requests });
  traffic.start();
  await traffic.wellFor(1000);
  await happen(traffic);
  const overMs = traffic.nowMs;
  await traffic.wellFor(2000);
  await traffic.stop();
  expect(wrongAnswers(traffic.answers)).toEqual([]);
  expect(traffic.answers.filter(({ tookMs }) => tookMs > maxMs)).toEqual([]);
  expect(traffic.lastFailureMs - overMs).toBeLessThan(10_000);
  const served = traffic.answers.filter(({ status, atMs }) => status < 300 && atMs > overMs);
  expect(new Set(served.map(({ service }) => service))).toEqual(
    new Set(requests.map(({ service }) => service)),
  );
  const missing: string[] = [];
  for (const id of traffic.payments) {
    const { status } = await world.tpp.once('GET', `${domesticPath}/${id}/status`);
    if (status !== 200) missing.push(`${id}: ${status}`);
  }
  expect(missing).toEqual([]);
  return {
    requests: traffic.answers.length,
    refused: traffic.answers.filter(({ status }) => status === 503).length,
    ...Object.fromEntries(
      [
        ...Map.groupBy(
          traffic.answers.filter(({ status }) => status === 503),
          ({ service }) => service,
        ),
      ].map(([service, { length }]) => [`refused ${service}`, length]),
    ),
    maxMs: Math.round(Math.max(...traffic.answers.map(({ tookMs }) => tookMs))),
    healedAfterMs: Math.max(0, Math.round(traffic.lastFailureMs - overMs)),
    acknowledged: traffic.payments.length,
  };
};
const printCounts = (what: string, counts: Record<string, number>): void => {
  const list = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  process.stderr.write(`counts: ${what}: ${list.join(', ')}\n`);
};
/** Waits for work that needs JetStream: the sandbox clock reaches all services, and every event is in its stream. */
const jetStreamWorks = async (): Promise<number> => {
  const begun = performance.now();
  await world.advance('PT1S');
  return performance.now() - begun;
};

describe('a crash in a cluster of three NATS servers, under load (quality: reliability)', () => {
  it.each(nodeRoles)(
    'of the %s affects only requests in flight, which may get 503, and loses no acknowledged payment',
    async (role) => {
      const faults = new NodeFaults(world);
      printCounts(
        `kill -9 of the ${role}`,
        await during(async () => {
          expect(await faults.happen({ kind: 'kill node', role, seconds: 6 })).toBe(true);
        }),
      );
      expect(await jetStreamWorks()).toBeLessThan(10_000);
    },
    90_000,
  );

  it('of two servers leaves every request served or refused with 503; recovery after their restart takes at most 10 s, and nothing is lost', async () => {
    const faults = new NodeFaults(world);
    printCounts(
      'quorum lost',
      await during(async () => {
        expect(await faults.happen({ kind: 'lose quorum', seconds: 5 })).toBe(true);
      }),
    );
    const [one, two] = [await jetStreamWorks(), await jetStreamWorks()];
    expect(Math.max(one, two)).toBeLessThan(10_000);
  }, 90_000);

  it('leaves every invariant intact', async () => {
    const found = await checkInvariants({ schemas: world.schemas, nats: async () => world.nats, readModels });
    expect(found.map(({ number, violations }) => [number, violations])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, []]),
    );
  }, 60_000);
});

describe('rolling restart with a cluster of NATS servers (quality: reliability)', () => {
  const doubled = ['accounts', 'consents', 'payments', 'funds-confirmation', 'settlement-worker'] as const;

  it('loses no request when each service is stopped by SIGTERM and restarted while its second instance is up', async () => {
    const { sandbox } = world;
    const counts = await during(async () => {
      for (const service of doubled satisfies readonly ServiceName[]) {
        const other = await sandbox.startAnother(service);
        await sandbox.services[service].restart();
        await other.stop();
      }
    });
    printCounts(`rolling restart of ${doubled.length} services`, counts);
    expect(counts['refused']).toBe(0);
  }, 120_000);

  it('loses no request when two gateways restart in turn behind a balancer that sends requests to the other gateway', async () => {
    const { sandbox } = world;
    const counts = await during(async (traffic) => {
      const second = await sandbox.startAnotherGateway();
      traffic.goThrough([sandbox.baseUrl, second.url]);
      await traffic.wellFor(1000);
      traffic.goThrough([second.url]);
      await sandbox.services.gateway.restart();
      traffic.goThrough([sandbox.baseUrl, second.url]);
      await traffic.wellFor(1000);
      traffic.goThrough([sandbox.baseUrl]);
      await second.stop();
    });
    printCounts('rolling restart of two gateways', counts);
    expect(counts['refused']).toBe(0);
  }, 120_000);
});
