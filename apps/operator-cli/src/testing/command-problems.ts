import type { Command } from 'commander';
import { program } from '../program.js';

/** Splits a command line as a shell does, without the comment at its end. */
const words = (line: string): string[] =>
  (line.replace(/\s+#.*$/, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  );

/** Returns what Commander would refuse in a command line; undefined if it would run the command. */
export const problemOf = (line: string): string | undefined => {
  let [command, rest]: [Command, string[]] = [program(), words(line)];
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (next === undefined) break;
    [command, rest] = [next, rest.slice(1)];
  }
  // `backup` and `settlement late` are commands themselves, with options, and have a subcommand.
  if (command.commands.length > 0 && command.options.length === 0) return `there is no command ${rest[0]}`;
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
