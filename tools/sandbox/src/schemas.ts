import { prepareDatabases } from '@xs2a/local-servers/databases';
import { precedesBaseline } from '@xs2a/migrations/precedes-baseline';
import type { MigrationSet } from '@xs2a/migrations/run-migrations';
import { Clock } from '@xs2a/runtime/clock';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from './layout.js';
import { servicesWithTables } from './services/service-table.js';

const tooOld =
  'The sandbox has data of an older version, which this version cannot upgrade; npm start -- --reset deletes it and starts again.';

const migrationsFolder = (service: string): string => join(root, 'apps', service, 'dist/migrations');

/** Loads a built app's migrations for its schema. */
export const loadMigrations = async (service: string): Promise<Omit<MigrationSet, 'url'>> =>
  (await import(pathToFileURL(join(migrationsFolder(service), 'index.js')).href)) as Omit<
    MigrationSet,
    'url'
  >;

/**
 * Returns a hash that changes with every change to a migration, a role or the migration runner, and with every
 * month, because partitions are created monthly.
 */
const fingerprint = (clock: Clock): string => {
  const hash = createHash('sha256').update(readFileSync(join(root, 'deploy/postgres/roles.sql')));
  for (const service of servicesWithTables) {
    for (const file of readdirSync(migrationsFolder(service))
      .filter((name) => name.endsWith('.js'))
      .sort()) {
      hash.update(`${service}/${file}`).update(readFileSync(join(migrationsFolder(service), file)));
    }
  }
  hash.update(readFileSync(fileURLToPath(import.meta.resolve('@xs2a/migrations/run-migrations'))));
  return hash.update(clock.date('UTC').slice(0, 7)).digest('hex');
};

/**
 * Creates the database, roles and schemas, and migrates every service's tables to the newest version. Returns the
 * migrations it ran; returns immediately if the stamp shows no changes. Throws if the tables are older than the
 * baseline. `clock` must show real time, like PostgreSQL's own clock; it determines the event partitions.
 */
export const prepareSchemas = async (
  urls: { readonly superuser: string; readonly owner: string },
  stampFile: string,
  clock = new Clock(false),
): Promise<string[]> => {
  const missing = servicesWithTables.find((service) => !existsSync(migrationsFolder(service)));
  if (missing !== undefined) throw new Error(`apps/${missing} is not built: npm run build`);
  const wanted = fingerprint(clock);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return [];
  await prepareDatabases(urls.superuser);
  const sets: MigrationSet[] = [];
  // Migrations are loaded sequentially, because jest cannot import modules in parallel if they import the same file.
  for (const service of servicesWithTables)
    sets.push({ url: urls.owner, ...(await loadMigrations(service)) });
  for (const set of sets) if (await precedesBaseline(set)) throw new Error(tooOld);
  // Loaded only when needed, because it pulls in TypeORM.
  const { runMigrations } = await import('@xs2a/migrations/run-migrations');
  const ran: string[] = [];
  for (const set of sets) ran.push(...(await runMigrations(set)));
  writeFileSync(stampFile, wanted);
  return ran;
};
