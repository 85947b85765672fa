import { chownSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { PostgresServer } from './postgres-server.js';

const ask = async <Row>(url: string, text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row & object>(text)).rows;
  } finally {
    await client.end();
  }
};

/**
 * Installs or replaces a running server's certificate and key (PEM) and reloads its configuration. Resolves once
 * new connections use the new certificate; existing connections stay open.
 */
export const exchangeCertificate = async (
  server: PostgresServer,
  { certificate, privateKey }: { readonly certificate: string; readonly privateKey: string },
): Promise<void> => {
  const { uid, gid } = statSync(server.dataDir);
  for (const [name, text] of [
    ['server.crt', certificate],
    ['server.key', privateKey],
  ] as const) {
    const file = join(server.dataDir, name);
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    chownSync(`${file}.new`, uid, gid);
    renameSync(`${file}.new`, file);
  }
  await configure(server, 'ssl = on');
};

/** Changes a setting that needs no restart. It applies to all connections from then on. */
export const configure = async (server: PostgresServer, setting: string): Promise<void> => {
  const url = server.url();
  const readAt = async (): Promise<number> => {
    const [row] = await ask<{ at: number }>(
      url,
      'SELECT extract(epoch FROM pg_conf_load_time())::float8 AS at',
    );
    return row?.at ?? 0;
  };
  const before = await readAt();
  await ask(url, `ALTER SYSTEM SET ${setting}`);
  await ask(url, 'SELECT pg_reload_conf()');
  while ((await readAt()) === before);
};
