import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountRows } from './account-rows.js';
import { type BareHop, startBareHop } from './bare-hop.js';
import { BenchWorld } from './bench-world.js';
import { benchOptions, type BenchOptions, usage, WrongUsage } from './command-line.js';
import { wireRequest } from './load-plan.js';
import { machine } from './machine.js';
import { measure, type Measured } from './measure.js';
import { paymentRows } from './payment-rows.js';
import { type Line, lineOf, tableOf } from './report.js';
import type { Prepared, Row } from './row.js';

const connections = 32;
const rows: readonly Row[] = [...paymentRows, ...accountRows];
const say = (text: string): void => console.error(text);

const baseline = {
  name: 'bare-hop',
  title: 'bare hop',
  prepare: async (): Promise<Prepared> => ({ requests: [wireRequest('GET', '/hop', {})], expect: 200 }),
};

/** Measures the bare hop between the rows again and again, since a shared machine is not the same all the time. */
class Hops {
  private readonly results: Measured[] = [];

  constructor(
    private readonly bareHop: BareHop,
    private readonly options: BenchOptions,
  ) {}

  async measure(): Promise<Measured> {
    const { seconds, warmUpSeconds } = this.options;
    const result = await measure(
      {
        ...(await baseline.prepare()),
        port: Number(new URL(this.bareHop.baseUrl).port),
        connections,
        seconds: Math.max(2, Math.ceil(seconds / 2)),
        warmUpSeconds: this.results.length === 0 ? warmUpSeconds : 1,
        once: false,
      },
      this.bareHop.parts,
    );
    this.results.push(result);
    return result;
  }

  /** The middle one of all. */
  get median(): Measured {
    const sorted = this.results.toSorted((a, b) => a.perSecond - b.perSecond);
    const middle = sorted[Math.floor(sorted.length / 2)];
    if (middle === undefined) throw new Error('the bare hop was not measured');
    return middle;
  }

  get range(): string {
    const rates = this.results.map(({ perSecond }) => Math.round(perSecond));
    return `${Math.min(...rates).toLocaleString('en-US')} to ${Math.max(...rates).toLocaleString('en-US')}`;
  }
}

/** Each row against the mean of the bare hops right before and after it. */
const measureRows = async (
  wanted: readonly Row[],
  world: BenchWorld,
  hops: Hops,
  { seconds, warmUpSeconds }: BenchOptions,
): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  let before = await hops.measure();
  for (const row of wanted) {
    say(`${row.title} …`);
    const most = Math.ceil(before.perSecond * (seconds + warmUpSeconds));
    const prepared = await row.prepare(world, most);
    const result = await measure(
      {
        port: world.port,
        connections,
        seconds,
        warmUpSeconds,
        once: false,
        ...prepared,
      },
      world.parts,
    );
    const after = await hops.measure();
    lines.push(lineOf(row, result, (before.perSecond + after.perSecond) / 2));
    before = after;
  }
  return lines;
};

const run = async (options: BenchOptions, wanted: readonly Row[]): Promise<readonly Line[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-bench-'));
  const bareHop = await startBareHop(folder);
  try {
    say(`starting a sandbox (${machine()})`);
    const world = await BenchWorld.start(folder, options.profileInto);
    try {
      const hops = new Hops(bareHop, options);
      const lines = await measureRows(wanted, world, hops, options);
      const { median, range } = hops;
      return [lineOf({ ...baseline, title: `bare hop (${range})` }, median, median.perSecond), ...lines];
    } finally {
      await world.sandbox.stop();
    }
  } finally {
    await bareHop.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const main = async (): Promise<number> => {
  const options = benchOptions(process.argv.slice(2));
  const unknown = options.rows.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0)
    throw new WrongUsage(
      `no row is called ${unknown.join(', ')}; there are ${rows.map(({ name }) => name).join(', ')}`,
    );
  const wanted = rows.filter(({ name }) => options.rows.length === 0 || options.rows.includes(name));
  const lines = await run(options, wanted);
  console.log(
    options.json ? JSON.stringify({ machine: machine(), lines }, undefined, 2) : `\n${tableOf(lines)}\n`,
  );
  return lines.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
};

try {
  process.exit(await main());
} catch (error) {
  if (error instanceof WrongUsage) say(`${error.message}\n${usage}`);
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
