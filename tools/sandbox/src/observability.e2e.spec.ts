// Lane: nightly (it starts its own sandbox with Prometheus).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCommand } from '@xs2a/local-servers/child';
import { freePort } from '@xs2a/local-servers/free-port';
import { send } from '@xs2a/tpp-client/http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeLayout, readJson } from './layout.js';
import { readAlertRules } from './prometheus/configuration.js';
import type { RunningSandbox } from './running-sandbox.js';
import { serviceNames } from './services/service-table.js';
import { listRunning, Runner } from './testing/runner.js';

interface Targets {
  readonly activeTargets: readonly {
    readonly health: string;
    readonly labels: Readonly<Record<string, string>>;
  }[];
}
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string }[];
  }[];
}
interface Found {
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly value: [number, string];
  }[];
}

describe('npm start -- --observability (CONTRIBUTING.md)', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'xs2a-observability-'));
  let port: string;
  let runner: Runner;
  const prometheusUrl = (): string => /Prometheus +│ (http:\/\/[^/]+)/.exec(runner.output)?.[1] ?? 'none';
  const ask = async <Data>(path: string): Promise<Data> => {
    const answer = await fetch(`${prometheusUrl()}/api/v1/${path}`);
    return ((await answer.json()) as { readonly data: Data }).data;
  };
  beforeAll(async () => {
    port = String(await freePort());
    runner = new Runner(dataDir, '--port', port, '--no-demo-tpp', '--observability');
    await runner.ready();
  }, 120_000);
  afterAll(async () => {
    runner.kill('SIGTERM');
    await runner.exited;
    rmSync(dataDir, { recursive: true, force: true });
  }, 30_000);

  it('reads the metrics of every service, with the labels of Compose', async () => {
    const places = serviceNames.map((service) => {
      const [, pod] = new RegExp(`http://(\\S+)/metrics +\\(${service}\\)`).exec(runner.output) ?? [];
      return { service, pod };
    });
    await untilScraped(async () => {
      const { activeTargets } = await ask<Targets>('targets?state=active');
      expect(
        activeTargets.map(({ health, labels: { job, pod } }) => ({ health, job, pod })).sort(byJob),
      ).toEqual(places.map(({ service, pod }) => ({ health: 'up', job: service, pod })).sort(byJob));
    });
  });

  it('evaluates the alert rules of Kubernetes', async () => {
    const { groups } = await ask<Rules>('rules');
    const names = readAlertRules().groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect(groups.flatMap(({ rules }) => rules.map(({ name }) => name)).sort()).toEqual(names.toSorted());
  });

  it('counts a request to the public address', async () => {
    const query = encodeURIComponent(
      'sum by (job, endpoint, status) (xs2a_http_seconds_count{status="404"})',
    );
    expect((await ask<Found>(`query?query=${query}`)).result).toEqual([]);
    expect((await send('GET', `http://127.0.0.1:${port}/v1/nothing`)).status).toBe(404);
    await untilScraped(async () => {
      const { result } = await ask<Found>(`query?query=${query}`);
      expect(result.map(({ metric, value: [, count] }) => [metric['job'], count])).toEqual([
        ['gateway', '1'],
      ]);
    });
  });

  it('shows services, alerts and queries on the page whose address it prints', async () => {
    const address = /Prometheus +│ (\S+)/.exec(runner.output)?.[1] ?? '';
    const page = await fetch(`${address}?query=${encodeURIComponent('vector(1234)')}`);
    const text = await page.text();
    expect(page.status).toBe(200);
    for (const service of serviceNames) expect(text).toContain(`<td>${service}</td>`);
    expect(text).toContain('<td>1234</td>');
  });

  it('keeps the address, and ends Prometheus with the sandbox', async () => {
    const before = prometheusUrl();
    const pids = readJson<RunningSandbox>(makeLayout(dataDir).running)?.pids ?? [];
    expect(pids.filter((pid) => readCommand(pid)?.includes('prometheus'))).toHaveLength(1);
    runner.kill('SIGINT');
    expect(await runner.exited).toBe(0);
    expect(await listRunning(pids)).toEqual([]);
    await expect(fetch(before)).rejects.toThrow('fetch failed');
    runner = new Runner(dataDir, '--port', port, '--no-demo-tpp', '--observability');
    await runner.ready();
    expect(prometheusUrl()).toBe(before);
  }, 120_000);
});

/** Polls until the check passes. Prometheus reads the metrics of a service every five seconds. */
const untilScraped = async (check: () => Promise<void>): Promise<void> => {
  const end = performance.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await wait(100);
    }
  }
};

const byJob = (one: { readonly job?: string }, other: { readonly job?: string }): number =>
  (one.job ?? '') < (other.job ?? '') ? -1 : 1;
