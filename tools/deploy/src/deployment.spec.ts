import { describe, expect, it } from '@jest/globals';
import { databaseRoles } from '@xs2a/local-servers/databases';
import { natsRights, natsUsers } from '@xs2a/nats/permissions/rights';
import { deploymentConfiguration, natsPasswordVariable } from '@xs2a/nats/permissions/server-configuration';
import { defaultFileStore } from '@xs2a/local-servers/nats-server';
import type { ConfigSpec } from '@xs2a/runtime/config';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { streamMegabytes } from '@xs2a/sandbox/assembly';
import { migrationNames } from './kubernetes/migrations.js';
import { configMapData, named, readKustomization } from './kubernetes/read-manifests.js';
import { declaredBy } from './kubernetes/settings.js';
import { root } from '@xs2a/sandbox/layout';
import { connectionsNeeded } from '@xs2a/runtime/database/connection-budget';
import {
  makeEnvironment,
  type ServiceName,
  serviceNames,
  servicesWithTables,
} from '@xs2a/sandbox/services/service-table';

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
/** The operator's command, which is not a service. */
const undeployed = 'operator-cli';
const apps = readdirSync(join(root, 'apps'))
  .filter((app) => app !== undeployed)
  .sort();

const required = (spec: ConfigSpec): string[] =>
  Object.entries(spec)
    .filter(([, setting]) => setting.fallback === undefined && !setting.optional)
    .map(([name]) => name);

/** `NAME_FILE` sets NAME, unless NAME_FILE itself is a setting. */
const settingsGiven = (names: readonly string[], spec: ConfigSpec): string[] =>
  names.map((name) => (name in spec || !name.endsWith('_FILE') ? name : name.slice(0, -'_FILE'.length)));

const expectToFit = (names: readonly string[], spec: ConfigSpec): void => {
  const given = settingsGiven(names, spec);
  expect(given.filter((name) => !(name in spec))).toEqual([]);
  expect(required(spec).filter((name) => !given.includes(name))).toEqual([]);
};

interface ComposeService {
  readonly environment: Readonly<Record<string, string>>;
  readonly build?: { readonly args: { readonly APP: string } };
  readonly depends_on?: Readonly<Record<string, unknown>>;
}
const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};

const sandboxEnvironment = (service: ServiceName): Readonly<Record<string, string>> =>
  makeEnvironment(service, {
    checkout: root,
    databaseUrl: () => '',
    natsUrl: () => '',
    healthPort: () => 0,
    secretFile: () => '',
    masterKeysFile: () => '',
    hashKeysFile: () => '',
    profile: () => 'sandbox',
    baseUrl: '',
    publicPort: 0,
    authPort: 0,
    portalPort: 0,
    keysFile: '',
    bundleKeysFile: '',
    trustAnchorsFile: '',
    logLevel: 'info',
  });

describe('every app (docs/how-to/deploy.md)', () => {
  it('is in the sandbox, in compose and in k8s, and has a NATS account', () => {
    expect([...serviceNames].sort()).toEqual(apps);
    expect(Object.keys(natsRights).sort()).toEqual(apps);
    expect(apps.filter((app) => compose.services[app]?.build?.args.APP !== app)).toEqual([]);
    const { resources = [] } = readKustomization('base');
    expect(apps.filter((app) => !resources.includes(`${app}.yaml`))).toEqual([]);
  });

  it('uses existing streams and buckets: services have no permission to create them (docs/adr/0019)', () => {
    const settings = ['SANDBOX', 'MIGRATION_NATS_URL', 'PAYMENTS_STREAM_MAX_MB', 'CONSENTS_STREAM_MAX_MB'];
    for (const app of apps) expect(compose.services[app]?.depends_on).toHaveProperty('migrate-nats');
    expect(Object.keys(compose.services['migrate-nats']?.environment ?? {})).toEqual(settings);
    const [container] = named('Job', 'migrate-nats').spec.template.spec.containers;
    expect(container?.env?.map(({ name }) => name.replace(/_FILE$/, ''))).toEqual(settings);
  });

  it('has a migration job if it has tables', () => {
    const withTables = apps.filter((app) => existsSync(join(root, 'apps', app, 'src/migrations')));
    expect([...servicesWithTables].sort()).toEqual(withTables);
    for (const app of withTables) {
      expect(compose.services[app]?.depends_on).toHaveProperty(`migrate-${app}`);
      expect(compose.services[`migrate-${app}`]?.environment).toHaveProperty('MIGRATION_DATABASE_URL');
      expect(
        named('Job', `migrate-${app}`).spec.template.spec.containers[0]?.env?.map(({ name }) => name),
      ).toEqual(['SANDBOX', 'MIGRATION_DATABASE_URL_FILE']);
    }
  });
});

describe('PostgreSQL connections (docs/how-to/upgrade.md)', () => {
  it('are enough, within the documented limit, for two instances of every service, a third during a rollout, and operators', async () => {
    const pools = await Promise.all(
      apps.map(async (app) => Number((await declaredBy(app))['DATABASE_POOL']?.fallback ?? 0)),
    );
    expect(pools.filter((pool) => pool > 0)).toHaveLength(servicesWithTables.length);
    const besideServices = 20;
    const needed = 3 * pools.reduce((sum, pool) => sum + pool, 0) + besideServices;
    expect(connectionsNeeded(servicesWithTables.length)).toBe(needed);
    const documented = [
      /`max_connections` of at least (\d+)/.exec(text('docs/how-to/upgrade.md')),
      /max_connections=(\d+)/.exec(text('docker-compose.yml')),
      /max_connections: (\d+)/.exec(text('libs/local-servers/src/postgres-server.ts')),
    ].map((found) => Number(found?.[1]));
    expect(documented.filter((number) => !(number >= needed))).toEqual([]);
  });
});

describe.each(apps)('the settings of %s match the declared ones', (app) => {
  it('in the sandbox', async () => {
    expectToFit(Object.keys(sandboxEnvironment(app as ServiceName)), await declaredBy(app));
  });

  it('in compose', async () => {
    expectToFit(Object.keys(compose.services[app]?.environment ?? {}), await declaredBy(app));
  });
});

describe('the core bank (docs/how-to/connect-your-core-bank.md)', () => {
  const asking = apps.filter((app) => text(`apps/${app}/src/config.ts`).includes('coreBankConfig'));

  it('is the same for every app that calls it; in compose, it is the sandbox bank', () => {
    expect(asking).toEqual(['accounts', 'auth', 'portal']);
    for (const app of asking)
      expect(compose.services[app]?.environment['CORE_BANK']).toBe('${CORE_BANK:?run deploy/make-env.sh}');
    expect(execFileSync(join(root, 'deploy/make-env.sh'), { encoding: 'utf8' })).toMatch(
      /^CORE_BANK=sandbox$/m,
    );
  });

  it('has a NATS account whose secret is documented where it is needed', () => {
    expect(natsUsers).toContain('bank');
    expect(text('deploy/make-secrets.sh')).toContain('nats_url xs2a-bank bank');
    expect(text('docs/how-to/connect-your-core-bank.md')).toContain('xs2a-bank');
  });
});

describe('the nginx example (deploy/gateway) (docs/how-to/deploy.md)', () => {
  /** nginx does not start if a directive is from a later version. */
  const cameWith: Readonly<Record<string, number>> = {
    http2: 25,
    http3: 25,
    quic_retry: 25,
    keepalive_min_timeout: 27,
  };

  it('contains no directive newer than its stated version, and supports HTTP/2', () => {
    const example = text('deploy/gateway/nginx.conf');
    const minor = Number(/nginx 1\.(\d+) or newer/.exec(example)?.[1]);
    const directives = [...example.matchAll(/^ *([a-z]\w*) /gm)].map(([, name = '']) => name);
    expect(directives).toContain('proxy_pass');
    expect(directives.filter((name) => (cameWith[name] ?? 0) > minor)).toEqual([]);
    expect(example).toMatch(/^ *listen 443 ssl http2;$/m);
  });
});

describe('the server configuration', () => {
  it('in deploy/nats/nats-server.conf matches the permission table', () => {
    expect(text('deploy/nats/nats-server.conf')).toBe(deploymentConfiguration());
  });

  it('leaves a third of the JetStream storage free of event streams in the sandbox, compose and k8s', () => {
    const [, deployed = ''] = /max_file_store: (\S+)/.exec(text('deploy/nats/nats-server.conf')) ?? [];
    const megabytes = (size: string): number => Number(/^(\d+)GB$/.exec(size)?.[1]) * 1000;
    const kept = {
      compose: compose.services['migrate-nats']?.environment ?? {},
      k8s: configMapData('base', migrationNames),
    };
    for (const bounds of Object.values(kept)) {
      const all = Number(bounds['PAYMENTS_STREAM_MAX_MB']) + Number(bounds['CONSENTS_STREAM_MAX_MB']);
      expect(all).toBeLessThan((megabytes(deployed) * 2) / 3);
    }
    const { payments, consents } = streamMegabytes;
    expect(payments + consents).toBeLessThan((megabytes(defaultFileStore) * 2) / 3);
  });

  it('has a password for every NATS account and database role in compose and in deploy/make-env.sh', () => {
    const made = execFileSync(join(root, 'deploy/make-env.sh'), { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0] ?? '');
    const natsVariables = natsUsers.map(natsPasswordVariable);
    const roleVariables = databaseRoles.map(
      (role) => `POSTGRES_PASSWORD_${role.slice('xs2a_'.length).toUpperCase()}`,
    );
    expect(Object.keys(compose.services['nats']?.environment ?? {}).sort()).toEqual(
      [...natsVariables].sort(),
    );
    expect(Object.keys(compose.services['postgres']?.environment ?? {})).toEqual(
      expect.arrayContaining(roleVariables),
    );
    const used = [...text('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '');
    expect([...new Set(used)].sort()).toEqual([...made].sort());
    expect(made).toEqual(expect.arrayContaining([...natsVariables, ...roleVariables]));
  });
});

/** Library code that makes calls on behalf of an app. */
const callsIn: Readonly<Record<string, readonly string[]>> = { accounts: ['libs/core-banking/src/nats'] };

/**
 * `@Handles(x)`, `CommandOf(x)`, `QueryOf(x)` and `authorisationHandlers(x, …)` mark the calls that an app handles.
 * Any other use of a contract's call means that the app makes it, as does a call to the core bank. Of the calls
 * about authorisations, an app makes those that its `Pick<AuthorisationCalls<…>, …>` names, and those that it uses
 * directly.
 */
const listCalls = async (app: string): Promise<{ handled: string[]; made: string[] }> => {
  const files = [`apps/${app}/src`, ...(callsIn[app] ?? [])].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('testing/'))
      .map((file) => text(join(folder, file))),
  );
  const handled = new Set<string>();
  const made = new Set<string>();
  const picks = files.flatMap((source) => [
    ...source.matchAll(/Pick<\s*AuthorisationCalls<[^>]*>,([^>]*)>/g),
  ]);
  const picked = new Set(
    picks.flatMap(([, names = '']) => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name)),
  );
  for (const source of files) {
    for (const [, subject = ''] of source.matchAll(/\bask\(\s*'(svc\.bank\.[^']+)'/g)) made.add(subject);
    const answers = [
      ...source.matchAll(/(?:@Handles|CommandOf|QueryOf|authorisationHandlers)\((?:contract\.)?(\w+)[,)]/g),
    ].map(([, name]) => name ?? '');
    for (const [, names = '', contract = ''] of source.matchAll(
      /import\s*(?:\{([^}]*)\}|\* as contract)\s*from\s*'@xs2a\/contracts\/([\w./-]+)'/g,
    )) {
      const calls = (await import(`@xs2a/contracts/${contract}`)) as Readonly<Record<string, unknown>>;
      for (const name of names === ''
        ? answers
        : names.split(',').map((one) => one.trim().split(' as ')[0] ?? '')) {
        const isHandled = answers.includes(name);
        for (const [member, subject] of subjectsOf(calls[name]))
          if (isHandled) handled.add(subject);
          else if (
            member === undefined ||
            picked.has(member) ||
            new RegExp(`\\b${name}\\.${member}\\b`).test(source)
          )
            made.add(subject);
      }
    }
  }
  return { handled: [...handled], made: [...made] };
};
/** The subject of an exported call, or of each member of an exported group of calls. */
const subjectsOf = (exported: unknown): [member: string | undefined, subject: string][] => {
  if (typeof exported !== 'object' || exported === null) return [];
  if ('subject' in exported) return [[undefined, String(exported.subject)]];
  return Object.entries(exported).flatMap(([member, call]) =>
    subjectsOf(call).map(([, subject]): [string, string] => [member, subject]),
  );
};
const covers = (pattern: string, subject: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replace(/>$/, '.+')}$`).test(
    subject,
  );

describe.each(apps)('the NATS account of %s', (app) => {
  const rights = natsRights[app as ServiceName] as {
    readonly handles?: string;
    readonly calls: readonly string[];
  };

  it('permits exactly the calls that the code makes', async () => {
    const { made } = await listCalls(app);
    expect(made.filter((subject) => !rights.calls.some((pattern) => covers(pattern, subject)))).toEqual([]);
    expect(rights.calls.filter((pattern) => !made.some((subject) => covers(pattern, subject)))).toEqual([]);
  });

  it('permits responses to the calls that the code handles', async () => {
    const { handled } = await listCalls(app);
    expect(handled.filter((subject) => !covers(`svc.${rights.handles}.>`, subject))).toEqual([]);
    expect(handled.length > 0).toBe(rights.handles !== undefined);
  });
});
