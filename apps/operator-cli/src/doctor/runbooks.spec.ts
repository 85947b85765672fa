import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@xs2a/contracts/services';
import { root } from '@xs2a/runtime/release';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { flowChecks } from './flow.js';
import { leaderChecks } from './leaders.js';
import { runbookFor } from './runbooks.js';
import { serverChecks } from './servers.js';
import { serviceChecks } from './services.js';
import { storageChecks } from './storage.js';

const checks = [
  'services',
  ...[...serverChecks, ...storageChecks, ...serviceChecks, ...flowChecks, ...leaderChecks([])].map(
    ({ name }) => name,
  ),
];
/** Their lines say everything: a table to complete, keys to configure, a command to run. */
const explainThemselves = ['holidays', 'months', 'archive', 'master keys'];

/** The pages by the lines of doctor, in the table of docs/runbooks/README.md. */
const table = join(root, 'docs/runbooks/README.md');
const listed = [...readFileSync(table, 'utf8').matchAll(/^\|.+\|.+\|(.+)\|.*\]\(([^)]+)\).*\|$/gm)].flatMap(
  ([, lines = '', target = '']) =>
    [...lines.matchAll(/`([^`]+)`/g)].map(([, line = '']): [string, string] => [
      line,
      relative(root, join(dirname(table), target)),
    ]),
);

describe('the page that a failed line of doctor names', () => {
  it('is the one in the table of the runbooks, for every check but those whose line says everything', () => {
    const named = checks.map((check): [string, string | undefined] => [check, runbookFor(check)]);
    const without = named.flatMap(([check, page]) => (page === undefined ? [check] : []));
    expect(without.toSorted()).toEqual(explainThemselves.toSorted());
    expect(listed.toSorted()).toEqual(named.filter(([, page]) => page !== undefined).toSorted());
  });

  it('is for each service that of a service that does not answer', () => {
    expect(new Set(serviceNames.map(runbookFor))).toEqual(new Set([runbookFor('services')]));
  });
});
