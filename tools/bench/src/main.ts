import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountRows } from './account-rows.js';
import { startBareHop } from './bare-hop.js';
import { BenchWorld } from './bench-world.js';
import { benchOptions, type BenchOptions, usage, WrongUsage } from './command-line.js';
import { type LoadResult, wireRequest } from './load-plan.js';
import { machine } from './machine.js';
import { measure } from './measure.js';
import { paymentRows } from './payment-rows.js';
import { type Line, lineOf, tableOf } from './report.js';
import type { Row } from './row.js';

const connections = 32;
const rows: readonly Row[] = [...paymentRows, ...accountRows];
const say = (text: string): void => console.error(text);

const hop = (title: string): Row => ({
  name: 'bare-hop',
  title,
  prepare: async () => ({ requests: [], expect: 200 }),
});

const measureBareHop = async (baseUrl: string, options: BenchOptions): Promise<LoadResult> =>
  measure({
    port: Number(new URL(baseUrl).port),
    connections,
    seconds: options.seconds,
    warmUpSeconds: options.warmUpSeconds,
    requests: [wireRequest('GET', '/hop', {})],
    once: false,
    expect: 200,
  });

const measureRows = async (
  wanted: readonly Row[],
  folder: string,
  fastest: number,
  options: BenchOptions,
): Promise<readonly (readonly [Row, LoadResult])[]> => {
  say('starting a sandbox');
  const world = await BenchWorld.start(folder, options.profileInto);
  try {
    const results: (readonly [Row, LoadResult])[] = [];
    for (const row of wanted) {
      say(`${row.title} …`);
      const most = Math.ceil(fastest * (options.seconds + options.warmUpSeconds));
      const prepared = await row.prepare(world, most);
      const { seconds, warmUpSeconds } = options;
      results.push([
        row,
        await measure({ port: world.port, connections, seconds, warmUpSeconds, once: false, ...prepared }),
      ]);
    }
    return results;
  } finally {
    await world.sandbox.stop();
  }
};

/** The baseline is measured before and after the rows, since a shared machine is not the same all the time. */
const run = async (options: BenchOptions, wanted: readonly Row[]): Promise<readonly Line[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-bench-'));
  const bareHop = await startBareHop(folder);
  try {
    say(`the bare hop … (${machine()})`);
    const before = await measureBareHop(bareHop.baseUrl, options);
    const results = await measureRows(wanted, folder, before.perSecond, options);
    say('the bare hop again …');
    const after = await measureBareHop(bareHop.baseUrl, options);
    const baseline = (before.perSecond + after.perSecond) / 2;
    return [
      lineOf(hop('bare hop, before'), before, baseline),
      ...results.map(([row, result]) => lineOf(row, result, baseline)),
      lineOf(hop('bare hop, after'), after, baseline),
    ];
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
