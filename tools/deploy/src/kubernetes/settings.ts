import { type ConfigSpec, serviceConfig } from '@xs2a/runtime/config';
import type { IEnvVar } from 'kubernetes-models/v1/EnvVar';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';

/**
 * Returns all settings that an app declares in its src/config.ts, together with the settings shared by all
 * services.
 */
export const declaredBy = async (app: string): Promise<ConfigSpec> => {
  const { config } = (await import(join(root, 'apps', app, 'src/config.ts'))) as { config: ConfigSpec };
  return { ...serviceConfig, ...config };
};

/** The source of a setting's value in a container. An unlisted setting is a key in the ConfigMap. */
type Source =
  | { readonly secretFile: string }
  /** For an optional secret. Its source differs because a file named by a setting must exist. */
  | { readonly optionalSecret: string }
  | { readonly value: string };

const sources: Readonly<Record<string, Source>> = {
  NATS_URL: { secretFile: 'nats-url' },
  DATABASE_URL: { secretFile: 'database-url' },
  CORE_BANK_NATS_URL: { optionalSecret: 'core-bank-nats-url' },
  AUTH_KEYS_FILE: { secretFile: 'signing-keys.json' },
  BUNDLE_KEYS_FILE: { secretFile: 'bundle-keys.json' },
  AUTH_COOKIE_SECRET: { secretFile: 'cookie-secret' },
  AUTH_SUBJECT_SECRET: { secretFile: 'subject-secret' },
  HASH_KEYS: { secretFile: 'hash-keys' },
  MASTER_KEYS: { secretFile: 'master-keys' },
  MASTER_KEYS_KMS_URL: { optionalSecret: 'master-keys-kms-url' },
  MASTER_KEYS_KMS_TOKEN: { optionalSecret: 'master-keys-kms-token' },
  CONSOLE_COOKIE_SECRET: { optionalSecret: 'cookie-secret' },
  STAFF_CLIENT_SECRET: { optionalSecret: 'staff-client-secret' },
  PORTAL_SECRET: { optionalSecret: 'portal-secret' },
  GATEWAY_SECRET: { secretFile: 'gateway-secret' },
  PROXY_SECRET: { secretFile: 'proxy-secret' },
  TRUST_ANCHORS: { secretFile: 'trust-anchors.pem' },
  AUTH_URL: { value: 'http://auth:8080' },
  GATEWAY_URL: { value: 'http://gateway:8080' },
  PORTAL_URL: { value: 'http://portal:8080' },
  SANDBOX_FIXTURES: { value: '/app/deploy/sandbox/sandbox-fixtures.json' },
};

const configMap = 'xs2a';
/** The folder in which the keys of a pod's secret are mounted. */
export const secretFolder = '/run/secrets/xs2a';

export type EnvironmentVariable = IEnvVar;

export const fromConfigMap = (key: string, isOptional: boolean, name = configMap): EnvironmentVariable => ({
  name: key,
  valueFrom: { configMapKeyRef: { name, key, optional: isOptional || undefined } },
});

export const fromOptionalSecret = (name: string, key: string, secret: string): EnvironmentVariable => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key, optional: true } },
});

/** `NAME_FILE` names the file that contains the value of NAME, unless NAME itself is a file name. */
export const fromSecretFile = (name: string, key: string): EnvironmentVariable => ({
  name: name.endsWith('_FILE') ? name : `${name}_FILE`,
  value: `${secretFolder}/${key}`,
});

/** Returns the environment of an app's container: each declared setting with its source. */
export const makeEnv = (spec: ConfigSpec, secret: string): EnvironmentVariable[] =>
  Object.entries(spec).map(([name, setting]) => {
    const source = sources[name];
    if (source === undefined) return fromConfigMap(name, setting.optional || setting.fallback !== undefined);
    if ('value' in source) return { name, value: source.value };
    if ('secretFile' in source) return fromSecretFile(name, source.secretFile);
    return fromOptionalSecret(name, source.optionalSecret, secret);
  });
