import { describe, expect, it } from '@jest/globals';
import { repositoryFiles, readText } from './sources.js';

interface Decision {
  readonly number: number;
  readonly date: string;
  /** The status that the record gives: `accepted`, `superseded`. */
  readonly status: string;
  /** Numbers of the records that its status line says have superseded it or a part of it. */
  readonly supersededBy: readonly number[];
}

/** The number of every record that a text links to or names, such as `[ADR 36](…)`, `[36](0036-….md)`. */
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\[(?:ADR )?(\d+)\]/g)].map(([, number]) => Number(number));

/** The values of the line `Date: … Status: …` under the title of a record; it may go on until the next empty one. */
const parseDecision = (number: number, record: string): Decision => {
  const line = /^Date: [\s\S]*?(?=\n\n)/m.exec(record)?.[0].replaceAll('\n', ' ') ?? '';
  const [, date = '', status = ''] = /^Date: (\d{4}-\d\d-\d\d)\. Status: (\w+)/.exec(line) ?? [];
  const superseded = line.split(/\. Supersedes /)[0] ?? '';
  return { number, date, status, supersededBy: numbersIn(superseded) };
};

const parseRows = (index: string): Map<string, Decision> =>
  new Map(
    [...index.matchAll(/^\| \[(\d+)\]\(([^)]+)\) *\|[^|]+\| *([\d-]+) *\| *(\w+)([^|]*)\|$/gm)].map(
      ([, number, file = '', date = '', status = '', rest = '']) => [
        file,
        { number: Number(number), date, status, supersededBy: numbersIn(rest) },
      ],
    ),
  );

/** The changes that index and records need so that they agree; none when they do. */
const toDo = (index: string, records: ReadonlyMap<string, string>): string[] => {
  const rows = parseRows(index);
  return [...records].flatMap(([file, record]) => {
    const said = parseDecision(Number(file.slice(0, 4)), record);
    const { number, date, status, supersededBy } = said;
    if (date === '')
      return [`docs/adr/${file}: add the line "Date: YYYY-MM-DD. Status: accepted." under the title`];
    const row = rows.get(file);
    if (row === undefined)
      return [
        `docs/adr/README.md: add "| [${number}](${file}) | <what was decided, in a sentence> | ${date} | ${status} |"`,
      ];
    const wrong = JSON.stringify(row) !== JSON.stringify(said);
    const by = supersededBy.length === 0 ? '' : ` and names ${supersededBy.join(', ')}`;
    return wrong
      ? [`docs/adr/README.md: row ${number} must say ${date}, ${status}${by}, as the record does`]
      : [];
  });
};

const record = (line: string): string => `# 7. Title\n\n${line}\n\n**Context.** [ADR 3](x.md)\n`;

describe('the index of decisions', () => {
  it('asks for a row, for a line with date and status, and for the same status in both', () => {
    const accepted = new Map([['0007-title.md', record('Date: 2026-11-20. Status: accepted.')]]);
    const partly = new Map([
      [
        '0007-title.md',
        record('Date: 2026-11-20. Status: accepted; the keys are superseded by\n[ADR 36](y.md).'),
      ],
    ]);
    const row = '| [7](0007-title.md) | Something. | 2026-11-20 | accepted |\n';
    expect(toDo(row, accepted)).toEqual([]);
    expect(toDo('', accepted)).toEqual([
      'docs/adr/README.md: add "| [7](0007-title.md) | <what was decided, in a sentence> | 2026-11-20 | accepted |"',
    ]);
    expect(toDo('', new Map([['0007-title.md', record('')]]))).toEqual([
      'docs/adr/0007-title.md: add the line "Date: YYYY-MM-DD. Status: accepted." under the title',
    ]);
    expect(toDo(row, partly)).toEqual([
      'docs/adr/README.md: row 7 must say 2026-11-20, accepted and names 36, as the record does',
    ]);
  });

  it('has every record with its date, its status, and what supersedes it', () => {
    const files = repositoryFiles().filter((file) => /^docs\/adr\/\d{4}-.*\.md$/.test(file));
    const records = new Map(files.map((file) => [file.slice('docs/adr/'.length), readText(file)]));
    expect(records.size).toBeGreaterThan(39);
    expect(toDo(readText('docs/adr/README.md'), records)).toEqual([]);
  });

  it('names no record that is not there', () => {
    const files = repositoryFiles();
    expect(
      [...parseRows(readText('docs/adr/README.md')).keys()].filter(
        (file) => !files.includes(`docs/adr/${file}`),
      ),
    ).toEqual([]);
  });
});
