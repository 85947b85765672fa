import { describe, expect, it } from '@jest/globals';
import { repositoryFiles, readText } from './sources.js';

interface Decision {
  readonly number: number;
  readonly date: string;
  readonly status: string;
}

/** The max number of words on a page; a longer page does not fit on one screen. */
const mostWords = 420;

const parseDecision = (number: number, page: string): Decision => {
  const [, date = '', status = ''] = /^Date: (\d{4}-\d\d-\d\d)\. Status: (\w+)\.$/m.exec(page) ?? [];
  return { number, date, status };
};

const parseRows = (index: string): Map<string, Decision> =>
  new Map(
    [...index.matchAll(/^\| \[(\d+)\]\(([^)]+)\) *\|[^|]+\| *([\d-]+) *\| *(\w+) *\|$/gm)].map(
      ([, number, file = '', date = '', status = '']) => [file, { number: Number(number), date, status }],
    ),
  );

/** Returns the changes needed to make the index and the pages agree; empty if they agree. */
const toDo = (index: string, pages: ReadonlyMap<string, string>): string[] => {
  const rows = parseRows(index);
  return [...pages].flatMap(([file, page]) => {
    const decision = parseDecision(Number(file.slice(0, 4)), page);
    const { number, date, status } = decision;
    if (date === '')
      return [`docs/adr/${file}: add the line "Date: YYYY-MM-DD. Status: accepted." under the title`];
    const row = rows.get(file);
    if (row === undefined)
      return [
        `docs/adr/README.md: add "| [${number}](${file}) | <what was decided, in a sentence> | ${date} | ${status} |"`,
      ];
    return JSON.stringify(row) === JSON.stringify(decision)
      ? []
      : [`docs/adr/README.md: row ${number} must say ${date}, ${status}, as the page does`];
  });
};

const page = (line: string): string => `# 7. Title\n\n${line}\n\n**Context.** [ADR 3](x.md)\n`;

describe('the index of decisions', () => {
  it('requires a row for each page, and on the page a line with the same date and status', () => {
    const accepted = new Map([['0007-title.md', page('Date: 2026-11-20. Status: accepted.')]]);
    const row = '| [7](0007-title.md) | Something. | 2026-11-20 | accepted |\n';
    expect(toDo(row, accepted)).toEqual([]);
    expect(toDo('', accepted)).toEqual([
      'docs/adr/README.md: add "| [7](0007-title.md) | <what was decided, in a sentence> | 2026-11-20 | accepted |"',
    ]);
    expect(toDo('', new Map([['0007-title.md', page('')]]))).toEqual([
      'docs/adr/0007-title.md: add the line "Date: YYYY-MM-DD. Status: accepted." under the title',
    ]);
    expect(toDo(row.replace('20 |', '21 |'), accepted)).toEqual([
      'docs/adr/README.md: row 7 must say 2026-11-20, accepted, as the page does',
    ]);
  });

  const files = repositoryFiles().filter((file) => /^docs\/adr\/\d{4}-.*\.md$/.test(file));

  it('lists every page with its date and status', () => {
    const pages = new Map(files.map((file) => [file.slice('docs/adr/'.length), readText(file)]));
    expect(pages.size).toBeGreaterThan(39);
    expect(toDo(readText('docs/adr/README.md'), pages)).toEqual([]);
  });

  it('lists only pages that exist', () => {
    expect(
      [...parseRows(readText('docs/adr/README.md')).keys()].filter(
        (file) => !files.includes(`docs/adr/${file}`),
      ),
    ).toEqual([]);
  });

  it(`limits a page to one screen: at most ${mostWords} words`, () => {
    const words = (file: string): number => readText(file).split(/[\s|]+/).length;
    expect(files.filter((file) => words(file) > mostWords)).toEqual([]);
  });
});
