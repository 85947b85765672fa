import { describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/runtime/release';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemOf } from './testing/command-problems.js';

/** The operator's commands on a page: in blocks of code and in the text, but not in examples of output. */
const commandsIn = (page: string): string[] =>
  [
    ...page
      .replaceAll(/^ *```text\n.*?^ *```$/gms, '')
      .replaceAll('\\\n', ' ')
      .matchAll(/npm run (?:-s )?xs2a -- ([^`\n]+)/g),
  ].map(([, line = '']) => line.trim());

/** False for a placeholder, a line of alternatives, and a shortened value. */
const isCommand = (line: string): boolean => !/^COMMAND\b|\||…/.test(line);
const documented = globSync('docs/{how-to,runbooks}/*.md', { cwd: root }).flatMap((file) =>
  [...new Set(commandsIn(readFileSync(join(root, file), 'utf8')))]
    .filter(isCommand)
    .map((line) => [file, line] as const),
);

describe('the operator’s commands in docs/how-to and docs/runbooks (docs/runbooks/README.md)', () => {
  it('are found on many pages', () => {
    expect(new Set(documented.map(([file]) => file)).size).toBeGreaterThan(15);
  });

  it.each([
    ['doctor --deep', undefined],
    ['psu unlock PSU_ID --reason "case 4711"  # as the operating system user', undefined],
    ['events tial', 'there is no command tial'],
    ['doctor --depe', 'unknown: --depe'],
    ['psu unlock PSU_ID', '--reason <text> is missing'],
    ['events show', 'an argument is missing'],
    ['events show ID ID', 'too many arguments: ID ID'],
  ])('are checked as Commander does: %s', (line, problem) => {
    expect(problemOf(line)).toBe(problem);
  });

  it.each(documented)('exist with their options: %s: %s', (_, line) => {
    expect(problemOf(line)).toBeUndefined();
  });
});
