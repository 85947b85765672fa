import { describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { collectProcessMetrics, metrics as processRegistry } from '@xs2a/observability/metrics';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import { findObject, readObjects, type Fields } from './component-files.js';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
const { groups } = findObject('monitoring/rules.yaml', 'PrometheusRule').spec as unknown as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
const dashboards = globSync('k8s/components/monitoring/dashboards/*.json', { cwd: root }).map(
  (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Dashboard,
);
const expressions: [string, string][] = [
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboards.flatMap(({ panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }): [string, string] => [title, expr])),
  ),
];

interface Declaration {
  readonly type: string;
  readonly name: string;
  readonly labels: readonly string[];
}
/** The metrics that the services declare. */
const declarations = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.spec.ts'))
  .flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /\b(counter|gauge|histogram)\(\s*'(\w+)',\s*'[^']*',?\s*(?:\[([^\]]*)\])?/g,
    ),
  ])
  .map(([, type = '', name = '', labels = '']): Declaration => {
    const own = [...labels.matchAll(/'(\w+)'/g)].map(([, label]) => label ?? '');
    return { type, name, labels: own };
  });
/** The series of these metrics, by name, with their labels. */
const declared = new Map(
  declarations.flatMap(({ type, name, labels }): [string, readonly string[]][] =>
    type === 'histogram'
      ? ['_bucket', '_count', '_sum'].map((part) => [`${name}${part}`, [...labels, 'le']])
      : [[name, labels]],
  ),
);
collectProcessMetrics('test', '0.1.0');
const processMetrics = new Set(processRegistry.getMetricsAsArray().map(({ name }) => name));
/** Labels that Prometheus adds, and the services' default label. */
const addedLabels = ['job', 'pod', 'service'];

/** Metrics of other programs, named as in their documentation, with the labels that the rules use. */
const foreign = new Map([
  ['kube_deployment_spec_replicas', ['namespace', 'deployment']],
  ['kube_deployment_status_replicas_available', ['namespace', 'deployment']],
  ['kube_job_failed', ['namespace', 'condition', 'job_name']],
  ['certmanager_certificate_expiration_timestamp_seconds', ['name']],
  ['barman_cloud_cloudnative_pg_io_last_available_backup_timestamp', []],
]);

interface Used {
  readonly isWell: boolean;
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}
const parseQuery = (text: string): Used => {
  const metrics: string[] = [];
  const labels: string[] = [];
  let isWell = true;
  parser.parse(text).iterate({
    enter: ({ name, from, to, type, node }) => {
      if (type.isError) isWell = false;
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text.slice(from, to));
      if (name === 'LabelName') labels.push(text.slice(from, to));
    },
  });
  return { isWell, metrics, labels };
};

describe('monitoring in Kubernetes (docs/how-to/deploy.md)', () => {
  it('parses expressions as Prometheus does', () => {
    expect(parseQuery('sum by (le) (rate(a_b{c="d"}[5m])) > 1')).toEqual({
      isWell: true,
      metrics: ['a_b'],
      labels: ['le', 'c'],
    });
    expect(parseQuery('sum(rate(a_b[5m]) > 1').isWell).toBe(false);
    expect(declared.get('xs2a_http_seconds_count')).toEqual(['endpoint', 'status', 'le']);
  });

  it.each(expressions)('%s uses only metrics and labels that exist', (_, text) => {
    const { isWell, metrics, labels } = parseQuery(text);
    expect(isWell).toBe(true);
    expect(metrics.length).toBeGreaterThan(0);
    expect(
      metrics.filter(
        (name) => name !== 'up' && !declared.has(name) && !foreign.has(name) && !processMetrics.has(name),
      ),
    ).toEqual([]);
    const known = new Set([
      ...addedLabels,
      ...metrics.flatMap((name) => declared.get(name) ?? foreign.get(name) ?? []),
    ]);
    expect(labels.filter((label) => !known.has(label))).toEqual([]);
  });

  it('has a dashboard or an alert for every metric that the services declare', () => {
    const asked = new Set(expressions.flatMap(([, text]) => parseQuery(text).metrics));
    const base = (name: string): string => name.replace(/_(bucket|count|sum)$/, '');
    const shown = new Set([...asked].map(base));
    expect([...declared.keys()].filter((name) => !shown.has(base(name)))).toEqual([]);
  });

  it('sees every metric that a process with all libraries and services would register', () => {
    const uses = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('.spec.ts') && !file.endsWith('observability/src/metrics.ts'))
      .flatMap(
        (file) => readFileSync(join(root, file), 'utf8').match(/\b(?:counter|gauge|histogram)\(/g) ?? [],
      );
    const ofOtherFiles = declarations.filter(({ name }) => name !== 'xs2a_build_info');
    expect(uses).toHaveLength(ofOtherFiles.length);
    expect(ofOtherFiles.length).toBeGreaterThan(20);
  });

  it('has no metric with a label for a person, an account, a resource or a client, or for an id or text of them', () => {
    const forbidden =
      /^(?:.*_)?(?:ids?|psu|iban|account|payment|consent|basket|tpp|client|user|person|name|token|ip|address|path|url|text|error)$/i;
    expect(['psu', 'tpp_id', 'payment_id', 'iban'].filter((label) => !forbidden.test(label))).toEqual([]);
    const wrong = declarations.flatMap(({ name, labels }) =>
      labels.filter((label) => forbidden.test(label)).map((label) => `${name} {${label}}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has a page that lists exactly the metrics that the services declare, with their labels', () => {
    const rows = [
      ...readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(/^\| `(xs2a_\w+)` +\| ([^|]*)\|/gm),
    ];
    const listed = rows.map(([, name = '', labels = '']): [string, string[]] => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label ?? '').toSorted(),
    ]);
    const names = ({ name, labels }: Declaration): [string, string[]] => [name, labels.toSorted()];
    expect(listed.toSorted()).toEqual(declarations.map(names).toSorted());
  });

  it('keeps the services’ own labels, even the one that the Prometheus operator also sets', () => {
    const { podMetricsEndpoints } = findObject('monitoring/pod-monitor.yaml', 'PodMonitor').spec as Fields;
    expect(podMetricsEndpoints).toMatchObject([{ port: 'health', path: '/metrics', honorLabels: true }]);
  });

  it('raises an alert when no instance of a service is up, even if none is discovered any more', () => {
    const alert = alerts.find((one) => one.alert === 'Xs2aNothingAnswers');
    expect(alert).toMatchObject({ labels: { severity: 'critical' } });
    const services = ['gateway', 'auth', 'consents', 'accounts', 'funds-confirmation', 'payments'];
    expect(/job=~"([^"]+)"/.exec(alert?.expr ?? '')?.[1]?.split('|')).toEqual(services);
    const absent = [...(alert?.expr ?? '').matchAll(/absent\(up\{job="([^"]+)"\}\)/g)].map(([, job]) => job);
    expect(absent).toEqual(services);
  });

  it.each(['cert-manager/edge.yaml', 'cert-manager/nats.yaml'])(
    'raises an alert for each certificate in %s before it expires',
    (file) => {
      const { expr = '' } = alerts.find((one) => one.alert === 'Xs2aCertificateEnds') ?? {};
      const names = new RegExp(`^(?:${/name=~"([^"]+)"/.exec(expr)?.[1]})$`);
      const certificates = readObjects(file).filter(({ kind }) => kind === 'Certificate');
      expect(certificates.length).toBeGreaterThan(1);
      for (const { metadata } of certificates) expect(metadata.name).toMatch(names);
    },
  );

  it.each([
    ['postgres', 'cloudnative-pg', 9187],
    ['nats', 'nats', 7777],
  ])('scrapes the metrics of %s, as the network policy allows', (name, component, portNumber) => {
    const monitor = findObject('monitoring/pod-monitor.yaml', 'PodMonitor', name).spec;
    expect(monitor['podMetricsEndpoints']).toMatchObject([{ portNumber, path: '/metrics' }]);
    const policy = findObject(`${component}/network-policy.yaml`, 'NetworkPolicy').spec;
    expect(Object.entries(policy['podSelector']?.['matchLabels'] ?? {})).toEqual(
      Object.entries(monitor['selector']?.['matchLabels'] ?? {}),
    );
    expect(policy['ingress']).toContainEqual({
      from: [{ namespaceSelector: { matchLabels: { 'xs2a/monitoring': 'true' } } }],
      ports: [{ port: portNumber, protocol: 'TCP' }],
    });
  });
});

describe('the runbooks (docs/runbooks/README.md)', () => {
  const readPage = (name: string): string => readFileSync(join(root, 'docs/runbooks', name), 'utf8');
  const pages = readdirSync(join(root, 'docs/runbooks')).filter((name) => name !== 'README.md');
  const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  /** The rows of the table: alerts, and the target of the link. doctor's lines are compared in its own spec. */
  const rows = [...readPage('README.md').matchAll(/^\|(.+)\|(.+)\|(.+)\|(.+)\|$/gm)]
    .slice(2)
    .map(([, , alertCell = '', , page = '']) => ({
      alerts: quoted(alertCell),
      target: /\]\(([^)]+)\)/.exec(page)?.[1] ?? '',
    }));
  const toAnchor = (title: string): string =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-');

  it.each(alerts.map(({ alert, annotations }) => [alert, annotations['runbook'] ?? '']))(
    'have a page or section for the alert %s, to which its annotation and the table lead',
    (alert, runbook) => {
      const [, page = '', anchor] = /^docs\/runbooks\/([\w-]+\.md)(?:#(.+))?$/.exec(runbook) ?? [];
      expect(pages).toContain(page);
      const headings = [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => toAnchor(title));
      if (anchor !== undefined) expect(headings).toContain(anchor);
      const listed = rows.filter((row) => row.alerts.includes(alert)).map(({ target }) => target);
      expect(listed).toEqual([runbook.slice('docs/runbooks/'.length)]);
    },
  );

  it('name only alerts that exist', () => {
    const known = new Set(alerts.map(({ alert }) => alert));
    expect(rows.flatMap((row) => row.alerts).filter((alert) => !known.has(alert))).toEqual([]);
  });

  it.each(pages)('list %s, which says when somebody followed it on a provoked fault', (page) => {
    const linked = rows.map(({ target }) => target.split('#')[0]);
    expect(linked).toContain(page);
    expect(readPage(page).trimEnd().split('\n').at(-1)).toMatch(
      /^Followed on a provoked fault: \d{4}-\d{2}-\d{2}\.$/,
    );
  });
});
