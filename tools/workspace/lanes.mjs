// Decides which spec files run in parallel. A comment at the top of a file states what cannot be derived: `//
// Lane: first (why)` for the slowest files, so that no lane ends with one of them; `// Lane: alone (why)` for
// files that measure times; `// Lane: long (why)` and `// Lane: nightly (why)` for files that `npm test` leaves to
// the stages of these names. `long` runs in lanes too, except files with `// Lane: long, alone (why)`; `nightly`
// runs its files one by one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { runsInEuro } from './euro-specs.mjs';

const maxLanes = 4;
/** The memory needed for a sandbox and for the browser or load that uses it. */
const bytesPerLane = 1.6e9;
const memory = Math.min(process.constrainedMemory() || totalmem(), totalmem());

/** The number of spec files that run in parallel: one per core if there is enough memory for as many sandboxes. */
export const lanes = Math.max(
  1,
  Math.min(availableParallelism(), maxLanes, Math.floor(memory / bytesPerLane)),
);

/** The words of a file's `// Lane:` comment. */
const laneOf = (source) => /^\/\/ Lane: ([\w, ]+?) \(/m.exec(source)?.[1]?.split(', ') ?? [];
export const isFirst = (file) => laneOf(readFileSync(file, 'utf8')).includes('first');
/** The stages of the files that are not part of `int` and `e2e`. */
const ownStages = ['long', 'nightly'];
const ownStageOf = (file) => {
  const lane = laneOf(readFileSync(file, 'utf8'));
  return ownStages.find((stage) => lane.includes(stage));
};

const endingOf = {
  unit: /(?<!\.int|\.e2e)\.spec\.ts$/,
  int: /\.int\.spec\.ts$/,
  e2e: /\.e2e\.spec\.ts$/,
  long: /\.(int|e2e)\.spec\.ts$/,
  nightly: /\.(int|e2e)\.spec\.ts$/,
  'e2e-euro': /\.e2e\.spec\.ts$/,
};
const specsOf = (root, tier) =>
  ['libs', 'apps', 'clients', 'examples', 'tools', 'test'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .map((project) => join(root, kind, project, 'src'))
      .filter((sources) => existsSync(sources))
      .flatMap((sources) => readdirSync(sources, { recursive: true }).map((file) => join(sources, file)))
      .filter((file) => endingOf[tier].test(file))
      .filter((file) => ownStageOf(file) === ownStages.find((stage) => stage === tier))
      .filter((file) => tier !== 'e2e-euro' || runsInEuro(relative(root, file))),
  );

const groupOf = (file) => {
  const source = readFileSync(file, 'utf8');
  if (['alone', 'nightly'].some((word) => laneOf(source).includes(word))) return 'alone';
  if (/World\.ofLane\(\)|demoWorld\(\)/.test(source)) return 'visiting';
  const usesEuroOnly =
    /World\.inEuro\(\)|demoWorld\('bg-euro'\)/.test(source) && !/World\.(?:start|around)\(/.test(source);
  return usesEuroOnly ? 'inEuro' : 'together';
};

/**
 * Returns the spec files of one tier, or of `long` or `nightly`, in all projects, in four groups: files that use the shared sandbox
 * of a lane, files that use only the shared euro sandbox of a lane, other files that run in parallel, and files that
 * run one by one.
 */
export const specsByLane = (root, tier) => ({
  visiting: [],
  inEuro: [],
  together: [],
  alone: [],
  ...Object.groupBy(specsOf(root, tier), groupOf),
});
