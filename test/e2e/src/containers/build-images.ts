// Builds each image with deploy/Dockerfile, one at a time. Returns the size that each adds to its base.
import { join } from 'node:path';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { root } from '@xs2a/sandbox/layout';
import type { Engine } from './engine.js';
import { run, step } from './shell.js';

interface Service {
  readonly image: string;
  readonly build?: { readonly target: string; readonly args: { readonly APP?: string } };
  readonly profiles?: readonly string[];
}

const readServices = (): [string, Service][] => {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
  };
  return Object.entries(services);
};

/** Returns how docker-compose.yml builds each of our images. */
const listBuilds = () =>
  readServices().flatMap(([, { build, image }]) =>
    build === undefined
      ? []
      : [{ name: image.replace(/:.*/, ''), target: build.target, app: build.args.APP }],
  );

/** Returns the services that always run and use our images. */
export const listServices = (): readonly string[] =>
  readServices()
    .filter(([, { build, profiles }]) => build !== undefined && profiles === undefined)
    .map(([name]) => name);

export interface BuiltImage {
  readonly image: string;
  /** The size that the image adds to its base. */
  readonly layer: string;
  readonly seconds: string;
}

/** Builds the images, with this version as their label and tag. */
export const buildImages = async ({ docker }: Engine, version: string): Promise<BuiltImage[]> => {
  const revision = await run('git', ['-C', root, 'rev-parse', 'HEAD']);
  const images: BuiltImage[] = [];
  for (const { name, target, app } of listBuilds()) {
    const started = performance.now();
    const image = `${name}:${version}`;
    const args = [`REVISION=${revision}`, `VERSION=${version}`, ...(app === undefined ? [] : [`APP=${app}`])];
    const dockerfile = ['-f', join(root, 'deploy/Dockerfile'), '--target', target];
    await step(`image: ${image}`, async () =>
      docker('build', '-q', ...dockerfile, ...args.flatMap((arg) => ['--build-arg', arg]), '-t', image, root),
    );
    const layers = (await docker('history', '--format', '{{.Size}}\t{{.CreatedBy}}', image)).split('\n');
    const [layer = '?'] = layers.find((line) => /COPY (dir|file):/.test(line))?.split('\t') ?? [];
    images.push({ image, layer, seconds: ((performance.now() - started) / 1000).toFixed(1) });
  }
  return images;
};
