// Builds the images, starts Compose with each of its profiles, runs the demo over mutual TLS, applies a
// second release while requests are sent, runs doctor, and removes everything.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBases } from './bases.js';
import { buildImages, type BuiltImage } from './build-images.js';
import * as checks from './checks.js';
import { Deployment } from './deployment.js';
import { type Engine, installEngine, removeEngine, startEngine } from './engine.js';
import { applyRelease } from './exchange.js';
import { renderManifests } from './render.js';
import { step, formatTimes } from './shell.js';

const { keep, 'no-build': useBuilt } = parseArgs({
  options: { keep: { type: 'string' }, 'no-build': { type: 'boolean' } },
}).values;
const folder = keep === undefined ? mkdtempSync('/var/tmp/xs2a-containers-') : resolve(keep);
const releases = ['dev', 'second'] as const;

/** Runs a step and prints its result. */
const report = async (name: string, work: () => Promise<unknown>): Promise<void> =>
  console.log(await step(name, work));

/** Tests the sandbox without a profile, then with the proxy in front, then with the second release applied. */
const playReleases = async (deployment: Deployment): Promise<void> => {
  await step('up: every service is ready', async () => deployment.up());
  await step('each service is unprivileged, on a read-only root', async () => deployment.checkPrivileges());
  await step('demo', async () => checks.playDemo(deployment));
  deployment.profiles = ['console'];
  await step('up with the profile console', async () => deployment.up());
  await step('a member of the staff signs in', async () => checks.signInToConsole(deployment));
  await deployment.compose('stop', 'staff-provider');
  deployment.profiles = ['edge', 'observability'];
  // There is no stand-in for Grafana.
  await step('up with the profiles edge and observability', async () => deployment.up('edge', 'prometheus'));
  await step('a call without a client certificate is refused', async () =>
    checks.checkCertificateIsRequired(deployment),
  );
  await step('demo through the TLS proxy with a client certificate', async () =>
    checks.playDemoThroughEdge(deployment),
  );
  await report('Prometheus', async () => checks.askPrometheus(deployment));
  await report('a second release under requests', async () => applyRelease(deployment, releases[1]));
  await step('demo against the second release', async () => checks.playDemoThroughEdge(deployment));
  await report('doctor --deep', async () => checks.askDoctor(deployment));
};

const playCluster = async (deployment: Deployment): Promise<void> => {
  deployment.profiles = ['cluster'];
  await step('up with the profile cluster', async () => deployment.up());
  await step('demo on the cluster', async () => checks.playDemo(deployment));
  await report('doctor --deep on the cluster', async () => checks.askDoctor(deployment));
  await step('demo without one NATS server', async () => {
    await deployment.compose('stop', 'nats-2');
    await checks.playDemo(deployment);
  });
};

/** Runs the work in a separate Compose project, which is removed afterwards. */
const play = async (engine: Engine, work: (deployment: Deployment) => Promise<void>): Promise<void> => {
  const deployment = await Deployment.prepare(folder, engine);
  try {
    await work(deployment);
  } finally {
    await step('down', async () => deployment.down());
  }
};

const build = async (engine: Engine): Promise<BuiltImage[]> => {
  const images: BuiltImage[] = [];
  for (const release of useBuilt === true ? [] : releases)
    images.push(...(await buildImages(engine, release)));
  return images;
};

const main = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const installed = await installEngine();
  const engine = await startEngine(folder);
  try {
    await report('manifests rendered by kustomize', async () => renderManifests(folder));
    await makeBases(folder, engine);
    const images = await build(engine);
    await play(engine, playReleases);
    await play(engine, playCluster);
    for (const { image, layer, seconds } of images)
      console.log(`${layer.padStart(9)}  ${seconds.padStart(6)} s  ${image}`);
  } finally {
    await engine.stop();
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    if (keep === undefined) await removeEngine(installed);
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
