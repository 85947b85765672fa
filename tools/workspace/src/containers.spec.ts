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
  it('makes a stand-in for every image of others that Compose names, under the same name, but for Grafana', () => {
    const images = Object.values(services).map(({ image, build }) => build?.args.NODE_IMAGE ?? image);
    const others = new Set(images.filter((image) => !image.startsWith('xs2a/')).map(defaultOf));
    const bases = readText('tools/workspace/containers/bases.mjs');
    expect(others.size).toBe(6);
    expect([...others].filter((image) => !bases.includes(`'${image}'`))).toEqual([
      expect.stringMatching(/^grafana\//),
    ]);
  });

  it('exchanges every instance of ours for the second release, the two gateways behind the proxy too', () => {
    const runners = Object.entries(services)
      .filter(([name, { image }]) => image.startsWith('xs2a/') && !name.startsWith('migrate-'))
      .map(([name]) => name)
      .filter((name) => !['certificates', 'demo'].includes(name));
    const file = 'tools/workspace/containers/exchange.mjs';
    expect([...listIn(file, 'services'), ...listIn(file, 'gateways')].toSorted()).toEqual(runners.toSorted());
  });

  it('brings up each profile of Compose', () => {
    const profiles = new Set(Object.values(services).flatMap(({ profiles: own = [] }) => own));
    const run =
      readText('tools/workspace/containers.mjs') + readText('tools/workspace/containers/checks.mjs');
    expect([...profiles].filter((profile) => !run.includes(`'${profile}'`))).toEqual([]);
  });
});
