import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readText } from './sources.js';

interface Service {
  readonly image: string;
  readonly build?: { readonly args: { readonly NODE_IMAGE: string } };
  readonly profiles?: readonly string[];
}
const { services } = parse(readText('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const defaultOf = (setting: string): string => /:-(.+)\}$/.exec(setting)?.[1] ?? setting;
const listIn = (file: string, constant: string): string[] => {
  const [, list = ''] = new RegExp(`^const ${constant} = \\[([^\\]]*)\\]`, 'm').exec(readText(file)) ?? [];
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
};

describe('npm run containers (docs/how-to/deploy.md)', () => {
  it('builds a stand-in with the same name for every third-party image in Compose except Grafana', () => {
    const images = Object.values(services).map(({ image, build }) => build?.args.NODE_IMAGE ?? image);
    const others = new Set(images.filter((image) => !image.startsWith('xs2a/')).map(defaultOf));
    const bases = readText('test/e2e/src/containers/bases.ts');
    expect(others.size).toBe(6);
    expect([...others].filter((image) => !bases.includes(`'${image}'`))).toEqual([
      expect.stringMatching(/^grafana\//),
    ]);
  });

  it('replaces each instance of our services with the second release, including the two gateways behind the proxy', () => {
    const runners = Object.entries(services)
      .filter(([name, { image }]) => image.startsWith('xs2a/') && !name.startsWith('migrate-'))
      .map(([name]) => name)
      .filter((name) => !['certificates', 'demo', 'staff-provider'].includes(name));
    const file = 'test/e2e/src/containers/exchange.ts';
    expect([...listIn(file, 'services'), ...listIn(file, 'gateways')].toSorted()).toEqual(runners.toSorted());
  });

  it('starts every Compose profile', () => {
    const profiles = new Set(Object.values(services).flatMap(({ profiles: own = [] }) => own));
    const run = readText('test/e2e/src/containers/play.ts') + readText('test/e2e/src/containers/checks.ts');
    expect([...profiles].filter((profile) => !run.includes(`'${profile}'`))).toEqual([]);
  });
});

describe('deploy/Dockerfile (docs/adr/0052)', () => {
  /** The instructions of each stage, one per line, with continued lines joined. */
  const stages = readText('deploy/Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => stage.split('\n').filter((line) => /^[A-Z]/.test(line)));
  const stage = (name: string): readonly string[] =>
    stages.find(([from = '']) => from.endsWith(` AS ${name}`)) ?? [];

  it('installs packages before it copies the sources, so that a change to the sources does not repeat the installation', () => {
    const build = stage('build');
    const install = build.findIndex((line) => line.startsWith('RUN npm ci '));
    expect(install).toBeGreaterThan(0);
    expect(build.findIndex((line) => line === 'COPY . .')).toBeGreaterThan(install);
    // The files used to install packages change only when a package.json or the lock file changes.
    expect(build.slice(0, install).filter((line) => line.startsWith('COPY'))).toEqual([
      'COPY --from=manifests /manifests ./',
    ]);
  });

  it('accepts every base image as a build argument; a release pins them by digest', () => {
    const bases = stages.map(([from = '']) => /^FROM (\S+)/.exec(from)?.[1] ?? '');
    const own = new Set(stages.map(([from = '']) => / AS (\S+)$/.exec(from)?.[1]));
    expect(bases.filter((base) => !own.has(base) && !/^\$\{[A-Z_]+_IMAGE\}$/.test(base))).toEqual([]);
  });

  it('labels each image with its version and revision, and runs it as an unprivileged user', () => {
    const labels = stage('runtime').find((line) => line.startsWith('LABEL '));
    for (const name of ['version', 'revision', 'source', 'licenses'])
      expect(labels).toContain(`org.opencontainers.image.${name}=`);
    expect(stage('runtime')).toContain('USER 1000:1000');
    for (const name of ['service', 'cli']) {
      expect(stage(name)[0]).toBe(`FROM runtime AS ${name}`);
      expect(stage(name).join('\n')).toContain('LABEL org.opencontainers.image.title=xs2a/');
      expect(stage(name).filter((line) => line.startsWith('USER '))).toEqual([]);
    }
  });
});
