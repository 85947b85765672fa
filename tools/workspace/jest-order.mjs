// The order in which jest hands the spec files to its lanes: those that take longest first, the bigger of others first.
import { statSync } from 'node:fs';
import { isFirst } from './lanes.mjs';

/** A size that no file has, for those that come first. */
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
