// Applies another release over the running one, as in an upgrade: first the migrations, then one instance
// after another, while a TPP sends requests through the TLS proxy. A request may only fail with a 503, and
// its retry must succeed.
import { setTimeout as wait } from 'node:timers/promises';
import type { Deployment } from './deployment.js';
import { step } from './shell.js';
import { askWhile, type Counted, prepareRequests } from './tpp.js';

/** Services whose instances are found by name or over NATS, so that a second instance can start alongside the first. */
const services = [
  'accounts',
  'consents',
  'payments',
  'settlement-worker',
  'notifications',
  'console',
  'portal',
  'funds-confirmation',
  'auth',
];
/** The two gateways behind the proxy. No second instance can run alongside the gateway with the published port. */
const gateways = ['gateway', 'gateway-2'];
const reloadMs = 1000;

/** Runs the release's migrations, with a new container for each job. */
const migrate = async (deployment: Deployment): Promise<void> => {
  const known = (await deployment.compose('config', '--services')).split('\n');
  const jobs = known.filter((name) => name.startsWith('migrate-'));
  await deployment.compose('up', '-d', '--no-build', '--no-deps', '--force-recreate', ...jobs);
  const ids = (await deployment.compose('ps', '-q', ...jobs)).split('\n');
  const codes = (await deployment.engine.docker('wait', ...ids)).split('\n');
  if (codes.some((code) => code !== '0')) throw new Error(`migrations ended with ${codes.join()}`);
};

/** Starts a second instance of the service, waits until it is ready, and stops the first. */
const exchange = async (deployment: Deployment, service: string): Promise<void> => {
  const [old = ''] = await deployment.instances(service);
  const once = ['--no-build', '--no-recreate', '--no-deps', '--scale', `${service}=2`, service];
  await deployment.compose('up', '-d', ...once);
  const added = (await deployment.instances(service)).find((id) => id !== old);
  if (added === undefined) throw new Error(`no second instance of ${service}`);
  await deployment.untilHealthy(added);
  await deployment.engine.docker('stop', '-t', '15', old);
  await deployment.engine.docker('rm', old);
};

/** Makes the proxy look up the addresses of the running gateways again. */
const reloadProxy = async (deployment: Deployment): Promise<void> => {
  await deployment.compose('kill', '-s', 'HUP', 'edge');
  // By now the proxy's new workers have taken over; the proxy does not report this.
  await wait(reloadMs);
};

/**
 * Replaces the gateway. The proxy must not know the new gateway until it is ready, or it would send requests too
 * early.
 */
const exchangeGateway = async (deployment: Deployment, service: string): Promise<void> => {
  await deployment.compose('stop', '--timeout', '15', service);
  await reloadProxy(deployment);
  await deployment.compose('up', '-d', '--no-build', '--no-deps', service);
  const [added = ''] = await deployment.instances(service);
  await deployment.untilHealthy(added);
  await reloadProxy(deployment);
};

const checkRelease = async (deployment: Deployment): Promise<void> => {
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

/** Returns the request counts. Throws an error with the counts if a request failed. */
export const applyRelease = async (
  deployment: Deployment,
  release: string,
): Promise<Readonly<Record<string, Counted>>> => {
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
