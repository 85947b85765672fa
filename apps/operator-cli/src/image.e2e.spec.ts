// Lane: long (the operator command, with a bank of its own).
import { makeLayout } from '@xs2a/sandbox/layout';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import { root } from '@xs2a/runtime/release';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, parseValues, type Ran } from './testing/command-process.js';
import { Customer } from './testing/customer.js';

type Env = Readonly<Record<string, string>>;

/** A folder outside the checkout, so that no package can be resolved from the checkout's node_modules. */
const image = mkdtempSync(join(tmpdir(), 'xs2a-cli-image-'));
/** Runs the entry point of deploy/Dockerfile with only the files in the image. */
const xs2a = async (args: readonly string[], env: Env = {}): Promise<Ran> =>
  ended(
    spawn(
      process.execPath,
      ['--enable-source-maps', join(image, 'apps/operator-cli/dist/main.js'), ...args],
      {
        cwd: image,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ),
  );
const files = (): string[] =>
  readdirSync(image, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(image, file)).isFile(),
  );

let world: World;
let deployed: Env;
let paymentId: string;

beforeAll(async () => {
  execFileSync(process.execPath, [
    join(root, 'tools/workspace/dist/image/lay-out.js'),
    'apps/operator-cli',
    image,
  ]);
  world = await World.start();
  deployed = {
    DATABASE_URL: world.sandbox.databaseUrl('xs2a_owner'),
    NATS_URL: world.sandbox.natsUrl(),
    BASE_URL: world.baseUrl,
    PROFILE: 'sandbox',
    SANDBOX: 'true',
  };
  const customer = await Customer.of(world.baseUrl);
  paymentId = await customer.pay();
  await customer.advance('PT1M');
}, 120_000);
afterAll(async () => {
  await world?.stop();
  rmSync(image, { recursive: true, force: true });
}, 30_000);

describe('the image xs2a/cli (deploy/Dockerfile)', () => {
  it('contains only the bundle, without servers, packages, sources, tests or anything that starts a sandbox', () => {
    const all = files();
    expect(all.filter((file) => /node_modules|\.ts$|\.spec\.|(^|\/)(src|libs|testing)\//.test(file))).toEqual(
      [],
    );
    const maps = all.filter((file) => file.endsWith('.js.map'));
    const sources = maps.flatMap(
      (file) => (JSON.parse(readFileSync(join(image, file), 'utf8')) as { sources: string[] }).sources,
    );
    expect(
      sources.filter((source) =>
        /running-sandbox|sandbox\/src\/(sandbox|assembly|processes)|postgres-server|nats-server\.ts/.test(
          source,
        ),
      ),
    ).toEqual([]);
    expect(sources).toContainEqual(expect.stringMatching(/\/src\/program\.ts$/));
  });

  it('is small, and includes a list of the packages that it contains', () => {
    const bytes = files().reduce((sum, file) => sum + statSync(join(image, file)).size, 0);
    expect(bytes).toBeLessThan(10_000_000);
    const bom = JSON.parse(readFileSync(join(image, 'sbom.cdx.json'), 'utf8')) as {
      metadata: { component: { name: string } };
      components: { name: string }[];
    };
    expect(bom.metadata.component.name).toBe('xs2a/cli');
    expect(bom.components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['commander', 'pg', 'typeorm', '@nats-io/jetstream']),
    );
  });

  it('refers to itself as xs2a, and states which settings it needs', async () => {
    expect(await xs2a(['doctor'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'DATABASE_URL and NATS_URL are not set.\n',
    });
    expect((await xs2a(['nope'])).stderr).toBe("Unknown command 'nope'. Run: xs2a --help\n");
    const { code, stdout } = await xs2a(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: xs2a /)]);
  });

  it('checks a deployed system, including all invariants', async () => {
    const { code, stdout, stderr } = await xs2a(['doctor', '--deep'], deployed);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`✓ public address        ${world.baseUrl} answers 200`);
    expect(stdout).toMatch(/✓ migrations +all \d+ have run/);
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) expect(stdout).toContain(`✓ invariant ${number} `);
  }, 60_000);

  it('verifies events, and reads payments, projections, TPPs and the queue', async () => {
    const verified = await xs2a(['events', 'verify'], deployed);
    expect([verified.code, verified.stderr]).toEqual([0, expect.any(String)]);
    const shown = await xs2a(['events', 'show', paymentId], deployed);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('settled')]);
    for (const args of [['projections', 'list'], ['tpp', 'list'], ['settlement', 'queue'], ['consumers']])
      expect([args, (await xs2a(args, deployed)).code]).toEqual([args, 0]);
    const rebuilt = await xs2a(['projections', 'rebuild', 'payment_view'], {
      ...deployed,
      PAYMENTS_MASTER_KEYS_FILE: makeLayout(world.sandbox.dataDir).secret('master-keys-payments'),
    });
    expect([rebuilt.code, rebuilt.stdout]).toEqual([
      0,
      expect.stringContaining('payment_view matches its events'),
    ]);
  }, 60_000);

  it('reads the secrets and the profile of the bank from files', async () => {
    const secret = (name: string, content = ''): string => {
      writeFileSync(join(image, name), content);
      return join(image, name);
    };
    const env = {
      DATABASE_URL_FILE: secret('database-url', `${deployed['DATABASE_URL']}\n`),
      NATS_URL_FILE: secret('nats-url', deployed['NATS_URL']),
      PROFILE_FILE: join(image, 'deploy/profiles/sandbox.json'),
      SANDBOX: 'true',
    };
    expect((await xs2a(['projections', 'list'], env)).code).toBe(0);
    const nowhere = await xs2a(['projections', 'list'], { ...env, PROFILE_FILE: '/nowhere.json' });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, 'PROFILE_FILE: there is no file /nowhere.json.\n']);
  });

  it('runs the migrations again without any changes', async () => {
    const { code, stdout, stderr } = await xs2a(['migrate'], deployed);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      ['accounts', 'consents', 'payments', 'settlement', 'notifications', 'console', 'auth', 'NATS']
        .map((name) => `✓ ${name.padEnd(14)} up to date\n`)
        .join(''),
    );
  });

  it('runs the demo', async () => {
    const { code, stdout, stderr } = await xs2a(['demo', '--base-url', world.baseUrl]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Everything was as the contract says.');
    const [played] = parseValues<{ paymentId: string }>(
      await xs2a(['demo', '--base-url', world.baseUrl, '--json']),
    );
    expect(played?.paymentId).toMatch(/^[0-9a-f-]{36}$/);
    const refused = await xs2a(['demo', '--base-url', world.baseUrl, '--cert', 'x']);
    expect([refused.code, refused.stderr]).toEqual([2, '--ca, --cert and --key need an https --base-url.\n']);
  }, 60_000);
});
