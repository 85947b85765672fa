import { describe, expect, it } from '@jest/globals';
import { repositoryFiles, readText } from './sources.js';

/**
 * Statements that a migration must not use on an existing table, because writers would wait or the previous
 * release would fail.
 */
const dangers = {
  'index without CONCURRENTLY': /CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[^;`']*?\bON\s+([\w.${}()]+)/g,
  'rewrite of a column': /ALTER TABLE ([\w.${}()]+)[^;`]*?\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/g,
  'NOT NULL on what is there': /ALTER TABLE ([\w.${}()]+)[^;`]*?\bSET NOT NULL\b/g,
  'computed default': /ALTER TABLE ([\w.${}()]+)[^;`]*?\bADD COLUMN \w+[^,;`]*?DEFAULT \w+\(/g,
  'check of all rows':
    /ALTER TABLE ([\w.${}()]+)[^;`]*?\b(?:CHECK|REFERENCES|FOREIGN KEY|UNIQUE|PRIMARY KEY)\b(?![^;`]*NOT VALID)/g,
  'update in one transaction': /\bUPDATE (?!ON\b|OF\b)([a-z_]+\.\w+)/g,
  'removed or renamed under the release before':
    /ALTER TABLE ([\w.${}()]+)[^;`]*?\b(?:DROP COLUMN|RENAME)\b|\bDROP TABLE (?:IF EXISTS )?([\w.${}()]+)/g,
} as const;

/**
 * Exceptions: migrations that may use such a statement, each with the reason. Either no release that runs with
 * them needs what they remove, or the table is small.
 */
const known: Readonly<Record<string, string>> = {
  'apps/accounts/src/migrations/7-payee-questions.ts': 'no release has the table that it removes',
  'apps/console/src/migrations/4-call-trace.ts':
    'the table has partitions, and gateways send a batch of calls again until it is stored',
};

/** Returns the text of a migration's `up`, without comments. */
const readUp = (source: string): string =>
  source.replace(/\basync down\([\s\S]*?\n {2}\}\n/, '').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');

/**
 * Returns the dangerous statements of a migration, each with its table, except on tables that the migration itself
 * creates.
 */
const dangersIn = (source: string): string[] => {
  const up = readUp(source);
  const own = new Set(
    [...up.matchAll(/CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?([\w.${}()]+)/g)].map(([, name]) => name),
  );
  return Object.entries(dangers).flatMap(([danger, pattern]) =>
    [...up.matchAll(pattern)]
      .map(([, one, other]) => one ?? other ?? '')
      .filter((table) => !own.has(table))
      .map((table) => `${danger}: ${table}`),
  );
};
const migrations = repositoryFiles().filter((file) =>
  /^apps\/[^/]+\/src\/migrations\/\d+-[^/]+(?<!\.spec)\.ts$/.test(file),
);

describe('migrations alongside a running release (docs/how-to/write-a-migration.md)', () => {
  it('hold no locks for a long time, and remove nothing', () => {
    const found = migrations
      .map((file) => [file, dangersIn(readText(file))] as const)
      .filter(([file, all]) => all.length > 0 && known[file] === undefined);
    expect(found).toEqual([]);
  });

  it('need each listed exception', () => {
    expect(Object.keys(known).filter((file) => dangersIn(readText(file)).length === 0)).toEqual([]);
  });

  it.each([
    [
      'CREATE INDEX due ON payments.payment_view (due_at)',
      'index without CONCURRENTLY: payments.payment_view',
    ],
    ['CREATE UNIQUE INDEX due ON payments.log (x)', 'index without CONCURRENTLY: payments.log'],
    ['ALTER TABLE a.b ALTER state TYPE json', 'rewrite of a column: a.b'],
    ['ALTER TABLE a.b ALTER c SET NOT NULL', 'NOT NULL on what is there: a.b'],
    ['ALTER TABLE a.b ADD COLUMN at timestamptz DEFAULT now()', 'computed default: a.b'],
    ['ALTER TABLE a.b ADD CONSTRAINT c CHECK (d > 0)', 'check of all rows: a.b'],
    ['ALTER TABLE a.b ADD COLUMN c uuid REFERENCES a.d', 'check of all rows: a.b'],
    ['UPDATE a.b SET c = 1', 'update in one transaction: a.b'],
    ['ALTER TABLE a.b DROP COLUMN c', 'removed or renamed under the release before: a.b'],
    ['ALTER TABLE a.b RENAME c TO d', 'removed or renamed under the release before: a.b'],
    ['DROP TABLE a.b', 'removed or renamed under the release before: a.b'],
  ])('may not contain “%s”', (statement, danger) => {
    expect(dangersIn(`await runner.query(\`${statement}\`);`)).toContain(danger);
  });

  it.each([
    'CREATE TABLE a.b (c uuid PRIMARY KEY); CREATE INDEX d ON a.b (c)',
    'ALTER TABLE a.b ADD COLUMN c int',
    "ALTER TABLE a.b ADD COLUMN c text NOT NULL DEFAULT 'x'",
    'ALTER TABLE a.b ADD CONSTRAINT c CHECK (d > 0) NOT VALID',
    'GRANT SELECT, INSERT, UPDATE ON a.b TO c',
    'CREATE INDEX CONCURRENTLY d ON a.b (c)',
  ])('may contain “%s”', (statement) => {
    expect(dangersIn(`await runner.query(\`${statement}\`);`)).toEqual([]);
  });
});
