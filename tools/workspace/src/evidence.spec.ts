import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, root, readText } from './sources.js';

const pages = repositoryFiles().filter((file) => /^docs\/evidence\/.*\.md$/.test(file));
const scripts = Object.keys((JSON.parse(readText('package.json')) as { scripts: object }).scripts);

/** Rows of the tables of a page, without heads and rulers. */
const parseRows = (page: string): string[] => {
  const lines = readText(page).split('\n');
  return lines.filter(
    (line, at) => line.startsWith('|') && !isRuler(line) && !isRuler(lines[at + 1] ?? '') && line !== '',
  );
};
const isRuler = (line: string): boolean => /^\|[\s:|-]+\|$/.test(line);

/** Parses the tests that a row names: `path.spec.ts` › "part of a title". */
const listTests = (row: string): { readonly file: string; readonly title: string }[] =>
  [...row.matchAll(/`([^`]+\.spec\.ts)` › "([^"]+)"/g)].map(([, file = '', title = '']) => ({ file, title }));
const listCommands = (row: string): string[] =>
  [...row.matchAll(/`npm run (?:-s )?([a-z:]+)/g)].map(([, name = '']) => name);

/** The titles of a spec file as they are written, quotes in them not escaped. */
const listTitles = (file: string): string[] =>
  [
    ...readText(file).matchAll(
      /(?:\b(?:it|describe)(?:\.\w+)*\(|\)\(|^)\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`),/gm,
    ),
  ].map(([, single, double, tick]) => (single ?? double ?? tick ?? '').replaceAll(/\\(['"`])/g, '$1'));

const exists = ({ file, title }: { readonly file: string; readonly title: string }): boolean =>
  existsSync(join(root, file)) && listTitles(file).some((one) => one.includes(title));

describe('what the product promises, and what shows it (docs/evidence)', () => {
  it('is there, by topic', () => {
    expect(pages).toContain('docs/evidence/backbone.md');
    expect(pages.filter((page) => parseRows(page).length === 0)).toEqual([]);
  });

  it.each(pages)('%s names in every row a test or a command', (page) => {
    expect(parseRows(page).filter((row) => listTests(row).length + listCommands(row).length === 0)).toEqual(
      [],
    );
  });

  it.each(pages)('%s names tests that exist, by a part of their titles', (page) => {
    expect(
      parseRows(page)
        .flatMap(listTests)
        .filter((test) => !exists(test)),
    ).toEqual([]);
  });

  it.each(pages)('%s names commands that exist', (page) => {
    expect(
      parseRows(page)
        .flatMap(listCommands)
        .filter((name) => !scripts.includes(name)),
    ).toEqual([]);
  });
});
