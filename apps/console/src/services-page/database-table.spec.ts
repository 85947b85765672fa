import { expect, it } from '@jest/globals';
import type { DatabaseReport } from '@xs2a/contracts/console/database.contract';
import { databaseTable, migrationsText } from './database-table.js';

const report: DatabaseReport = {
  databaseBytes: 40e6,
  schemaBytes: 9e6,
  migrations: { applied: 3, needed: 3, missing: [] },
};

it.each([
  ['that all have run', report.migrations, 'all 3'],
  [
    'that a newer release has migrated',
    { applied: 5, needed: 3, missing: [] },
    'all 3, and 2 of a newer release',
  ],
  [
    'which are missing, and the command that runs them',
    { applied: 1, needed: 3, missing: ['PayeeLimits2', 'Clock3'] },
    '1 of 3; xs2a migrate runs PayeeLimits2, Clock3',
  ],
])('says of migrations %s', (_says, migrations, text) => {
  expect(migrationsText({ migrations })).toBe(text);
});

it('shows the databases that answered, and names the part that did not', () => {
  const text = databaseTable([
    ['auth', { answer: report }],
    ['payments', { missing: 'payments' }],
  ]).text;
  expect(text).toMatch(/Databases, 40 MB/);
  expect(text).toMatch(/<b>auth<\/b>[^]*migrated[^]*all 3[^]*9 MB/);
  expect(text).toMatch(/<b>payments<\/b>[^]*not known[^]*payments did not answer/);
});
