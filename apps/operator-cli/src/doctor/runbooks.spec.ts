import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@xs2a/contracts/services';
import { root } from '@xs2a/runtime/release';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flowChecks } from './flow.js';
import { leaderChecks } from './leaders.js';
import { runbookFor } from './runbooks.js';
import { serverChecks } from './servers.js';
import { serviceChecks } from './services.js';
import { storageChecks } from './storage.js';

const checks = [...serverChecks, ...storageChecks, ...serviceChecks, ...flowChecks, ...leaderChecks([])].map(
  ({ name }) => name,
);
/** Their line says everything: a table to complete, keys to configure, a command to run. */
const explainThemselves = ['holidays', 'months', 'archive', 'master keys'];

describe('the runbooks of doctor', () => {
  it('explain every check but those whose line says everything', () => {
    const without = [...checks, ...serviceNames].filter((name) => runbookFor(name) === undefined);
    expect(without.toSorted()).toEqual(explainThemselves.toSorted());
  });

  it.each([...checks, ...serviceNames].filter((name) => runbookFor(name) !== undefined))(
    'has a page for %s',
    (name) => {
      const [file = '', section] = runbookFor(name)?.split('#') ?? [];
      const page = readFileSync(join(root, file), 'utf8');
      const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
        title.toLowerCase().replaceAll(' ', '-'),
      );
      if (section !== undefined) expect(sections).toContain(section);
    },
  );
});
