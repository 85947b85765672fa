import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountRows } from './account-rows.js';
import { authorizeRow } from './authorize-row.js';
import { type BareHop, startBareHop } from './bare-hop.js';
import { barePageRow } from './bare-page-row.js';
import { BenchWorld } from './bench-world.js';
import { benchOptions, type BenchOptions, usage, WrongUsage } from './command-line.js';
import { bulkRow, bulkSettlementRow } from './bulk-rows.js';
import { dueOrdersRow } from './due-orders-row.js';
import { eventAgeRow } from './event-age-row.js';
import type { FigureRow, Found } from './figure.js';
import { historyRow } from './history-row.js';
import { connections, Hops } from './hops.js';
import { loadOfMachine, machine } from './machine.js';
import { memoryRow } from './memory-row.js';
import { oauthRows } from './oauth-rows.js';
import { paymentRows } from './payment-rows.js';
import { figureLineOf, type Line, lineOf, tableOf } from './report.js';
import { pushRow } from './push-row.js';
import { rebuildRow } from './rebuild-row.js';
import type { Row } from './row.js';
import { settlementRows } from './settlement-rows.js';
import { startRows } from './start-rows.js';

const rows: readonly Row[] = [barePageRow, ...paymentRows, bulkRow, ...accountRows, ...oauthRows];
const figures: readonly FigureRow[] = [
  eventAgeRow,
  ...startRows,
  ...settlementRows,
  bulkSettlementRow,
  dueOrdersRow,
  pushRow,
  rebuildRow,
  memoryRow,
  historyRow,
  authorizeRow,
];
const say = (text: string): void => console.error(text);

interface Run {
  readonly folder: string;
  readonly bareHop: BareHop;
  readonly hops: Hops;
  readonly options: BenchOptions;
}

/** Each row in turns with the bare hop. */
const measureRows = async (
  wanted: readonly Row[],
  { folder, bareHop, hops, options }: Run,
): Promise<Line[]> => {
  if (wanted.length === 0) return [];
  const { seconds, warmUpSeconds } = options;
  const lines: Line[] = [];
  say('starting a sandbox');
  const world = await BenchWorld.start(folder, options.profileInto);
  try {
    for (const row of wanted) {
      say(`${row.title} …`);
      const most = Math.ceil((await hops.last()).perSecond * (seconds + warmUpSeconds));
      const { parts = world.parts, ...prepared } = await row.prepare(world, most, bareHop);
      const plan = { port: world.port, connections, seconds, warmUpSeconds, once: false, ...prepared };
      const [result, hop] = await hops.inTurns(plan, parts);
      lines.push(lineOf(row, result, hop));
    }
    return lines;
  } finally {
    await world.sandbox.stop();
  }
};

/** One figure that cannot be taken costs the others nothing. */
const failed = (error: unknown): Found => ({
  value: Number.NaN,
  notes: [],
  problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

/** Each figure in a sandbox of its own, and after it the bare hop again. */
const measureFigures = async (
  wanted: readonly FigureRow[],
  { folder, hops, options }: Run,
): Promise<Line[]> => {
  const lines: Line[] = [];
  for (const row of wanted) {
    say(`${row.title} …`);
    const before = await hops.last();
    const own = join(folder, row.name);
    mkdirSync(own);
    const found = await row.measure({ ...options, folder: own, say }).catch(failed);
    rmSync(own, { recursive: true, force: true });
    const after = await hops.measure();
    const load = `load average ${loadOfMachine()}`;
    const withLoad = { ...found, notes: [...found.notes, load] };
    lines.push(figureLineOf(row, withLoad, (before.perSecond + after.perSecond) / 2));
  }
  return lines;
};

const run = async (
  options: BenchOptions,
  wanted: { readonly rows: readonly Row[]; readonly figures: readonly FigureRow[] },
): Promise<readonly Line[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-bench-'));
  try {
    say(machine());
    const bareHop = await startBareHop(folder);
    try {
      const hops = new Hops(bareHop, options);
      const parts = { folder, bareHop, hops, options };
      await hops.measure();
      const lines = [
        ...(await measureRows(wanted.rows, parts)),
        ...(await measureFigures(wanted.figures, parts)),
      ];
      return [hops.line, ...lines];
    } finally {
      await bareHop.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Throws {@link WrongUsage} for a name that no row has. */
const wantedBy = ({ rows: names, all }: BenchOptions) => {
  const known = [...rows, ...figures].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new WrongUsage(`no row is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const wanted = (name: string, long: boolean): boolean =>
    all || (names.length === 0 ? !long : names.includes(name));
  return {
    rows: rows.filter(({ name, long = false }) => wanted(name, long)),
    figures: figures.filter(({ name, long }) => wanted(name, long)),
  };
};

const main = async (): Promise<number> => {
  const options = benchOptions(process.argv.slice(2));
  const lines = await run(options, wantedBy(options));
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
