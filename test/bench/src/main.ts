import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchOptions, type BenchOptions, WrongUsage } from './command-line.js';
import type { FigureRow, Found } from './figure.js';
import { type Hop, startHop } from './hops/hop.js';
import { connections, Hops } from './hops/hops.js';
import { loadOfMachine, machine } from './machine.js';
import { makeFigureLine, hopLine, type Line, makeLine, inWords, renderTable } from './report.js';
import type { Row } from './row.js';
import { figures, rows } from './rows/all-rows.js';
import { BenchWorld, type Column } from './world/bench-world.js';

const say = (text: string): void => console.error(text);

interface Run {
  readonly folder: string;
  readonly column: Column;
  readonly hops: Hops;
  readonly options: BenchOptions;
}

/** Prints each result at once, so that a run that is stopped early still shows its results. */
const said = (line: Line): Line => {
  say(`  ${inWords(line)}`);
  return line;
};

const newFolder = ({ folder, column }: Run, name: string): string => {
  const own = join(folder, `${column}-${name}`);
  mkdirSync(own);
  return own;
};

/** A row that fails does not affect the other rows. */
const describeProblem = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Each row in turns with the hops, all of them in one world. */
const measureRows = async (wanted: readonly Row[], run: Run): Promise<Line[]> => {
  if (wanted.length === 0) return [];
  const { column, hops, options } = run;
  const { seconds, warmUpSeconds, profileInto } = options;
  const lines: Line[] = [];
  say(`starting the column ${column}`);
  const folder = newFolder(run, 'rows');
  const world = await BenchWorld.start({ folder, column, profileInto });
  try {
    for (const row of wanted) {
      say(`${row.title}, ${column} …`);
      try {
        const maxRequests = Math.ceil((await hops.last()).bare.perSecond * (seconds + warmUpSeconds));
        const prepared = await row.prepare(world, maxRequests);
        const plan = { ...world.entrance, connections, seconds, warmUpSeconds, once: false, ...prepared };
        const [result, besides] = await hops.besides(plan, world.parts);
        const notes = [...world.conditions, `load average ${loadOfMachine()}`];
        lines.push(said(makeLine(row, column, { result, hops: besides, notes })));
      } catch (error) {
        const { name, title } = row;
        lines.push(said({ name, title, column, verdict: 'failed', problem: describeProblem(error) }));
      }
    }
    return lines;
  } finally {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const failed = (error: unknown): Found => ({ value: Number.NaN, notes: [], problem: describeProblem(error) });

/** Each figure in a separate world, followed by the hops again. */
const measureFigures = async (wanted: readonly FigureRow[], run: Run): Promise<Line[]> => {
  const { column, hops, options } = run;
  const lines: Line[] = [];
  for (const row of wanted) {
    say(`${row.title}, ${column} …`);
    const folder = newFolder(run, row.name);
    const found = await row.measure({ ...options, folder, column, say }).catch(failed);
    rmSync(folder, { recursive: true, force: true });
    const notes = [...found.notes, `load average ${loadOfMachine()}`];
    lines.push(said(makeFigureLine(row, column, { ...found, notes }, await hops.measure())));
  }
  return lines;
};

const measureColumns = async (
  options: BenchOptions,
  hops: Hops,
  { folder, wanted }: { readonly folder: string; readonly wanted: Wanted },
): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  for (const column of options.columns) {
    const run = { folder, column, hops, options };
    const inColumn = <Any extends Row | FigureRow>(of: readonly Any[]): Any[] =>
      of.filter(({ targets }) => targets[column] !== undefined);
    lines.push(...(await measureRows(inColumn(wanted.rows), run)));
    lines.push(...(await measureFigures(inColumn(wanted.figures), run)));
  }
  return [hopLine('bare', hops.sorted('bare')), hopLine('transport', hops.sorted('transport')), ...lines];
};

interface Wanted {
  readonly rows: readonly Row[];
  readonly figures: readonly FigureRow[];
}

const run = async (options: BenchOptions, wanted: Wanted): Promise<readonly Line[]> => {
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
    return await measureColumns(options, hops, { folder, wanted });
  } finally {
    for (const hop of started) await hop.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Throws {@link WrongUsage} for a name that no row has. */
const wantedBy = ({ rows: names }: BenchOptions): Wanted => {
  const known = [...rows, ...figures].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new WrongUsage(`no row is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const isWanted = ({ name }: { readonly name: string }): boolean =>
    names.length === 0 || names.includes(name);
  return { rows: rows.filter(isWanted), figures: figures.filter(isWanted) };
};

const main = async (): Promise<number> => {
  const options = benchOptions(process.argv.slice(2));
  const begun = performance.now();
  const lines = await run(options, wantedBy(options));
  say(`measured in ${Math.round((performance.now() - begun) / 60_000)} minutes`);
  console.log(
    options.json ? JSON.stringify({ machine: machine(), lines }, undefined, 2) : `\n${renderTable(lines)}\n`,
  );
  return lines.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
};

try {
  process.exit(await main());
} catch (error) {
  if (error instanceof WrongUsage) say(`${error.message}. Run: npm run bench -- --help`);
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
