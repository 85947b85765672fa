import { describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/runtime/release';
import type { Command } from 'commander';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './program.js';

/** Splits a command line as a shell does, without the comment at its end. */
const words = (line: string): string[] =>
  (line.replace(/\s+#.*$/, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  );

/** The operator's commands on a page: in blocks of code and in the text, but not in examples of output. */
const commandsIn = (page: string): string[] =>
  [
    ...page
      .replaceAll(/^ *```text\n.*?^ *```$/gms, '')
      .replaceAll('\\\n', ' ')
      .matchAll(/npm run (?:-s )?xs2a -- ([^`\n]+)/g),
  ].map(([, line = '']) => line.trim());

/** Returns what Commander would refuse in a command line; undefined if it would run the command. */
const problemOf = (line: string): string | undefined => {
  let [command, rest]: [Command, string[]] = [program(), words(line)];
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (next === undefined) break;
    [command, rest] = [next, rest.slice(1)];
  }
  // `backup` is a command itself, and has a subcommand.
  if (command.commands.length > 0 && !rest[0]?.startsWith('-')) return `there is no command ${rest[0]}`;
  const { operands, unknown } = command.parseOptions(rest.filter((word) => word !== '--json'));
  if (unknown.length > 0) return `unknown: ${unknown.join(' ')}`;
  // Commands keep the values of earlier lines, so the words are examined instead.
  const missing = command.options.find(({ mandatory, long }) => mandatory && !rest.includes(long ?? ''));
  if (missing !== undefined) return `${missing.flags} is missing`;
  const given = command.registeredArguments;
  if (operands.length < given.filter(({ required }) => required).length) return 'an argument is missing';
  const isTooMany = operands.length > given.length && given.at(-1)?.variadic !== true;
  return isTooMany ? `too many arguments: ${operands.join(' ')}` : undefined;
};

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
