// Controls the Compose project of one run, with separate ports; its servers are published on the loopback
// interface for doctor.
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import { listServices } from './build-images.js';
import type { Engine } from './engine.js';
import { run } from './shell.js';

const freePort = async (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
const project = 'xs2a-containers';

/** The servers that are published on the loopback interface. */
const published = ['gateway', 'edge', 'prometheus', 'console', 'staff', 'postgres', 'nats'] as const;
type Published = (typeof published)[number];

export class Deployment {
  /** The active profiles, each with its file in deploy/compose, and the tag of our images. */
  profiles: readonly string[] = [];
  release = 'dev';

  private constructor(
    readonly folder: string,
    readonly engine: Engine,
    private readonly settings: Readonly<Record<string, string>>,
    readonly ports: Readonly<Record<Published, number>>,
  ) {}

  /** Writes .env and publishes ports in addition to the gateway's. */
  static async prepare(folder: string, engine: Engine): Promise<Deployment> {
    const ports = Object.fromEntries(
      await Promise.all(published.map(async (name) => [name, await freePort()])),
    ) as Record<Published, number>;
    const env = [
      await run(join(root, 'deploy/make-env.sh'), []),
      `XS2A_PORT=${ports.gateway}`,
      `XS2A_TLS_PORT=${ports.edge}`,
      `XS2A_PROMETHEUS_PORT=${ports.prometheus}`,
      `XS2A_CONSOLE_PORT=${ports.console}`,
      `XS2A_STAFF_PORT=${ports.staff}`,
    ].join('\n');
    writeFileSync(join(folder, 'env'), `${env}\n`, { mode: 0o600 });
    const servers = {
      services: {
        postgres: { ports: [`127.0.0.1:${ports.postgres}:5432`] },
        nats: { ports: [`127.0.0.1:${ports.nats}:4222`] },
      },
    };
    writeFileSync(join(folder, 'published.yml'), JSON.stringify(servers));
    const settings = Object.fromEntries(env.split('\n').map((line) => line.split('='))) as Record<
      string,
      string
    >;
    return new Deployment(folder, engine, settings, ports);
  }

  get baseUrl(): string {
    return this.profiles.includes('edge')
      ? `https://127.0.0.1:${this.ports.edge}`
      : `http://127.0.0.1:${this.ports.gateway}`;
  }

  async compose(...args: readonly string[]): Promise<string> {
    const overrides: Readonly<Record<string, readonly string[]>> = {
      edge: ['deploy/compose/edge.yml'],
      console: ['deploy/compose/console.yml'],
      cluster: ['deploy/compose/cluster.yml'],
    };
    const files = ['docker-compose.yml', ...this.profiles.flatMap((profile) => overrides[profile] ?? [])].map(
      (file) => join(root, file),
    );
    const before = [
      ...[...files, join(this.folder, 'published.yml')].flatMap((file) => ['-f', file]),
      ...this.profiles.flatMap((profile) => ['--profile', profile]),
      '--env-file',
      join(this.folder, 'env'),
      '-p',
      project,
    ];
    const env = { ...this.engine.env, XS2A_VERSION: this.release };
    return run('/usr/bin/docker-compose', [...before, ...args], { env, cwd: root });
  }

  /** Returns the ids of a service's containers, oldest first. */
  async instances(service: string): Promise<string[]> {
    const labels = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${service}`];
    const filters = labels.flatMap((label) => ['--filter', `label=${label}`]);
    const ids = await this.engine.docker('ps', '-q', '--no-trunc', ...filters);
    return ids.split('\n').filter(Boolean).reverse();
  }

  /** Starts every service of the profiles, or only the named ones, and resolves when all are healthy. */
  async up(...services: readonly string[]): Promise<void> {
    await this.compose('up', '-d', '--no-build', ...services);
    const all = (await this.compose('ps', '-q', ...services)).split('\n').filter(Boolean);
    for (const id of all) await this.untilHealthy(id);
  }

  async untilHealthy(id: string): Promise<void> {
    const format = '{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{end}}';
    for (let tries = 0; ; tries += 1) {
      const status = await this.engine.docker('inspect', '-f', format, id);
      // The container has finished its job, or its image has no health check.
      if (/^(exited|running|running healthy)$/.test(status)) return;
      if (tries === 240) throw new Error(`${id.slice(0, 12)} did not become healthy`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async checkPrivileges(): Promise<void> {
    for (const app of listServices()) {
      const [id = ''] = await this.instances(app);
      const script = 'id -u; grep CapEff /proc/self/status; touch /app/x 2>&1 || true';
      const found = await this.engine.docker('exec', id, 'bash', '-c', script);
      if (!/^1000\nCapEff:\s+0+\n.*Read-only file system/s.test(found)) throw new Error(`${app}: ${found}`);
    }
  }

  /** Returns the URL of a published server, with user and password. */
  address(scheme: 'postgres' | 'nats', user: string, password: string, path = ''): string {
    return `${scheme}://${user}:${this.settings[password]}@127.0.0.1:${this.ports[scheme]}${path}`;
  }

  async down() {
    await this.compose('down', '-v', '--timeout', '15');
  }
}
