// `npm run containers`: builds the images, starts Compose, plays the demo against it, exchanges instances under requests, asks
// doctor, and takes all of it away again (docs/how-to/deploy.md). Needs root and Debian, and no other Docker engine: it starts
// its own.
//   --keep FOLDER   the engine's data stays there, and with it the bases and layers for the next run
//   --no-build      the images of the run before (with --keep)
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBases } from './containers/bases.mjs';
import { buildImages } from './containers/build-images.mjs';
import { Deployment } from './containers/deployment.mjs';
import { installEngine, startEngine } from './containers/engine.mjs';
import { exchangeInstances } from './containers/exchange.mjs';
import { run, step, formatTimes } from './containers/shell.mjs';

const root = resolve(import.meta.dirname, '../..');
const { keep, 'no-build': useBuilt } = parseArgs({
  options: { keep: { type: 'string' }, 'no-build': { type: 'boolean' } },
}).values;
const folder = keep === undefined ? mkdtempSync('/var/tmp/xs2a-containers-') : resolve(keep);

const play = async (engine) => {
  await makeBases(folder, engine);
  const images = useBuilt ? [] : await step('build all images', async () => buildImages(root, engine));
  const deployment = await Deployment.prepare(root, folder, engine);
  try {
    await step('up: every service is ready', async () => deployment.up());
    await step('each service is unprivileged, on a read-only root', async () => deployment.checkPrivileges());
    await step('demo', async () => deployment.demo());
    console.log(await step('exchange instances under requests', async () => exchangeInstances(deployment)));
    console.log(await step('doctor --deep', async () => deployment.doctor()));
    return images;
  } finally {
    await step('down', async () => deployment.down());
  }
};

const main = async () => {
  mkdirSync(folder, { recursive: true });
  const installed = await installEngine();
  const engine = await startEngine(folder);
  try {
    for (const { app, layer, seconds } of await play(engine))
      console.log(`${layer.padStart(9)}  ${seconds.padStart(6)} s  xs2a/${app}`);
  } finally {
    await engine.stop();
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    if (installed.length > 0 && keep === undefined)
      await run('apt-get', ['purge', '-y', '-qq', ...installed]);
    console.log(formatTimes());
  }
};

try {
  await main();
  console.log('Everything was well.');
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
