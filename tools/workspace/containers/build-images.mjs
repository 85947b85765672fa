// Builds each image with deploy/Dockerfile, one after the other. Returns what each adds to its base.
import { join } from 'node:path';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { run, step } from './shell.mjs';

const readServices = (root) =>
  Object.entries(parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }).services);

/** How docker-compose.yml builds each of our images. */
const listBuilds = (root) =>
  readServices(root).flatMap(([, { build, image }]) =>
    build === undefined ? [] : [{ name: image.split(':')[0], target: build.target, app: build.args.APP }],
  );

/** The services that always run and use one of our images. */
export const listServices = (root) =>
  readServices(root)
    .filter(([, { build, profiles }]) => build !== undefined && profiles === undefined)
    .map(([name]) => name);

/** Builds the images with this version as label and tag. */
export const buildImages = async (root, { docker }, version) => {
  const revision = await run('git', ['-C', root, 'rev-parse', 'HEAD']);
  const images = [];
  for (const { name, target, app } of listBuilds(root)) {
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
