import { describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/runtime/release';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemOf } from './testing/command-problems.js';

const files = globSync('apps/console/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.spec.ts'),
);
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');
/** A value in a template, as a person would paste it. */
const filledIn = (text: string): string =>
  text
    .replaceAll(/--field \$\{[^}]*\}/g, '--field psuId')
    .replaceAll(/events (verify|republish) --resource \$\{[^}]*\}/g, 'events $1 --resource payments')
    .replaceAll(/\$\{[^}]*\}/g, 'VALUE');

/** Values of options that do not accept every text. */
const values: Readonly<Record<string, string>> = {
  'consents list --before': '01890a5d-ac96-774b-bcce-b302099a8057',
  'payments find --day': '2026-11-27',
  'payments find --amount': "'12.50 BGN'",
  'notifications list --resource': '01890a5d-ac96-774b-bcce-b302099a8057',
  'events tail --resource': 'payments',
  'calls list --status': 'refused',
  'actions list --act': 'end-consent',
};

/** The options that a page adds to a command: the members of the object that `commandLine` takes. */
const optionsIn = (command: string, members: string): string[] =>
  [...members.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(
    ([, name = '']) => `--${name} ${values[`${command} --${name}`] ?? 'VALUE'}`,
  );

/** Each command in the sources of the console, with the options that may follow. */
const commands = files.flatMap((file) => {
  const source = sourceOf(file);
  const withOptions = [...source.matchAll(/commandLine\(\s*'xs2a ([^']+)',\s*\{([^}]*)\}/g)].map(
    ([, command = '', members = '']) => [command, ...optionsIn(command, members)].join(' '),
  );
  const others = [...source.matchAll(/(?<!commandLine\(\s*)(['`])xs2a ((?:(?!\1).)+)\1/g)].map(
    ([, , command = '']) => filledIn(command),
  );
  return [...withOptions, ...others].map((command): [string, string] => [file, command]);
});
const needsReason =
  / (?:pause|continue|close|block|unblock|unlock|replay|discard|end|try-now|hand-over|reveal|bundle|rotate-secret|approvals)(?: |$)/;

describe('the commands on the pages of the console', () => {
  it('are found on every page', () => {
    expect(commands.length).toBeGreaterThan(20);
    const withCommand = new Set(commands.map(([file]) => file.split('/')[3]));
    const pages = new Set(
      files.filter((file) => sourceOf(file).includes('frames.show(')).map((file) => file.split('/')[3]),
    );
    // Past figures and runbooks are only to be read.
    const readOnly = new Set(['past', 'runbooks']);
    expect([...pages].filter((page = '') => !readOnly.has(page) && !withCommand.has(page))).toEqual([]);
  });

  it.each(commands)('exist with their options: %s: xs2a %s', (_, command) => {
    const line =
      needsReason.test(command) && !command.includes('--reason') ? `${command} --reason VALUE` : command;
    expect(problemOf(line)).toBeUndefined();
  });
});
