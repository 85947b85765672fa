import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchOptions, type BenchOptions, WrongUsage } from './command-line.js';
import { type Hop, startHop } from './hops/hop.js';
import { connections, type HopResults, Hops } from './hops/hops.js';
import { problemOf } from './load/measure.js';
import { loadOfMachine, machine } from './machine.js';
import { hopLine, inHops, type Line, makeLine, inWords, renderTable } from './report.js';
import type { FigureRow, Found, RequestRow, Row } from './row.js';
import { figureRows, requestRows } from './rows/all-rows.js';
import { BenchWorld, type Column } from './world/bench-world.js';

const say = (text: string): void => console.error(text);

interface Run {
  readonly folder: string;
  readonly column: Column;
  readonly hops: Hops;
  readonly options: BenchOptions;
}

/** Runs the work with a new folder, and removes the folder afterwards. */
const inFolder = async <Result>(
  { folder, column }: Run,
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const own = join(folder, `${column}-${name}`);
  mkdirSync(own);
  try {
    return await work(own);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
};

const describeProblem = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/**
 * Measures one row, and prints its result at once, so that a run that is stopped early still shows its results. A row that fails does not
 * affect the other rows.
 */
const measureRow = async (
  row: Row,
  { column }: Run,
  measure: () => Promise<readonly [found: Found, hops: HopResults]>,
): Promise<Line> => {
  say(`${row.title}, ${column} …`);
  const [found, hops] = await measure().catch((error: unknown): [Found] => [
    { value: Number.NaN, problem: describeProblem(error) },
  ]);
  const notes = [...(found.notes ?? []), `load average ${loadOfMachine()}`];
  const line = makeLine(row, column, { ...found, notes }, hops);
  say(`  ${inWords(line)}`);
  return line;
};

/** The shares of the highest rate at which latencies are measured: below saturation, where a service should run. */
const openLoop = [0.5, 0.8];

/** Measures the processor time of the row's requests, in turns with the hops, and then their latencies. */
const measureRequests = async (
  row: RequestRow,
  world: BenchWorld,
  { hops, options: { seconds, warmUpSeconds } }: Run,
): Promise<readonly [Found, HopResults]> => {
  const timesMeasured = openLoop.reduce((sum, share) => sum + share, 1);
  const most = warmUpSeconds + seconds * timesMeasured;
  const max = Math.ceil((await hops.last()).bare.perSecond * most);
  const prepared = await row.prepare(world, max);
  const plan = { ...world.entrance, connections, seconds, warmUpSeconds, ...prepared };
  const [result, hopResults] = await hops.inTurnsWith(plan, world.parts, openLoop);
  const { perSecond, p50, p99, cpu, ownMs, proofMs } = result;
  const signing = proofMs === 0 ? '' : `, and before its turns ${proofMs.toFixed(2)} ms to sign each proof`;
  // The generator runs on the measured machine, so its share of the processor time is printed.
  const notes = [
    `the load generator took ${ownMs.toFixed(2)} CPU ms a request${signing}`,
    ...world.conditions,
  ];
  const problem = problemOf(result) ?? result.openLoop?.find((one) => one.problem !== undefined)?.problem;
  const found = { perSecond, p50, p99, cpu, openLoop: result.openLoop, notes, problem };
  return [{ ...found, value: inHops(cpu, hopResults) }, hopResults];
};

/** Measures all request rows in one world. */
const measureAllRequests = async (wanted: readonly RequestRow[], run: Run): Promise<Line[]> => {
  if (wanted.length === 0) return [];
  const { column, options } = run;
  say(`starting the column ${column}`);
  return inFolder(run, 'rows', async (folder) => {
    const world = await BenchWorld.start({ folder, column, profileInto: options.profileInto });
    const lines: Line[] = [];
    try {
      for (const row of wanted)
        lines.push(await measureRow(row, run, async () => measureRequests(row, world, run)));
      return lines;
    } finally {
      await world.stop();
    }
  });
};

/** Measures a figure, and measures the hops again after it. */
const measureFigure = async (row: FigureRow, run: Run): Promise<Line> => {
  const { column, hops, options } = run;
  return measureRow(row, run, async () => [
    await inFolder(run, row.name, async (folder) => row.measure({ ...options, folder, column, say })),
    await hops.measure(),
  ]);
};

/** Throws {@link WrongUsage} for an unknown row name. */
const checkNames = (names: readonly string[]): void => {
  const known = [...requestRows, ...figureRows].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new WrongUsage(`no row is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
};

const measureColumns = async (
  options: BenchOptions,
  folder: string,
  hops: Hops,
): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  for (const column of options.columns) {
    const run = { folder, column, hops, options };
    const wanted = <Any extends Row>(all: readonly Any[]): Any[] =>
      all.filter(
        ({ name, targets }) =>
          targets[column] !== undefined && (options.rows.length === 0 || options.rows.includes(name)),
      );
    lines.push(...(await measureAllRequests(wanted(requestRows), run)));
    for (const row of wanted(figureRows)) lines.push(await measureFigure(row, run));
  }
  return [hopLine('bare', hops.sorted('bare')), hopLine('transport', hops.sorted('transport')), ...lines];
};

const measureAll = async (options: BenchOptions): Promise<readonly Line[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-bench-'));
  const started: Hop[] = [];
  try {
    say(machine());
    const bare = await startHop('bare', folder);
    started.push(bare);
    const transport = await startHop('transport', folder);
    started.push(transport);
    const hops = new Hops({ bare, transport }, options);
    await hops.measure();
    return await measureColumns(options, folder, hops);
  } finally {
    for (const hop of started) await hop.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const main = async (): Promise<number> => {
  const options = benchOptions(process.argv.slice(2));
  checkNames(options.rows);
  const begun = performance.now();
  const lines = await measureAll(options);
  say(`measured in ${Math.round((performance.now() - begun) / 60_000)} minutes`);
  console.log(
    options.json ? JSON.stringify({ machine: machine(), lines }, undefined, 2) : `\n${renderTable(lines)}\n`,
  );
  return lines.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
};

try {
  process.exit(await main());
} catch (error) {
  say(
    error instanceof WrongUsage ? `${error.message}. Run: npm run bench -- --help` : describeProblem(error),
  );
  process.exit(1);
}
