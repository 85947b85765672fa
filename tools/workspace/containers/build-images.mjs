// Builds the image of each service as deploy/Dockerfile says, one after the other, and answers what it adds to its base.
import { join } from 'node:path';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { run, step } from './shell.mjs';

/** The apps that docker-compose.yml builds an image of. */
export const listBuiltApps = (root) =>
  Object.entries(parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }).services)
    .filter(([, { build }]) => build !== undefined)
    .map(([app]) => app);

export const buildImages = async (root, { docker }) => {
  const revision = await run('git', ['-C', root, 'rev-parse', 'HEAD']);
  const images = [];
  for (const app of listBuiltApps(root)) {
    const started = performance.now();
    const args = ['APP=' + app, `REVISION=${revision}`].flatMap((arg) => ['--build-arg', arg]);
    const dockerfile = ['-f', join(root, 'deploy/Dockerfile'), '--target', 'service'];
    await step(`image: ${app}`, async () =>
      docker('build', '-q', ...dockerfile, ...args, '-t', `xs2a/${app}:dev`, root),
    );
    const layers = (
      await docker('history', '--format', '{{.Size}}\t{{.CreatedBy}}', `xs2a/${app}:dev`)
    ).split('\n');
    const [layer = '?'] = layers.find((line) => /COPY (dir|file):/.test(line))?.split('\t') ?? [];
    images.push({ app, layer, seconds: ((performance.now() - started) / 1000).toFixed(1) });
  }
  return images;
};
