import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import { send } from '@xs2a/tpp-client/http';
import type { World } from './world.js';

/** Returns what a service serves at /metrics. */
const readText = async (world: World, service: ServiceName): Promise<string> =>
  (await send('GET', `${world.sandbox.healthUrls[service]}/metrics`)).text;

/** Returns the metrics of all services, as one text. */
export const allMetrics = async (world: World): Promise<string> => {
  const services = Object.keys(world.sandbox.healthUrls) as ServiceName[];
  return (await Promise.all(services.map(async (service) => readText(world, service)))).join('');
};

/** Returns the values of a service's metric by its other label values, separated by spaces. */
export const metricOf = async (
  world: World,
  service: ServiceName,
  name: string,
): Promise<Record<string, number>> => {
  const lines = (await readText(world, service)).matchAll(new RegExp(`^${name}(?:{(.*)})? (\\S+)$`, 'gm'));
  return Object.fromEntries(
    [...lines].map(([, labels = '', value]) => [
      [...labels.matchAll(/(\w+)="([^"]*)"/g)]
        .flatMap(([, label, text]) => (label === 'service' ? [] : text))
        .join(' '),
      Number(value),
    ]),
  );
};
