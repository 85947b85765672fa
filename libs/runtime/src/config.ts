import { isVerifiedUrl } from '@xs2a/nats/nats-url';
import { isVerifyFull } from '@xs2a/postgres/tls';
import { readFileSync } from 'node:fs';
import { parseHashKeys } from '@xs2a/postgres/hash-keys';
import { parseMasterKeys } from './master-keys.js';

/** One configuration value: how it is parsed from text, and a description of its required form. */
export interface Setting<Value> {
  readonly form: string;
  readonly fallback?: Value;
  readonly optional: boolean;
  parse(text: string): Value | undefined;
  /** An additional requirement on the value, which applies unless SANDBOX is true. */
  readonly outsideSandbox?: { readonly form: string; holds(value: Value): boolean };
}
export type ConfigSpec = Readonly<Record<string, Setting<unknown>>>;
export type ConfigOf<Spec extends ConfigSpec> = {
  readonly [Name in keyof Spec]: Spec[Name] extends Setting<infer Value> ? Value : never;
};

const setting =
  <Value>(form: string, parse: (text: string) => Value | undefined) =>
  (fallback?: Value): Setting<Value> => ({
    form,
    parse,
    optional: false,
    fallback,
  });

export const text = setting('a non-empty text', (value) => (value === '' ? undefined : value));
export const port = setting('a port from 0 to 65535', (value) => {
  const number = Number(value);
  return /^\d{1,5}$/.test(value) && number <= 65_535 ? number : undefined;
});
/** Port numbers of at least 1, separated by commas. */
const ports = setting('ports from 1 to 65535, separated by commas', (value) => {
  const numbers = value.split(',').map(Number);
  return /^[1-9]\d{0,4}(?:,[1-9]\d{0,4})*$/.test(value) && numbers.every((number) => number <= 65_535)
    ? numbers
    : undefined;
});
export const count = setting('a whole number of at least 1', (value) =>
  /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined,
);
/** A whole number of some unit, within bounds. */
const between = (unit: string, min: number, max: number) =>
  setting(`a whole number of ${unit} from ${min} to ${max}`, (value) =>
    /^[1-9]\d{0,8}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
  );
/** A size. */
export const bytes = (min: number, max: number) => between('bytes', min, max);
/** A retention period in days; docs/how-to/retention.md gives the legal reasons for the bounds. */
export const days = (min: number, max: number) => between('days', min, max);
const months = (min: number, max: number) => between('months', min, max);
const years = (min: number, max: number) => between('years', min, max);
/**
 * A number of events. When the relay stops, up to 1,000 events may be in the process of being published, and a
 * restart must not skip them.
 */
const events = between('events', 1000, 10_000_000);
/** A part of a whole. */
const share = setting('a number from 0 to 1', (value) =>
  /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(value) ? Number(value) : undefined,
);
export const flag = setting('true or false', (value) =>
  value === 'true' ? true : value === 'false' ? false : undefined,
);
/** A flag that nobody may set outside the sandbox. */
export const sandboxFlag: typeof flag = (fallback) => ({
  ...flag(fallback),
  outsideSandbox: { form: 'false', holds: (value) => !value },
});
export const url = setting('a URL', (value) =>
  URL.canParse(value.split(',')[0] ?? '') ? value.replace(/\/$/, '') : undefined,
);
const httpUrl = setting('an http or https URL', (value) =>
  /^https?:\/\//.test(value) && URL.canParse(value) ? value.replace(/\/$/, '') : undefined,
);
/** The public origin. Outside the sandbox it must use TLS, because tokens and passwords cross it. */
export const publicUrl: typeof url = (fallback) => ({
  ...url(fallback),
  outsideSandbox: { form: 'an https URL', holds: (value) => value.startsWith('https://') },
});
/**
 * The URL of NATS. Outside the sandbox it must use encryption (`tls://`) and verify the server, because PSUs'
 * passwords and one-time codes cross the connection.
 */
export const natsUrl: typeof url = (fallback) => ({
  ...url(fallback),
  outsideSandbox: {
    form: 'a tls:// URL with host names, not IP addresses (?ca_file=FILE for a private authority)',
    holds: isVerifiedUrl,
  },
});
/**
 * The URL of PostgreSQL. Outside the sandbox, the connection must be encrypted, and the server's certificate and
 * host name must be verified, because names, IBANs and amounts cross it. There is no exception for localhost or
 * socket files (docs/adr/0058).
 */
export const databaseUrl: typeof url = (fallback) => ({
  ...url(fallback),
  outsideSandbox: {
    form: 'a postgres:// URL with a host and ?sslmode=verify-full (&sslrootcert=FILE for a private authority)',
    holds: isVerifyFull,
  },
});
/** A number of megabytes (1,000,000 bytes), converted to bytes. */
export const megabytes = setting('a whole number of megabytes, at least 4', (value) =>
  /^[1-9]\d{0,8}$/.test(value) && Number(value) >= 4 ? Number(value) * 1_000_000 : undefined,
);
/** See {@link parseMasterKeys}. */
export const masterKeys = setting('one or more of NAME:BASE64, each with 32 bytes', parseMasterKeys);
/** Secrets that two programs share. The first one is sent and all are accepted, so that secrets can be rotated. */
export const sharedSecrets = setting(
  'one or more texts of at least 32 visible ASCII characters, separated by spaces',
  (value): readonly string[] | undefined => {
    const secrets = value.trim().split(/\s+/);
    return secrets.every((secret) => /^[\x21-\x7e]{32,}$/.test(secret)) ? secrets : undefined;
  },
);
/** See {@link parseHashKeys}. */
export const hashKeys = setting('one or more of NAME:BASE64, each with 32 bytes', parseHashKeys);
/** One word of a fixed set. */
export const choice = <Word extends string>(words: readonly Word[]): ((fallback?: Word) => Setting<Word>) =>
  setting(`one of ${words.join(', ')}`, (value) => words.find((word) => word === value));
export const logLevel = setting('one of trace, debug, info, warn, error, fatal, silent', (value) =>
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].includes(value) ? value : undefined,
);
/** A setting that may be absent. */
export const optional = <Value>(inner: Setting<Value>): Setting<Value | undefined> => ({
  ...inner,
  optional: true,
});

/** The settings that every service reads. */
export const serviceConfig = {
  /** The NATS servers, separated by commas, with this service's user and password (docs/how-to/certificates.md). */
  NATS_URL: natsUrl(),
  /** If true, calls made in the same turn of the event loop share one write. */
  NATS_SHARED_WRITES: flag(true),
  /** The JSON file with the bank's rules: payment products, limits, languages, cut-off times (`deploy/profiles`). */
  PROFILE_FILE: text(),
  /** The port of `/health/live`, `/health/ready` and `/metrics`; 0 selects a free port. */
  HEALTH_PORT: port(0),
  /** The address on which the HTTP server listens. Containers set it to 0.0.0.0. */
  HOST: text('127.0.0.1'),
  /** The lowest level that is logged. */
  LOG_LEVEL: logLevel('info'),
  /** If true, the service is part of a sandbox: the clock can be moved and /sandbox exists. */
  SANDBOX: flag(false),
  /**
   * The OpenTelemetry collector that receives spans, by OTLP over HTTP at its path `/v1/traces`. If absent, tracing is
   * off (docs/how-to/operate.md).
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpUrl()),
  /** The same, as a complete URL; takes precedence. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(httpUrl()),
  /** The share of traces that are recorded while tracing is on. */
  OTEL_TRACES_SAMPLER_ARG: share(1),
};
/**
 * The core bank that the accounts service uses: its own sandbox ledger, or the bank's system that handles
 * `svc.bank.>` over NATS.
 */
export const coreBankConfig = {
  /** `nats`: the bank's own core system replies over NATS; `sandbox`: the accounts service's ledger is used. */
  CORE_BANK: optional(choice(['sandbox', 'nats'])()),
  /** The NATS server to which the bank's core system is connected. If absent, the services' server is used. */
  CORE_BANK_NATS_URL: optional(natsUrl()),
};
/**
 * The URL of a KMS that decrypts master keys. Outside the sandbox it must use TLS, because the keys cross the
 * connection.
 */
const kmsUrl: typeof url = (fallback) => ({
  ...url(fallback),
  outsideSandbox: {
    form: 'an https URL (?ca_file=FILE for a private authority)',
    holds: (value) => value.startsWith('https://'),
  },
});
/** The settings of services that store and publish events. */
export const relayConfig = {
  /** If true, concurrent appends share one SQL statement, and concurrent look-ups of idempotency keys another (docs/benchmarks.md, What speed costs). */
  APPEND_BATCHING: flag(true),
  /** A lost event stream is refilled with this many of the newest events; PostgreSQL keeps all events. */
  STREAM_REFILL_EVENTS: events(10_000),
  /** The keys that wrap the keys of personal data, newest first (docs/how-to/erasure.md). */
  MASTER_KEYS: masterKeys(),
  /**
   * If set, MASTER_KEYS are ciphertexts that this KMS decrypts: `https://HOST:PORT/v1/transit/decrypt/KEY` of
   * OpenBao or Vault.
   */
  MASTER_KEYS_KMS_URL: optional(kmsUrl()),
  /** The token for the KMS. If absent, a proxy must add it. */
  MASTER_KEYS_KMS_TOKEN: optional(text()),
};
/** When ended payments and consents are moved out of the database, and how long they are retained afterwards. */
export const retentionConfig = {
  /**
   * Calendar months, including the current one, after which an ended payment, order, bulk payment or basket may be
   * archived (docs/how-to/retention.md).
   */
  PAYMENTS_ARCHIVED_AFTER_MONTHS: months(2, 60)(14),
  /**
   * Years after which the file of a month's payments may be deleted, counted from the end of the year in which the
   * payments ended.
   */
  PAYMENTS_RETAINED_YEARS: years(5, 10)(5),
  /** The same, for consents. */
  CONSENTS_ARCHIVED_AFTER_MONTHS: months(2, 60)(14),
  /** The same, for consents. */
  CONSENTS_RETAINED_YEARS: years(5, 10)(5),
};
export const databaseConfig = {
  /** The URL of PostgreSQL, with this service's role and password (docs/how-to/certificates.md). */
  DATABASE_URL: databaseUrl(),
  /** The maximum number of connections that an instance opens (docs/how-to/upgrade.md). */
  DATABASE_POOL: count(10),
  /** If `yes`, the service starts outside the sandbox even without a synchronous standby (docs/how-to/fail-over.md). */
  ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES: choice(['yes', 'no'])('no'),
};
/** The settings of the jobs that change a schema as its owner. */
export const migrationConfig = {
  /** If false, connections to PostgreSQL need TLS. */
  SANDBOX: serviceConfig.SANDBOX,
  /** The URL of PostgreSQL, with the role and password of the schemas' owner (docs/how-to/certificates.md). */
  MIGRATION_DATABASE_URL: databaseUrl(),
};
/**
 * The settings of the NATS migration job, which creates the event streams and key-value buckets of all services
 * and sets the streams' limits. It runs with each release, and again after NATS has lost its files.
 */
export const natsMigrationConfig = {
  /** If false, connections to NATS need TLS. */
  SANDBOX: serviceConfig.SANDBOX,
  /** The NATS servers, separated by commas, with the user that may create streams (docs/how-to/certificates.md). */
  MIGRATION_NATS_URL: natsUrl(),
  /**
   * The size limit of the payment event stream, which discards the oldest events. If absent, there is no limit
   * (docs/runbooks/disk-fills.md).
   */
  PAYMENTS_STREAM_MAX_MB: optional(megabytes()),
  /** The same, for the consent event stream. */
  CONSENTS_STREAM_MAX_MB: optional(megabytes()),
};
/** The settings that, together with BASE_URL and SANDBOX, determine where notifications may be sent. */
export const receiverConfig = {
  /** Ports other than 443 to which notifications may be sent (docs/contract/11-status-push.md). */
  NOTIFICATION_PORTS: optional(ports()),
};
export const httpConfig = {
  /** The port on which requests are served. */
  PORT: port(),
};

/**
 * Reads settings from the environment. `NAME_FILE` gives the path of a file that contains the value (for secrets
 * stored in files). Throws one error that lists every invalid variable and its required form.
 */
export const readConfig = <Spec extends ConfigSpec>(
  spec: Spec,
  env: NodeJS.ProcessEnv = process.env,
): ConfigOf<Spec> => {
  const problems: string[] = [];
  const entries = Object.entries(spec).map(([name, wanted]): [string, unknown] => {
    const raw = readValue(name, env, problems);
    if (raw === undefined) {
      if (wanted.fallback === undefined && !wanted.optional)
        problems.push(`${name} is missing: ${wanted.form}`);
      return [name, wanted.fallback];
    }
    const value = wanted.parse(raw);
    if (value === undefined) problems.push(`${name} is not ${wanted.form}`);
    return [name, value];
  });
  const isLive = 'SANDBOX' in spec && !entries.some(([name, value]) => name === 'SANDBOX' && value === true);
  for (const [name, value] of isLive ? entries : []) {
    const demanded = spec[name]?.outsideSandbox;
    if (value !== undefined && demanded?.holds(value) === false)
      problems.push(`${name} is not ${demanded.form}, as it must be outside the sandbox`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as ConfigOf<Spec>;
};

/**
 * Returns the core bank to use. In the sandbox, this is the sandbox ledger unless another one is configured.
 * Outside the sandbox, throws {@link ConfigError} if none is configured, or if it is the sandbox ledger, which
 * holds only play money.
 */
export const readCoreBank = ({
  SANDBOX,
  CORE_BANK,
}: ConfigOf<Pick<typeof serviceConfig, 'SANDBOX'>> & Partial<ConfigOf<typeof coreBankConfig>>):
  | 'sandbox'
  | 'nats' => {
  if (CORE_BANK === 'nats') return CORE_BANK;
  if (SANDBOX) return 'sandbox';
  throw new ConfigError([
    'CORE_BANK must be nats where SANDBOX is false: the money of the sandbox bank is play money',
  ]);
};

/** Lists the invalid variables but never their values, because some are secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`configuration: ${problems.join('; ')}`);
  }
}

const readValue = (name: string, env: NodeJS.ProcessEnv, problems: string[]): string | undefined => {
  if (env[name] !== undefined) return env[name];
  const file = env[`${name}_FILE`];
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    problems.push(`${name}_FILE names a file that cannot be read`);
    return undefined;
  }
};
