import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const readUserId = (user: string, flag: '-u' | '-g'): number | undefined => {
  const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
};

const mayEnter = (folder: string, { uid, gid }: SystemUser): boolean => {
  const { mode, uid: owner, gid: group } = statSync(folder);
  if (owner === uid) return (mode & 0o100) !== 0;
  if (group === gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
};
const folders = (path: string): string[] =>
  dirname(path) === path ? [path] : [path, ...folders(dirname(path))];

/**
 * True if this user may enter an existing folder and all its parents; false, for example, in a checkout under
 * /root.
 */
export const mayReach = (user: SystemUser, folder: string): boolean =>
  folders(folder).every((one) => mayEnter(one, user));

/**
 * Returns the user to run PostgreSQL as, because PostgreSQL refuses to run as root. For root, this is the user
 * `postgres`, which is created if missing; otherwise undefined, which means the current user.
 */
export const postgresUser = (): SystemUser | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  if (readUserId('postgres', '-u') === undefined) {
    execFileSync('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
  }
  const uid = readUserId('postgres', '-u');
  const gid = readUserId('postgres', '-g');
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'PostgreSQL does not run as root, and the user `postgres` cannot be created: run useradd --system postgres',
    );
  }
  return { uid, gid };
};
