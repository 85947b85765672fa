// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-process-list-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = (name: string): string => join(root, 'deploy', name);
const programOnPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((file) => existsSync(file));

/**
 * Runs a script in which each program is replaced by one that first records its command line as shown in the
 * process list. Returns the script's output and the recorded lines. Polling /proc would miss short-lived programs.
 */
const run = (
  name: string,
  { args = [], env = {}, psql }: { args?: string[]; env?: Record<string, string>; psql?: string },
): { output: string; commandLines: string } => {
  const bin = mkdtempSync(join(folder, 'bin-'));
  const notes = join(bin, '.notes');
  writeFileSync(notes, '');
  const words = new Set(readFileSync(script(name), 'utf8').match(/[a-z][\w.-]*/g));
  for (const word of words) {
    const program = word === 'psql' ? psql : programOnPath(word);
    // printf, echo and test are shell builtins, which do not appear in the process list.
    if (program === undefined || ['printf', 'echo', 'test', 'sh'].includes(word)) continue;
    writeFileSync(join(bin, word), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${notes}'\nexec '${program}' "$@"\n`, {
      mode: 0o755,
    });
  }
  const output = execFileSync('sh', [script(name), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, ...env },
  });
  return { output, commandLines: readFileSync(notes, 'utf8') };
};

/** Returns the random parts of a script's output: at least 40 hexadecimal or 43 base64 characters. */
const secretsIn = (text: string): string[] => text.match(/[\da-f]{40,}|[\w+/-]{43,}=?/g) ?? [];
const shown = (secrets: readonly string[], commandLines: string): string[] =>
  secrets.filter((secret) => commandLines.includes(secret.replace(/^s(?=[\da-f]{48}$)/, '')));

describe('setting up a deployment exposes no secret in the process list (docs/how-to/deploy.md)', () => {
  it('deploy/make-env.sh', () => {
    const { output, commandLines } = run('make-env.sh', {});
    const secrets = secretsIn(output);
    expect(secrets.length).toBeGreaterThan(20);
    expect(commandLines).toContain('-An -N24');
    expect(shown(secrets, commandLines)).toEqual([]);
  });

  it('deploy/make-secrets.sh', () => {
    const secretsFolder = join(folder, 'secrets');
    const { commandLines } = run('make-secrets.sh', { args: [secretsFolder] });
    const files = readdirSync(secretsFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\/|roles\.sql/.test(file),
    );
    const texts = files
      .filter((file) => !/\.pem$|\.crt$/.test(file))
      .map((file) => readFileSync(join(secretsFolder, file), 'utf8'));
    const secrets = texts.flatMap(secretsIn);
    expect(secrets.length).toBeGreaterThan(30);
    expect(commandLines).toContain('rand -hex 24');
    expect(shown(secrets, commandLines)).toEqual([]);
  });

  describe('database scripts, which read passwords from their environment', () => {
    const roles = [
      'owner',
      'payments',
      'consents',
      'accounts',
      'auth',
      'settlement',
      'notifications',
      'console',
    ];
    const passwords = Object.fromEntries(
      [...roles, 'replicator'].map((role) => [
        `POSTGRES_PASSWORD_${role.toUpperCase()}`,
        `secret-of-${role}`,
      ]),
    );
    /**
     * Replaces psql, which is not available from npm. Records the values that `\getenv` reads and the role for
     * which each is used.
     */
    const psql = join(folder, 'psql');
    const given = join(folder, 'given');
    beforeAll(() => {
      mkdirSync(join(folder, 'data'));
      const work = `while read -r command _ variable; do
  [ "$command" != '\\getenv' ] || eval "printf '%s %s\\\\n' \\"$*\\" \\"\\$$variable\\"" >> '${given}'
done`;
      writeFileSync(psql, `#!/bin/sh\n${work}\n`, { mode: 0o755 });
    });
    const env = { ...passwords, PGDATA: join(folder, 'data') };

    it.each([
      ['postgres/passwords.sh', roles],
      ['postgres/replication.sh', ['replicator']],
    ])('deploy/%s', (name, expected) => {
      rmSync(given, { force: true });
      const { commandLines } = run(name, { env, psql });
      expect(commandLines).toContain('ON_ERROR_STOP=1');
      expect(commandLines).not.toContain('secret-of-');
      const lines = readFileSync(given, 'utf8').trim().split('\n');
      expect(lines.map((line) => line.split(' ').at(-1))).toEqual(
        expected.map((role) => `secret-of-${role}`),
      );
      if (expected.length > 1)
        for (const [at, role] of roles.entries()) expect(lines[at]).toContain(`role=xs2a_${role} `);
    });
  });
});
