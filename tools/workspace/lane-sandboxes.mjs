// Starts the sandboxes for one jest run from the build, so that spec files need not start their own.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inFolder = async (work) => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-lanes-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Calls `work` with an empty cluster, which is copied at each start of PostgreSQL. `migrated`: true if the cluster
 * contains a sandbox's tables; `fsync`: true if the copies use fsync. With fsync off, a commit still survives SIGKILL of
 * the server, and a slow disk does not make calls exceed their timeouts.
 */
export const withCluster = async ({ migrated, fsync }, work) =>
  inFolder(async (folder) => {
    const { startPostgres } = await import('../../libs/local-servers/dist/postgres-server.js');
    const { prepareSchemas } = await import('../sandbox/dist/schemas.js');
    const dataDir = join(folder, 'postgres');
    const server = await startPostgres({ dataDir });
    try {
      const urls = { superuser: server.url(), owner: server.url('xs2a_owner') };
      if (migrated) await prepareSchemas(urls, join(dataDir, 'xs2a-migrated'));
    } finally {
      await server.stop();
    }
    if (!fsync)
      appendFileSync(join(dataDir, 'postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n');
    return work({ XS2A_POSTGRES_TEMPLATE: dataDir });
  });

/**
 * Calls `work` with this many sandboxes and demo TPPs, one of each per lane; World.ofLane() and demoWorld() read
 * their addresses. `profile`: the bank's rules.
 */
export const withSandboxes = async (count, profile, work) =>
  inFolder(async (folder) => {
    const { startSandbox } = await import('../sandbox/dist/sandbox.js');
    const folders = Array.from({ length: count }, (_, lane) => join(folder, `${lane}`));
    const starts = await Promise.allSettled(
      folders.map(async (dataDir) => startSandbox({ dataDir, profile, demoTpp: true, sourceMaps: false })),
    );
    const sandboxes = starts.flatMap(({ value }) => value ?? []);
    try {
      for (const { reason } of starts) if (reason) throw reason;
      return await work({
        XS2A_LANE_PROFILE: profile,
        XS2A_LANE_URLS: sandboxes.map(({ baseUrl }) => baseUrl).join(' '),
        XS2A_LANE_FOLDERS: folders.join(' '),
        XS2A_LANE_DEMO_URLS: sandboxes.map(({ demoTppUrl }) => demoTppUrl).join(' '),
      });
    } finally {
      await Promise.all(sandboxes.map(async (sandbox) => sandbox.stop()));
    }
  });
