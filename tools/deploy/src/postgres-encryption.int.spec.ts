// Lane: long (it takes half a minute).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { configure, exchangeCertificate } from '@xs2a/local-servers/postgres-certificate';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { isUnavailable } from '@xs2a/postgres/errors';
import { createPool } from '@xs2a/postgres/pool';
import { ServerAuthority } from '@xs2a/qwac/testing/server-authority';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-postgres-tls-'));
const [first, second] = [new ServerAuthority('first'), new ServerAuthority('second')];
type Pool = ReturnType<typeof createPool>;
const pools: Pool[] = [];
let server: PostgresServer;

/** Writes the authorities' certificates to a file. */
const trust = (name: string, ...authorities: readonly ServerAuthority[]): string => {
  const file = join(folder, name);
  writeFileSync(file, authorities.map(({ certificate }) => certificate).join(''));
  return file;
};
const urlWith = (caFile: string, { host = 'localhost', role = 'xs2a_payments' } = {}): string => {
  const url = new URL(server.url(role));
  url.hostname = host;
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', caFile);
  return url.href;
};
const open = (url: string): Pool => {
  const pool = createPool({ url, name: 'tls-test' });
  pools.push(pool);
  return pool;
};
const isEncrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
const refusal = async (url: string): Promise<Error & { readonly code?: string }> =>
  open(url)
    .query('SELECT 1')
    .then(
      () => {
        throw new Error('was accepted');
      },
      (error: Error) => error,
    );

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
}, 60_000);
beforeEach(async () => exchangeCertificate(server, first.issue('localhost')));
afterAll(async () => {
  await Promise.all(pools.map(async (pool) => pool.end()));
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a connection to PostgreSQL outside the sandbox (docs/how-to/certificates.md)', () => {
  it('is accepted if it is encrypted and the server certificate is from the trusted authority and for the right host', async () => {
    const { rows } = await open(urlWith(trust('ca.crt', first))).query(isEncrypted);
    expect(rows).toEqual([{ ssl: true }]);
  });

  it('is refused if the certificate is for another host', async () => {
    const error = await refusal(urlWith(trust('ca.crt', first), { host: '127.0.0.1' }));
    expect(error.code).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(isUnavailable(error)).toBe(true);
  });

  it('is refused if the certificate is from another authority', async () => {
    const error = await refusal(urlWith(trust('ca.crt', second)));
    expect(error.code).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(isUnavailable(error)).toBe(true);
  });

  it('is refused if the certificate has expired', async () => {
    await exchangeCertificate(server, first.issue('localhost', { leftMs: -1000 }));
    const error = await refusal(urlWith(trust('ca.crt', first)));
    expect(error).toMatchObject({ code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' });
    expect(isUnavailable(error)).toBe(true);
  });

  it('is refused if it is not encrypted', async () => {
    await configure(server, 'ssl = off');
    const error = await refusal(urlWith(trust('ca.crt', first)));
    expect(error.message).toBe('The server does not support SSL connections');
    expect(isUnavailable(error)).toBe(true);
  });

  it('is also encrypted for migrations', async () => {
    class Seen1700000000001 {
      async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
        await runner.query(`CREATE TABLE seen AS ${isEncrypted}`);
        await runner.query('GRANT SELECT ON seen TO xs2a_payments');
      }
      async down(): Promise<void> {
        throw new Error('not needed');
      }
    }
    const job = { schema: 'payments', migrations: [Seen1700000000001] };
    const role = 'xs2a_owner';
    await expect(
      runMigrations({ ...job, url: urlWith(trust('other.crt', second), { role }) }),
    ).rejects.toThrow('unable to verify');
    await runMigrations({ ...job, url: urlWith(trust('ca.crt', first), { role }) });
    const { rows } = await open(urlWith(trust('ca.crt', first))).query('SELECT ssl FROM seen');
    expect(rows).toEqual([{ ssl: true }]);
  });

  it('uses a new certificate and authority while a service runs, without a restart', async () => {
    const file = trust('service-ca.crt', first);
    const service = open(urlWith(file));
    const failed: unknown[] = [];
    let answered = 0;
    const done = new AbortController();
    const work = (async () => {
      while (!done.signal.aborted) {
        await service.query('SELECT 1').then(
          () => (answered += 1),
          (error: unknown) => failed.push(error),
        );
      }
    })();
    /** Runs with additional, newly opened connections. */
    const withNewConnections = async (): Promise<void> => {
      const idle = Array.from({ length: service.totalCount + 2 }, async () =>
        service.query('SELECT pg_sleep(0.05)'),
      );
      await Promise.all(idle);
    };

    await withNewConnections();
    trust('service-ca.crt', first, second);
    await exchangeCertificate(server, second.issue('localhost'));
    await withNewConnections();
    trust('service-ca.crt', second);
    await withNewConnections();

    done.abort();
    await work;
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(0);
    // Proves that the server uses the new certificate: a client that trusts only the old authority cannot
    // connect.
    expect((await refusal(urlWith(trust('old.crt', first)))).code).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });
});
