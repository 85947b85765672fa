import { stringify } from 'yaml';
import { serviceNames } from '../services/service-table.js';
import { migrationManifests } from './migrations.js';
import { denyByDefault, networkPolicy } from './network-policy.js';
import { operatorManifests } from './operator.js';
import { serviceManifests } from './service.js';
import { declaredBy } from './settings.js';

const heading =
  '# Made by `npm run k8s:manifests` (tools/sandbox/src/kubernetes); a test compares the two.\n';
const toText = (...manifests: readonly object[]): string =>
  heading +
  manifests
    .map((manifest) => stringify(manifest, { singleQuote: true, lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');

/** The files of k8s that are made, by their path from there. */
export const madeManifests = async (): Promise<Readonly<Record<string, string>>> => {
  const services = serviceNames.map(async (app): Promise<[string, string]> => [
    `base/${app}.yaml`,
    toText(...serviceManifests(app, await declaredBy(app))),
  ]);
  return {
    ...Object.fromEntries(await Promise.all(services)),
    'base/migrations.yaml': toText(...migrationManifests()),
    'base/network-policies.yaml': toText(denyByDefault()),
    'base/operator.yaml': toText(...operatorManifests()),
    // The sandbox's own servers; elsewhere who runs PostgreSQL and NATS says who reaches them.
    'overlays/sandbox/network-policies.yaml': toText(networkPolicy('nats'), networkPolicy('postgres')),
  };
};
