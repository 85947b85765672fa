// The order in which jest assigns spec files to its lanes: the slowest first, then by size, largest first.
import { statSync } from 'node:fs';
import { isFirst } from './lanes.mjs';

/** Gives the files that must come first a greater weight than any file's size. */
const weightOf = (path) => statSync(path).size + (isFirst(path) ? 1e9 : 0);

export default class LongestFirst {
  sort(tests) {
    return tests.toSorted((a, b) => weightOf(b.path) - weightOf(a.path));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}

  shard(tests) {
    return tests;
  }
}
