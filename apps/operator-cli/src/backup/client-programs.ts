import { isVerifyFull, systemAuthorities } from '@xs2a/postgres/tls';
import { spawn } from 'node:child_process';
import { Refusal } from '../command-line/refusal.js';

/** A PostgreSQL client program, found on the PATH. */
export type ClientProgram = 'pg_dump' | 'pg_restore';
type Env = Readonly<Record<string, string | undefined>>;

/**
 * Runs the program to completion and returns its output. If the program fails, throws a {@link Refusal} with its
 * error message.
 */
export const runClient = async (
  program: ClientProgram,
  args: readonly string[],
  env: Env = process.env,
): Promise<string> => {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (said.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.stderr += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Refusal(
              `${program} is not installed. The image xs2a/cli contains it; elsewhere install the PostgreSQL client.`,
            )
          : error,
      ),
    );
    child.once('close', resolve);
  });
  if (code === 0) return said.stdout;
  throw new Refusal(`${program} failed: ${said.stderr.trim() || `exit code ${code}`}`);
};

/**
 * Parses the major version of a server or a program: 18 from `18.4 (Debian 18.4-1)` or from `pg_dump (PostgreSQL)
 * 18.6`.
 */
export const majorVersion = (text: string): number => Number(/(?:^|PostgreSQL\) )(\d+)/.exec(text)?.[1]);

/** Returns the version of the program. Throws {@link Refusal} if the program is missing or older than the server. */
export const checkClient = async (program: ClientProgram, serverVersion: string): Promise<string> => {
  const version = (await runClient(program, ['--version'])).trim();
  if (majorVersion(version) >= majorVersion(serverVersion)) return version;
  throw new Refusal(`${version} is older than the server, PostgreSQL ${serverVersion.split(' ')[0]}.`);
};

/**
 * Splits a database URL into a URL for the command line, which other users of the machine can read, and the
 * password. If the URL names no certificate authorities, libpq would look for them in a file of its own, so
 * parameters are added that select those of the system, as in the pool.
 */
export const connectionOf = (databaseUrl: string): { readonly url: string; readonly env: Env } => {
  const url = new URL(databaseUrl);
  const { searchParams } = url;
  // Like pg, prefers this parameter to the password in the URL's userinfo.
  const password = searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  // The first two parameters are secrets; the third belongs to pg and is rejected by libpq.
  for (const name of ['password', 'sslpassword', 'uselibpqcompat']) searchParams.delete(name);
  if (isVerifyFull(databaseUrl) && !searchParams.has('sslrootcert'))
    searchParams.set('sslrootcert', systemAuthorities);
  return { url: url.href, env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) } };
};
