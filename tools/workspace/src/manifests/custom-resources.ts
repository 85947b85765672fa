import { listUnknownFields } from './unknown-fields.js';

type Module = Readonly<Record<string, { readonly prototype: { validate(): void } } | undefined>>;

/**
 * Each custom resource in k8s/ by `apiVersion kind`, with the npm module that validates it, generated from the
 * operator's own types.
 */
const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  'gateway.networking.k8s.io/v1 Gateway': () =>
    import('@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/Gateway'),
  'gateway.networking.k8s.io/v1 GatewayClass': () =>
    import('@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/GatewayClass'),
  'gateway.networking.k8s.io/v1 HTTPRoute': () =>
    import('@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute'),
  'gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy': () =>
    import('@kubernetes-models/envoy-gateway/gateway.envoyproxy.io/v1alpha1/BackendTrafficPolicy'),
  'gateway.envoyproxy.io/v1alpha1 ClientTrafficPolicy': () =>
    import('@kubernetes-models/envoy-gateway/gateway.envoyproxy.io/v1alpha1/ClientTrafficPolicy'),
  'gateway.envoyproxy.io/v1alpha1 EnvoyPatchPolicy': () =>
    import('@kubernetes-models/envoy-gateway/gateway.envoyproxy.io/v1alpha1/EnvoyPatchPolicy'),
  'gateway.envoyproxy.io/v1alpha1 HTTPRouteFilter': () =>
    import('@kubernetes-models/envoy-gateway/gateway.envoyproxy.io/v1alpha1/HTTPRouteFilter'),
  'cert-manager.io/v1 Certificate': () =>
    import('@kubernetes-models/cert-manager/cert-manager.io/v1/Certificate'),
  'cert-manager.io/v1 Issuer': () => import('@kubernetes-models/cert-manager/cert-manager.io/v1/Issuer'),
  'postgresql.cnpg.io/v1 Cluster': () =>
    import('@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster'),
  'postgresql.cnpg.io/v1 ScheduledBackup': () =>
    import('@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup'),
  'monitoring.coreos.com/v1 PodMonitor': () =>
    import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor'),
  'monitoring.coreos.com/v1 PrometheusRule': () =>
    import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule'),
  'external-secrets.io/v1 ExternalSecret': () =>
    import('@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret'),
  'external-secrets.io/v1 SecretStore': () =>
    import('@kubernetes-models/external-secrets/external-secrets.io/v1/SecretStore'),
};

/**
 * No npm package contains the schema for the ObjectStore resource of CloudNativePG's Barman Cloud plugin. Its
 * largest part, the connection to the store, is validated as part of an external cluster; the other fields are
 * checked here against the plugin's field names.
 */
const objectStore = 'barmancloud.cnpg.io/v1 ObjectStore';
const storeFields = new Set(['configuration', 'retentionPolicy', 'instanceSidecarConfiguration']);
const listStoreProblems = async (object: object): Promise<string[]> => {
  const { metadata, spec } = object as { readonly metadata: object; readonly spec: Record<string, unknown> };
  const cluster = {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata,
    spec: {
      instances: 1,
      externalClusters: [{ name: 'store', barmanObjectStore: spec['configuration'] }],
    },
  };
  const unknown = Object.keys(spec).filter((field) => !storeFields.has(field));
  return [
    ...unknown.map((field) => `/spec/${field} is not a field of the schema`),
    ...((await listCustomProblems('postgresql.cnpg.io/v1 Cluster', cluster)) ?? []),
  ];
};

/**
 * Returns the problems that a custom resource's operator would report, and unknown fields; undefined for a kind
 * that is not in the table.
 */
export const listCustomProblems = async (kind: string, object: object): Promise<string[] | undefined> => {
  if (kind === objectStore) return listStoreProblems(object);
  const load = modules[kind];
  if (load === undefined) return undefined;
  const { validate } = ((await load()) as Module)[kind.split(' ')[1] ?? '']?.prototype ?? {};
  if (validate === undefined) throw new Error(`the package has no ${kind}`);
  const errors: string[] = [];
  const unknown = listUnknownFields(object, (observed) => {
    try {
      validate.call(observed);
    } catch (error) {
      // The validator throws the problems; here they are the result.
      errors.push(error instanceof Error ? error.message : String(error));
    }
  });
  return [...errors, ...unknown];
};
