import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { flows } from './flows.js';
import { madeManifests } from './manifests.js';
import { base, manifestsIn, named, overlays, podsOf, readKustomization, readText } from './read-manifests.js';

const trees = ['base', ...overlays.map((name) => `overlays/${name}`)];
const pods = trees.flatMap((folder) =>
  podsOf(manifestsIn(folder)).map(([name, spec]): [string, typeof spec] => [`${folder}: ${name}`, spec]),
);

describe('the Kubernetes manifests', () => {
  it('are up to date: after a change to settings or flows, run `npm run k8s:manifests`', async () => {
    for (const [file, text] of Object.entries(await madeManifests()))
      expect([file, readText(file)]).toEqual([file, text]);
  });

  it.each(trees)('%s lists every file next to its kustomization, and only files that exist', (folder) => {
    const { resources = [] } = readKustomization(folder);
    const files = readdirSync(join(root, 'k8s', folder)).filter(
      (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
    );
    expect(files.filter((file) => !resources.includes(file))).toEqual([]);
    // deploy/make-secrets.sh creates the folder `secrets`.
    const missing = resources.filter(
      (name) => name !== 'secrets' && !existsSync(join(root, 'k8s', folder, name)),
    );
    expect(missing).toEqual([]);
  });

  it('have unique names per kind, even when an overlay is combined with the base', () => {
    for (const folder of trees) {
      const all = folder === 'base' ? base : [...base, ...manifestsIn(folder)];
      const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

describe('every pod (docs/how-to/deploy.md)', () => {
  it.each(pods)('%s pins the version of its image', (_name, { containers }) => {
    for (const { image } of containers) expect(image).toMatch(/^[\w./-]+(:[\w.-]+|@sha256:[0-9a-f]{64})$/);
    for (const { image } of containers) expect(image).not.toMatch(/:latest$/);
  });

  it.each(pods)('%s meets Pod Security `restricted`, with a read-only root file system', (_name, spec) => {
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of spec.containers)
      expect(securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
  });

  it.each(pods)('%s has a separate service account, and does not mount its token', (name, spec) => {
    const own = name
      .replace(/^.* Job migrate-.*$/, 'migration')
      .replace(/^.* CronJob .*$/, 'operator')
      .replace(/^.* /, '');
    expect(spec.serviceAccountName).toBe(own);
    expect(spec.automountServiceAccountToken).toBe(false);
    const accounts = trees.flatMap(manifestsIn).filter(({ kind }) => kind === 'ServiceAccount');
    expect(accounts.find(({ metadata }) => metadata.name === own)?.automountServiceAccountToken).toBe(false);
  });

  it.each(pods)('%s has resource requests and limits', (_name, { containers }) => {
    for (const { resources } of containers) {
      expect(Object.keys(resources.requests).sort()).toEqual(['cpu', 'memory']);
      expect(Object.keys(resources.limits)).toEqual(['memory']);
    }
  });
});

describe.each(serviceNames)('%s (docs/how-to/deploy.md)', (app) => {
  const { replicas, strategy, template } = named('Deployment', app).spec;

  it('is replaced without ever reducing the number of instances, and is probed at its health port', () => {
    expect(strategy?.rollingUpdate.maxUnavailable).toBe(0);
    const [container] = template.spec.containers;
    expect(container?.readinessProbe?.httpGet?.path).toBe('/health/ready');
    expect(container?.livenessProbe?.httpGet.path).toBe('/health/live');
    expect(named('Service', app).kind).toBe('Service');
  });

  it('is spread over nodes and zones', () => {
    const constraints = template.spec.topologySpreadConstraints ?? [];
    expect(constraints.map(({ topologyKey, whenUnsatisfiable }) => [topologyKey, whenUnsatisfiable])).toEqual(
      [
        ['kubernetes.io/hostname', 'DoNotSchedule'],
        ['topology.kubernetes.io/zone', 'ScheduleAnyway'],
      ],
    );
  });

  it('has a disruption budget that keeps one instance and never blocks a node drain', () => {
    const { maxUnavailable } = named('PodDisruptionBudget', app).spec;
    expect(maxUnavailable).toBeGreaterThan(0);
    expect(replicas).toBeGreaterThan(maxUnavailable ?? 0);
  });
});

describe('the overlays', () => {
  it.each(overlays)('%s is a namespace under Pod Security `restricted`', (overlay) => {
    const { namespace } = readKustomization(`overlays/${overlay}`);
    const own = manifestsIn(`overlays/${overlay}`).find(({ kind }) => kind === 'Namespace');
    expect(own?.metadata.name).toBe(namespace);
    expect(own?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it('sandbox has one instance of everything, and no disruption budget, which would block a drain', () => {
    const { replicas } = readKustomization('overlays/sandbox');
    expect(replicas?.map(({ name }) => name).sort()).toEqual([...serviceNames].sort());
    expect(replicas?.every(({ count }) => count === 1)).toBe(true);
    expect(readText('overlays/sandbox/kustomization.yaml')).toMatch(
      /target: \{ kind: PodDisruptionBudget \}\n +patch: \|-\n +\$patch: delete/,
    );
  });
});

/** True if a selector `key=value` or `key in (value, …)` matches an object. */
const isTaken = (labels: Readonly<Record<string, string>> = {}, selector = ''): boolean => {
  const [, key = '', values = ''] = /^([\w./-]+)(?:=| in )\(?([^)]+)/.exec(selector) ?? [];
  return values.split(', ').includes(labels[key] ?? '');
};
const withPods = base.filter((manifest) => podsOf([manifest]).length > 0);

describe.each([
  ['cert-manager', 'nats'],
  ['cloudnative-pg', 'postgres'],
])('the component %s', (component, server) => {
  /** The pods that receive its authority, as selected by the overlay's kustomization. */
  const given = withPods.filter(({ kind, metadata }) => {
    const pod = kind === 'CronJob' ? '/spec/jobTemplate/spec/template/spec/' : '/spec/template/spec/';
    return (readKustomization(`components/${component}`).patches ?? []).some(
      ({ target, patch }) =>
        new RegExp(`^(?:${target?.kind})$`).test(kind) &&
        isTaken(metadata.labels, target?.labelSelector) &&
        ['volumes/-', 'containers/0/volumeMounts/-'].every((place) =>
          patch?.includes(`path: ${pod}${place}`),
        ),
    );
  });
  const asking = withPods.filter(({ metadata }) =>
    flows.some(({ from, to }) => to === server && from === metadata.labels?.['app.kubernetes.io/name']),
  );
  const names = (all: typeof base) => all.map(({ metadata }) => metadata.name);

  it('provides its authority to every pod that verifies certificates with it', () => {
    expect(asking.length).toBeGreaterThan(6);
    expect(names(asking).filter((name) => !names(given).includes(name))).toEqual([]);
  });

  it('provides the authority of PostgreSQL only to pods that connect to PostgreSQL', () => {
    if (server === 'postgres') expect(names(given)).toEqual(names(asking));
  });
});

describe('a rolling restart (quality: reliability)', () => {
  it.each(['gateway', 'auth'])('%s accepts requests until clients have stopped sending them', (app) => {
    const [container] = named('Deployment', app).spec.template.spec.containers;
    expect(container?.lifecycle?.preStop.sleep.seconds).toBeGreaterThanOrEqual(5);
  });
});
