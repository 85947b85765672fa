// Lane: nightly (every process is restarted before, during and after a switch-over, three minutes of real time).
import { describe, expect, it } from '@jest/globals';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { root } from '@xs2a/sandbox/layout';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { parseJson } from '@xs2a/tpp-client/http';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { restartBoth } from '../faults/rolling-restart.js';
import { trafficPerson, trafficRequests } from '../load/traffic-requests.js';
import { ChaosWorld } from '../world.js';
import { type Exchange, SwitchTraffic } from './switch-traffic.js';

const run = promisify(execFile);

/** Real seconds between the start of the clients and the switch-over. */
const secondsBefore = 70;

/** Runs the operator's command. Throws if it ends with another code than 0. */
const xs2a = async ({ sandbox }: ChaosWorld, ...args: readonly string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, XS2A_DATA_DIR: sandbox.dataDir };
  return (await run(process.execPath, [join(root, 'tools/sandbox/dist/xs2a.js'), ...args], { env })).stdout;
};

const readNow = async ({ tpp }: ChaosWorld): Promise<string> =>
  parseJson<{ now: string }>(await tpp.insist('GET', '/sandbox/clock')).now;

/** Restarts all processes of all services, one after another, again and again. Counts the restarts. */
class Rolling {
  restarts = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly world: ChaosWorld) {
    this.running = this.roll();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Resolves after as many further restarts as there are processes. */
  async round(): Promise<void> {
    const end = this.restarts + 2 * serviceNames.length;
    while (this.restarts < end) await Promise.race([wait(100), this.running]);
  }

  private async roll(): Promise<void> {
    for (let turn = 0; !this.stopping.signal.aborted; turn += 1) {
      const service = serviceNames[turn % serviceNames.length];
      if (service !== undefined) await restartBoth(this.world, service);
      this.restarts += 2;
    }
  }
}

/** True for what moves or promises money (contract-euro E6.1). */
const isGated = ({ request }: Exchange): boolean => /^(POST|DELETE) \/(v1|sca)\//.test(request);

/** The exchanges that failed, except those that the gate may refuse while it is closed. */
const failuresIn = (exchanges: readonly Exchange[], gate: { readonly from: number; readonly to: number }) =>
  exchanges.filter((one) => {
    const { status, retryAfter, from, to } = one;
    if (status > 0 && status < 500) return false;
    const isClosed = to >= gate.from && from <= gate.to;
    return !(status === 503 && Number(retryAfter) >= 1 && isClosed && isGated(one));
  });

describe('a rolling deployment around the switch-over to euro (contract-euro E6.1)', () => {
  it('loses no request, and fails none but with the 503 of the closed gate', async () => {
    const world = await ChaosWorld.start({ twice: true });
    try {
      const start = await readNow(world);
      const at = startOfBankDay(addDays(toBankDate(start, 'Europe/Sofia'), 1), 'Europe/Sofia');
      const leadMs = Date.parse(at) - Date.parse(start) - secondsBefore * 1000;
      await world.advance(`PT${Math.max(0, Math.floor(leadMs / 1000))}S`);
      const payers = [await world.psu('100000.00'), await world.psu('100000.00')];
      const requests = await trafficRequests(world, await trafficPerson(world));
      const traffic = new SwitchTraffic(world, payers, requests);
      traffic.start();
      const rolling = new Rolling(world);
      expect(await xs2a(world, 'euro', 'switch', '--at', at)).toContain(`planned for ${at}`);
      const from = performance.now() + Date.parse(at) - Date.parse(await readNow(world));
      await wait(Math.max(0, from - performance.now()));
      const restartsBefore = rolling.restarts;
      const refused = (): boolean => traffic.exchanges.some(({ status }) => status === 503);
      while (!refused()) await wait(100);
      const report = await xs2a(world, 'euro', 'switch', '--at', at, '--json');
      const gate = { from, to: performance.now() };
      await rolling.round();
      const restartsAfter = rolling.restarts - restartsBefore;
      await rolling.stop();
      await traffic.stop();

      expect(failuresIn(traffic.exchanges, gate)).toEqual([]);
      expect(traffic.surprises).toEqual([]);
      expect(JSON.parse(report.trim().split('\n').at(-1) ?? '')).toMatchObject({ invariants: '8 of 8' });
      expect(Math.min(restartsBefore, restartsAfter)).toBeGreaterThanOrEqual(2 * serviceNames.length);
      for (const { path, end } of traffic.payments) {
        const { status, text } = await world.tpp.insist('GET', `${path}/status`);
        const { transactionStatus } = JSON.parse(text) as { transactionStatus: string };
        const expected = { signed: /ACCP|ACSP|ACSC/, cancelled: /CANC/, unsigned: /RCVD|RJCT/ }[end];
        expect([path, end, status, transactionStatus]).toEqual([
          path,
          end,
          200,
          expect.stringMatching(expected),
        ]);
      }
      const kinds = new Set(
        traffic.payments.map(({ path, end }) => `${path.includes('BGN') ? 'BGN' : 'EUR'} ${end}`),
      );
      expect(kinds.size).toBe(6);
      const counted = `${traffic.exchanges.length} exchanges, ${traffic.payments.length} payments, ${rolling.restarts} restarts`;
      process.stderr.write(`counts: ${counted}\n`);
    } finally {
      await world.stop();
    }
  }, 500_000);
});
