// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { World } from '@xs2a/test-support/world';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ended, launch, parseValues, type Ran } from '../testing/command-process.js';
import { Customer } from '../testing/customer.js';
import { majorVersion } from './client-programs.js';
import type { BackupManifest } from './manifest.js';

/**
 * npm does not provide PostgreSQL's client programs, so the drill is skipped unless the machine has them in the
 * server's version.
 */
const client = spawnSync('pg_restore', ['--version'], { encoding: 'utf8' }).stdout ?? '';
const drill = majorVersion(client) >= 18 ? describe : describe.skip;

drill('the drill of docs/how-to/back-up-and-restore.md, with PostgreSQL’s own programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-drill-'));
  const file = join(folder, 'xs2a.dump');
  let world: World;
  let manifest: BackupManifest | undefined;
  let kept: string;
  let lost: string;
  const xs2a = async (...args: readonly string[]): Promise<Ran> =>
    ended(launch(world.dataDir, args, { PATH: process.env['PATH'] ?? '' }));
  const settled = async (customer: Customer): Promise<string> => {
    const paymentId = await customer.pay();
    await customer.advance('PT1M');
    return paymentId;
  };
  /** Returns the superuser's URL for a database. */
  const superuser = (database: string): string => {
    const url = new URL(world.sandbox.databaseUrl('postgres'));
    url.pathname = `/${database}`;
    return url.href;
  };

  beforeAll(async () => {
    world = await World.start();
    kept = await settled(await Customer.of(world.baseUrl));
  }, 120_000);
  afterAll(async () => {
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  it('creates a backup while the services are working, and reads it to the end', async () => {
    const made = await xs2a('backup', '--to', file, '--json');
    expect([made.code, made.stderr]).toEqual([0, '']);
    [manifest] = parseValues<BackupManifest>(made);
    expect(manifest?.anchors[0]).toMatch(/^payments:[1-9]\d*:/);
    expect(await xs2a('backup', 'verify', file)).toMatchObject({ code: 0, stderr: '' });
    lost = await settled(await Customer.of(world.baseUrl));
  }, 60_000);

  it('restores the backup into a new database, in which every check and invariant holds', async () => {
    const services = Object.values(world.sandbox.services);
    await Promise.all(services.map(async (service) => service.stop()));
    const session = new Client({ connectionString: superuser('postgres') });
    await session.connect();
    await session.query('DROP DATABASE xs2a WITH (FORCE)');
    await session.end();
    await prepareDatabases(superuser('postgres'));
    const { status, stderr } = spawnSync(
      'pg_restore',
      ['--clean', '--if-exists', '--exit-on-error', `--dbname=${superuser('xs2a')}`, file],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
    for (const service of services) await service.start();
    const customer = await Customer.of(world.baseUrl);
    expect([await customer.readStatus(kept), await customer.readStatus(lost)]).toEqual(['ACSC', undefined]);
    await settled(customer);
    const trusted = (manifest?.anchors ?? []).flatMap((anchor) => ['--trust', anchor]);
    const verified = await xs2a('events', 'verify', ...trusted);
    expect([verified.code, verified.code === 0 ? '' : verified.stdout]).toEqual([0, '']);
    const examined = await xs2a('doctor', '--deep');
    expect([examined.code, examined.stdout]).toEqual([0, expect.stringMatching(/^! lost events /m)]);
  }, 120_000);
});
