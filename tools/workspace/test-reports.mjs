// Reads the results of a run from jest's reports: the counts, the skipped tests, and the spec files that failed at
// first and then passed when run again by themselves. Plain JavaScript without dependencies, for Node 20 or newer,
// because `npm test` loads it before anything is installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * The maximum number of flaky files, about two of a hundred with a server: on a busy machine, calls exceed the timeouts of
 * production. A run with more has a defect that `flaky` would hide.
 */
const mostFlaky = 6;
/** The name of the folders that contain the reports of second runs. */
export const again = 'again';

/**
 * True for fault runs, invariants and races. They look for rare events, so a failure that does not recur is a
 * finding, not a flaky test.
 */
const findsWhatIsRare = (file) =>
  /^(?:test\/chaos|libs\/invariants)\//.test(file) ||
  /(?<![a-z])(?:races?|invariants?)(?![a-z])/.test(basename(file));

const firstFailureOf = ({ assertionResults, message }) => {
  const failed = assertionResults.find(({ status }) => status === 'failed');
  const text = failed?.failureMessages[0] ?? message;
  const line = stripVTControlCharacters(text)
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '' && !one.startsWith('●'));
  return failed === undefined ? line : `${failed.fullName}: ${line}`;
};

/** Returns the spec files of one report, with their paths relative to `root`. */
export const readReport = (root, report) =>
  JSON.parse(readFileSync(report, 'utf8')).testResults.map((result) => {
    const having = (...statuses) =>
      result.assertionResults.filter(({ status }) => statuses.includes(status)).map((one) => one.fullName);
    const skipped = having('pending', 'todo', 'skipped', 'disabled');
    const failed = result.status === 'failed';
    return {
      file: relative(root, result.name),
      failed,
      counts: {
        passed: having('passed').length,
        // A file that cannot be loaded has no failing tests, but counts as one failure.
        failed: having('failed').length || (failed ? 1 : 0),
        skipped: skipped.length,
      },
      skipped,
      firstFailure: failed ? firstFailureOf(result) : undefined,
    };
  });

const isAgain = (report) => report.split('/').includes(again);

/** Totals all reports in a folder. A file that ran twice counts with its second result. */
export const summarise = (root, folder) => {
  const reports = existsSync(folder)
    ? readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.json'))
    : [];
  const read = (names) => names.flatMap((name) => readReport(root, join(folder, name)));
  const second = new Map(read(reports.filter(isAgain)).map((one) => [one.file, one]));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failed = [];
  const flaky = [];
  const skipped = [];
  for (const first of read(reports.filter((name) => !isAgain(name)))) {
    const last = second.get(first.file) ?? first;
    for (const kind of Object.keys(counts)) counts[kind] += last.counts[kind];
    for (const title of last.skipped) skipped.push({ file: last.file, title });
    if (last.failed) failed.push(last);
    else if (first.failed) flaky.push(first);
  }
  return { counts, failed, flaky, skipped };
};

/** Returns the reasons to fail a run with flaky files; empty if they are few and harmless. */
export const objections = (flaky) => [
  ...(flaky.length > mostFlaky
    ? [`${flaky.length} spec files are flaky; a run passes with at most ${mostFlaky}`]
    : []),
  ...flaky
    .filter(({ file }) => findsWhatIsRare(file))
    .map(({ file }) => `${file} may not be flaky: fault runs, invariants and races find rare failures`),
];
