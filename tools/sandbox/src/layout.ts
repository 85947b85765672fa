import { authorityFiles, replaceFile } from '@xs2a/qwac/certificate-files';
import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';

/** The repository root, resolved from both src and dist. */
export const root = resolve(import.meta.dirname, '../../..');

/** The folder in which `npm start` keeps its data; XS2A_DATA_DIR overrides it. */
export const defaultDataDir = resolve(process.env.XS2A_DATA_DIR ?? join(root, '.xs2a/sandbox'));

/** The paths in a sandbox's data folder. */
export const makeLayout = (dataDir: string) => ({
  postgres: join(dataDir, 'postgres'),
  nats: join(dataDir, 'nats'),
  prometheus: join(dataDir, 'prometheus'),
  keys: join(dataDir, 'secrets', 'signing-keys.json'),
  bundleKeys: join(dataDir, 'secrets', 'bundle-keys.json'),
  /** The authority whose QWACs this sandbox accepts. */
  testAuthority: authorityFiles(dataDir),
  secret: (name: string): string => join(dataDir, 'secrets', name),
  log: (name: string): string => join(dataDir, 'logs', `${name}.log`),
  ports: join(dataDir, 'ports.json'),
  /** The demo TPP's registration if it is not the one in the fixtures. */
  demoTpp: join(dataDir, 'secrets', 'demo-tpp.json'),
  /** Records the database's migrations. The file is in the database folder, so that both are deleted together. */
  migrated: join(dataDir, 'postgres', 'xs2a-migrated'),
  /** The profile of the bank whose data is in the folder. */
  profile: join(dataDir, 'profile'),
  lock: join(dataDir, 'lock.json'),
  /** Tells the demo and the tools where to find the running sandbox. */
  running: join(dataDir, 'running.json'),
});
export type Layout = ReturnType<typeof makeLayout>;

/** Writes a file that only its owner can read. */
export const writePrivately = (file: string, content: string): void => replaceFile(file, content, 0o600);

/** Returns a random secret of this sandbox, generated at first use and then kept. */
export const secretIn = (file: string): string => {
  if (!existsSync(file)) writePrivately(file, `${randomBytes(32).toString('base64url')}\n`);
  return readFileSync(file, 'utf8').trim();
};

/** Creates a service's master key unless it exists. Returns the path of the file. */
export const masterKeysIn = (file: string): string => {
  if (!existsSync(file)) writePrivately(file, `sandbox:${randomBytes(32).toString('base64')}\n`);
  return file;
};

export const readJson = <Content>(file: string): Content | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content;
  } catch {
    return undefined;
  }
};
