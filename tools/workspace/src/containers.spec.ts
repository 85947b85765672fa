import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readText } from './sources.js';

interface Service {
  readonly image: string;
  readonly build?: { readonly args: { readonly APP: string; readonly NODE_IMAGE: string } };
}
const { services } = parse(readText('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const defaultOf = (setting: string): string => /:-(.+)\}$/.exec(setting)?.[1] ?? setting;

describe('npm run containers (docs/how-to/deploy.md)', () => {
  it('makes a stand-in for every image of others that Compose names, under the same name', () => {
    const images = Object.values(services).map(({ image, build }) => build?.args.NODE_IMAGE ?? image);
    const others = new Set(images.filter((image) => !image.startsWith('xs2a/')).map(defaultOf));
    const bases = readText('tools/workspace/containers/bases.mjs');
    expect(others.size).toBe(3);
    expect([...others].filter((image) => !bases.includes(`'${image}'`))).toEqual([]);
  });

  it('exchanges the instances of every service but those that clients and pages connect to', () => {
    const built = Object.entries(services).filter(([, { build }]) => build !== undefined);
    const [, list = ''] =
      /^const services = \[([^\]]*)\]/m.exec(readText('tools/workspace/containers/exchange.mjs')) ?? [];
    expect([...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name).toSorted()).toEqual(
      built
        .map(([name]) => name)
        .filter((name) => !['gateway', 'auth'].includes(name))
        .toSorted(),
    );
  });
});
