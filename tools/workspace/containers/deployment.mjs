// The Compose project of one run, with ports of its own and the servers published on the loopback, for doctor.
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { run } from './shell.mjs';
import { listBuiltApps } from './build-images.mjs';

const freePort = async () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
const project = 'xs2a-containers';
/** Failures of the doctor that are accepted: Compose has one PostgreSQL, and the stand-in has Debian's older nats-server. */
const expected = /✗ (replication|nats access) /;

export class Deployment {
  constructor(root, folder, engine, settings, ports) {
    Object.assign(this, { root, folder, engine, settings, ports });
    this.baseUrl = `http://127.0.0.1:${ports.gateway}`;
  }

  /** Writes .env and what is published beside the gateway. */
  static async prepare(root, folder, engine) {
    const ports = { gateway: await freePort(), postgres: await freePort(), nats: await freePort() };
    const env = `${await run(join(root, 'deploy/make-env.sh'), [])}\nXS2A_PORT=${ports.gateway}\n`;
    writeFileSync(join(folder, 'env'), env, { mode: 0o600 });
    const published = {
      version: '3.8',
      services: {
        postgres: { ports: [`127.0.0.1:${ports.postgres}:5432`] },
        nats: { ports: [`127.0.0.1:${ports.nats}:4222`] },
      },
    };
    writeFileSync(join(folder, 'published.yml'), JSON.stringify(published));
    const settings = Object.fromEntries(
      env
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    return new Deployment(root, folder, engine, settings, ports);
  }

  async compose(...args) {
    const files = [join(this.root, 'docker-compose.yml'), join(this.folder, 'published.yml')];
    const before = [
      ...files.flatMap((file) => ['-f', file]),
      '--env-file',
      join(this.folder, 'env'),
      '-p',
      project,
    ];
    return run('/usr/bin/docker-compose', [...before, ...args], { env: this.engine.env, cwd: this.root });
  }

  /** The ids of a service's containers, oldest first. */
  async instances(service) {
    const labels = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${service}`];
    const filters = labels.flatMap((label) => ['--filter', `label=${label}`]);
    const ids = await this.engine.docker('ps', '-q', '--no-trunc', ...filters);
    return ids.split('\n').filter(Boolean).reverse();
  }

  async isHealthy(id) {
    const status = await this.engine.docker('inspect', '-f', '{{.State.Health.Status}}', id);
    return status === 'healthy';
  }

  async up() {
    await this.compose('up', '-d', '--no-build');
    for (const app of listBuiltApps(this.root)) {
      const [id = ''] = await this.instances(app);
      await this.untilHealthy(id);
    }
  }

  async untilHealthy(id) {
    for (let tries = 0; !(await this.isHealthy(id)); tries += 1) {
      if (tries === 240) throw new Error(`${id.slice(0, 12)} does not become healthy`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async checkPrivileges() {
    for (const app of listBuiltApps(this.root)) {
      const [id = ''] = await this.instances(app);
      const script = 'id -u; grep CapEff /proc/self/status; touch /app/x 2>&1 || true';
      const found = await this.engine.docker('exec', id, 'bash', '-c', script);
      if (!/^1000\nCapEff:\s+0+\n.*Read-only file system/s.test(found)) throw new Error(`${app}: ${found}`);
    }
  }

  async demo() {
    const script = join(this.root, 'tools/sandbox/dist/demo/main.js');
    if (!existsSync(script)) throw new Error('build the project first: npm run build');
    const node = join(this.root, 'node_modules/node/bin/node');
    return run(node, [script, '--base-url', this.baseUrl]);
  }

  /** Answers what doctor says. Throws when more is not well than is expected here. */
  async doctor() {
    const { POSTGRES_PASSWORD_OWNER: owner, NATS_PASSWORD_OPERATOR: operator } = this.settings;
    const node = join(this.root, 'node_modules/node/bin/node');
    const env = {
      DATABASE_URL: `postgres://xs2a_owner:${owner}@127.0.0.1:${this.ports.postgres}/xs2a`,
      NATS_URL: `nats://operator:${operator}@127.0.0.1:${this.ports.nats}`,
      PROFILE: 'sandbox',
    };
    const doctor = [join(this.root, 'apps/operator-cli/dist/main.js'), 'doctor', '--deep'];
    try {
      return await run(node, doctor, { env });
    } catch (error) {
      const wrong = error.message.split('\n').filter((line) => /(^|: )✗ /.test(line));
      if (wrong.length === 0 || !wrong.every((line) => expected.test(line))) throw error;
      return error.message;
    }
  }

  async down() {
    await this.compose('down', '-v', '--timeout', '15');
  }
}
