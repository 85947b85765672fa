import { listUnknownFields } from './unknown-fields.js';

type Module = Readonly<Record<string, { readonly prototype: { validate(): void } } | undefined>>;

/** Each custom resource of k8s/ by `apiVersion kind`, with the npm module that validates it, made from the operator's own types. */
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
 * The resource of CloudNativePG's plugin Barman Cloud is in no package. Its largest part is in one: how its store is reached,
 * as in an external cluster. The other fields are compared with the plugin's field names here.
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
    ...unknown.map((field) => `/spec/${field} is no field that the schema knows`),
    ...((await listCustomProblems('postgresql.cnpg.io/v1 Cluster', cluster)) ?? []),
  ];
};

/** The problems that the operator of a custom resource would report, and unknown fields; undefined for a kind that is not in the table. */
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
      // The validator throws the problems, which are the result here.
      errors.push(error instanceof Error ? error.message : String(error));
    }
  });
  return [...errors, ...unknown];
};
