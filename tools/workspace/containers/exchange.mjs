// Applies another release over the one that runs, as an upgrade does: the migrations first, then one instance after the other,
// while a TPP asks through the TLS proxy. No request may fail but with a 503, after which its repetition succeeds.
import { setTimeout as wait } from 'node:timers/promises';
import { step } from './shell.mjs';
import { askWhile, prepareRequests } from './tpp.mjs';

/** Services whose instances find each other by name or over NATS: a second one starts beside the first. */
const services = [
  'accounts',
  'consents',
  'payments',
  'settlement-worker',
  'notifications',
  'funds-confirmation',
  'auth',
];
/** The two behind the proxy; the one that is published cannot have a second beside it. */
const gateways = ['gateway', 'gateway-2'];
const reloadMs = 1000;

/** Runs the migrations of the release, each job anew. */
const migrate = async (deployment) => {
  const services = (await deployment.compose('config', '--services')).split('\n');
  const jobs = services.filter((name) => name.startsWith('migrate-'));
  await deployment.compose('up', '-d', '--no-build', '--no-deps', '--force-recreate', ...jobs);
  const ids = (await deployment.compose('ps', '-q', ...jobs)).split('\n');
  const codes = (await deployment.engine.docker('wait', ...ids)).split('\n');
  if (codes.some((code) => code !== '0')) throw new Error(`migrations ended with ${codes}`);
};

/** A second instance of the service starts and is ready, and the first is stopped. */
const exchange = async (deployment, service) => {
  const [old = ''] = await deployment.instances(service);
  const once = ['--no-build', '--no-recreate', '--no-deps', '--scale', `${service}=2`, service];
  await deployment.compose('up', '-d', ...once);
  const added = (await deployment.instances(service)).find((id) => id !== old);
  if (added === undefined) throw new Error(`no second instance of ${service}`);
  await deployment.untilHealthy(added);
  await deployment.engine.docker('stop', '-t', '15', old);
  await deployment.engine.docker('rm', old);
};

/** The proxy looks its gateways up again: those that run. */
const reloadProxy = async (deployment) => {
  await deployment.compose('kill', '-s', 'HUP', 'edge');
  // The proxy's new workers have taken over by then; it says so nowhere.
  await wait(reloadMs);
};

/** The gateway stops and the proxy forgets it; a new one is ready and the proxy finds it. A proxy that knew it would ask it before it is ready. */
const exchangeGateway = async (deployment, service) => {
  await deployment.compose('stop', '--timeout', '15', service);
  await reloadProxy(deployment);
  await deployment.compose('up', '-d', '--no-build', '--no-deps', service);
  const [added = ''] = await deployment.instances(service);
  await deployment.untilHealthy(added);
  await reloadProxy(deployment);
};

const checkRelease = async (deployment) => {
  for (const service of [...services, ...gateways]) {
    const instances = await deployment.instances(service);
    const label = '{{index .Config.Labels "org.opencontainers.image.version"}}';
    const versions = await Promise.all(
      instances.map(async (id) => deployment.engine.docker('inspect', '-f', label, id)),
    );
    if (versions.join() !== deployment.release)
      throw new Error(`${service} runs ${versions.join(' and ')}, not ${deployment.release}`);
  }
};

/** Answers the counts of requests. Throws them when a request failed. */
export const applyRelease = async (deployment, release) => {
  const requests = await prepareRequests(deployment);
  deployment.release = release;
  const counted = await askWhile(requests, async () => {
    await step('migrations of the second release', async () => migrate(deployment));
    for (const service of services)
      await step(`exchange ${service}`, async () => exchange(deployment, service));
    for (const service of gateways)
      await step(`exchange ${service}`, async () => exchangeGateway(deployment, service));
  });
  await checkRelease(deployment);
  return counted;
};
