// Runs a Docker engine for this run with its own data and socket, independent of other engines on the
// machine.
import { spawn } from 'node:child_process';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { run, step } from './shell.js';

const packages = ['docker.io', 'docker-compose', 'debootstrap', 'iptables'];

const isInstalled = async (name: string): Promise<boolean> =>
  run('dpkg-query', ['-W', '-f', '${Status}', name]).then(
    (status) => status === 'install ok installed',
    () => false,
  );

const listInstalled = async (): Promise<string[]> =>
  (await run('dpkg-query', ['-W', '-f', '${Package}\n'])).split('\n').filter(Boolean);

/** Installs missing Debian packages. Returns the newly installed packages with their dependencies. */
export const installEngine = async (): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (const name of packages) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return [];
  const before = new Set(await listInstalled());
  await step(`install ${missing.join(', ')}`, async () => {
    await run('apt-get', ['update', '-qq']);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  });
  return (await listInstalled()).filter((name) => !before.has(name));
};

export const removeEngine = async (installed: readonly string[]): Promise<void> => {
  if (installed.length > 0)
    await step(`remove ${installed.length} packages`, async () =>
      run('apt-get', ['purge', '-y', '-qq', ...installed]),
    );
};

const hasBridge = (): boolean => existsSync('/sys/class/net/docker0');

/** Removes the bridge and the packet filter rules that an engine leaves behind, and enables packet forwarding again. */
const removeNetwork = async (folder: string): Promise<void> => {
  const rules = (await run('iptables-save', [])).split('\n');
  const others = rules.filter((line) => !/DOCKER|docker0/.test(line));
  const restored = join(folder, 'rules');
  writeFileSync(restored, `${others.join('\n').replace(':FORWARD DROP', ':FORWARD ACCEPT')}\n`);
  await run('iptables-restore', [restored]);
  await run('ip', ['link', 'delete', 'docker0']);
};

export interface Engine {
  /** The environment for the Docker client. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs the Docker client. Returns its output. */
  docker(this: void, ...args: readonly string[]): Promise<string>;
  /** Stops the engine with all its containers. */
  stop(this: void): Promise<void>;
}

/** Starts an engine in `folder`. */
export const startEngine = async (folder: string): Promise<Engine> => {
  if (hasBridge())
    throw new Error('a Docker engine runs here, or left its bridge docker0: this run starts its own');
  const socket = join(folder, 'docker.sock');
  const log = openSync(join(folder, 'engine.log'), 'a');
  const daemon = spawn(
    '/usr/sbin/dockerd',
    [
      ['--data-root', join(folder, 'data')],
      ['--exec-root', join(folder, 'exec')],
      ['--pidfile', join(folder, 'engine.pid')],
      ['-H', `unix://${socket}`],
    ].flat(),
    { stdio: ['ignore', log, log] },
  );
  const ended = new Promise((resolve) => daemon.once('close', resolve));
  // Debian's engine builds images without the BuildKit plugin.
  const env = { DOCKER_HOST: `unix://${socket}`, DOCKER_BUILDKIT: '0', COMPOSE_DOCKER_CLI_BUILD: '0' };
  const docker = async (...args: readonly string[]): Promise<string> => run('/usr/bin/docker', args, { env });
  for (let tries = 1; ; tries += 1) {
    if (daemon.exitCode !== null) throw new Error(`the engine ended: ${join(folder, 'engine.log')}`);
    // The engine refuses connections until it has started, so this retries.
    if (existsSync(socket) && (await docker('version').catch(() => undefined)) !== undefined) break;
    if (tries === 120) throw new Error('the engine does not answer');
    await wait(500);
  }
  const stop = async (): Promise<void> => {
    daemon.kill('SIGTERM');
    await ended;
    if (hasBridge()) await removeNetwork(folder);
  };
  return { env, docker, stop };
};
