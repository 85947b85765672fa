import type { ServiceName } from '@xs2a/contracts/services';
import type { DatabaseRole } from '@xs2a/local-servers/databases';
import { join } from 'node:path';

/** The input from which a service's environment is built. */
export interface Surroundings {
  /** The checkout whose build is started; its profiles and fixtures are used too. */
  readonly checkout: string;
  databaseUrl(role: DatabaseRole): string;
  natsUrl(account: ServiceName): string;
  healthPort(service: ServiceName): number;
  secretFile(name: string): string;
  /** Returns the path of the master key file of a service that stores personal data. */
  masterKeysFile(service: string): string;
  /** Returns the path of the hash key file of a service without master keys. */
  hashKeysFile(service: string): string;
  /** The name of the bank's profile, which changes when the bank switches to euro. */
  profile(): string;
  readonly baseUrl: string;
  readonly publicPort: number;
  readonly authPort: number;
  readonly portalPort: number;
  /** The pages of the operators' console; undefined if it has none. */
  readonly consolePages?: ConsolePages;
  readonly keysFile: string;
  readonly bundleKeysFile: string;
  /** The path of the test authority's certificate. */
  readonly trustAnchorsFile: string;
  readonly logLevel: string;
}
/** The addresses of the console's pages and of the identity provider of the staff. */
export interface ConsolePages {
  readonly url: string;
  readonly issuer: string;
}
export type Environment = Readonly<Record<string, string>>;

const fixturesFile = ({ checkout }: Surroundings): string =>
  join(checkout, 'deploy/sandbox/sandbox-fixtures.json');

/** The name under which the console is registered at the identity provider of the staff. */
export const staffClientId = 'console';

const pagesEnvironment = ({ consolePages, secretFile }: Surroundings): Environment =>
  consolePages === undefined
    ? {}
    : {
        PORT: new URL(consolePages.url).port,
        CONSOLE_URL: consolePages.url,
        STAFF_ISSUER: consolePages.issuer,
        STAFF_CLIENT_ID: staffClientId,
        STAFF_CLIENT_SECRET_FILE: secretFile('staff-client-secret'),
        CONSOLE_COOKIE_SECRET_FILE: secretFile('console-cookie-secret'),
      };

/** Each service's own settings, in addition to the shared ones, named as in the app's src/config.ts. */
const own = {
  accounts: (at) => ({
    DATABASE_URL: at.databaseUrl('xs2a_accounts'),
    HASH_KEYS_FILE: at.hashKeysFile('accounts'),
    SANDBOX_FIXTURES: fixturesFile(at),
  }),
  consents: (at) => ({
    DATABASE_URL: at.databaseUrl('xs2a_consents'),
    MASTER_KEYS_FILE: at.masterKeysFile('consents'),
  }),
  payments: (at) => ({
    DATABASE_URL: at.databaseUrl('xs2a_payments'),
    MASTER_KEYS_FILE: at.masterKeysFile('payments'),
  }),
  'settlement-worker': (at) => ({ DATABASE_URL: at.databaseUrl('xs2a_settlement') }),
  notifications: (at) => ({ DATABASE_URL: at.databaseUrl('xs2a_notifications'), BASE_URL: at.baseUrl }),
  console: (at) => ({ DATABASE_URL: at.databaseUrl('xs2a_console'), ...pagesEnvironment(at) }),
  portal: (at) => ({
    PORT: String(at.portalPort),
    PORTAL: 'sandbox',
    BASE_URL: at.baseUrl,
    GATEWAY_URL: `http://127.0.0.1:${at.publicPort}`,
    PORTAL_SECRET_FILE: at.secretFile('portal-secret'),
    SANDBOX_FIXTURES: fixturesFile(at),
  }),
  'funds-confirmation': () => ({}),
  auth: (at) => ({
    DATABASE_URL: at.databaseUrl('xs2a_auth'),
    PORT: String(at.authPort),
    BASE_URL: at.baseUrl,
    SANDBOX_FIXTURES: fixturesFile(at),
    AUTH_KEYS_FILE: at.keysFile,
    BUNDLE_KEYS_FILE: at.bundleKeysFile,
    GATEWAY_SECRET_FILE: at.secretFile('gateway-secret'),
    AUTH_COOKIE_SECRET_FILE: at.secretFile('cookie-secret'),
    AUTH_SUBJECT_SECRET_FILE: at.secretFile('subject-secret'),
    HASH_KEYS_FILE: at.hashKeysFile('auth'),
    TRUST_ANCHORS_FILE: at.trustAnchorsFile,
  }),
  gateway: (at) => ({
    PORT: String(at.publicPort),
    BASE_URL: at.baseUrl,
    AUTH_URL: `http://127.0.0.1:${at.authPort}`,
    PORTAL: 'sandbox',
    PORTAL_URL: `http://127.0.0.1:${at.portalPort}`,
    GATEWAY_SECRET_FILE: at.secretFile('gateway-secret'),
    PROXY_SECRET_FILE: at.secretFile('proxy-secret'),
    TRUST_ANCHORS_FILE: at.trustAnchorsFile,
  }),
} as const satisfies Readonly<Record<ServiceName, (at: Surroundings) => Environment>>;

export type { ServiceName };
/** A service without a public port; NATS distributes calls among its processes. */
export type ServiceBehindNats = Exclude<ServiceName, 'gateway' | 'auth'>;
export const serviceNames = Object.keys(own) as ServiceName[];
export const servicesBehindNats = serviceNames.filter(
  (name): name is ServiceBehindNats => name !== 'gateway' && name !== 'auth',
);
/** Services that have tables; their migrations are in apps/<name>/src/migrations. */
export const servicesWithTables: readonly ServiceName[] = [
  'accounts',
  'consents',
  'payments',
  'settlement-worker',
  'notifications',
  'console',
  'auth',
];

export const makeEnvironment = (service: ServiceName, at: Surroundings): Environment => ({
  NATS_URL: at.natsUrl(service),
  PROFILE_FILE: join(at.checkout, `deploy/profiles/${at.profile()}.json`),
  HEALTH_PORT: String(at.healthPort(service)),
  LOG_LEVEL: at.logLevel,
  SANDBOX: 'true',
  ...own[service](at),
});
