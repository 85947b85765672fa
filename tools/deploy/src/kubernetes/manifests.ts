import { Document, isScalar, visit } from 'yaml';
import type { TypeMeta } from '@kubernetes-models/base';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { migrationManifests } from './migrations.js';
import { denyByDefault, networkPolicy } from './network-policy.js';
import { operatorManifests } from './operator.js';
import { serviceManifests } from './service.js';
import { declaredBy } from './settings.js';

const heading = '# Made by `npm run k8s:manifests` (tools/deploy/src/kubernetes); a test compares the two.\n';

/** A manifest as YAML. YAML 1.2 writes file modes in decimal, so a comment shows the octal mode. */
const toYaml = (manifest: TypeMeta): string => {
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (isScalar(key) && key.value === 'defaultMode' && isScalar<number>(value))
        value.comment = ` 0${value.value.toString(8)}`;
    },
  });
  return document.toString({ singleQuote: true, lineWidth: 0 });
};
const toText = (...manifests: readonly TypeMeta[]): string => heading + manifests.map(toYaml).join('---\n');

/** Returns the generated files of k8s by their path in that folder. */
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
    // Policies for the sandbox's own servers. Elsewhere, whoever operates PostgreSQL and NATS decides who can
    // reach them.
    'overlays/sandbox/network-policies.yaml': toText(networkPolicy('nats'), networkPolicy('postgres')),
  };
};
