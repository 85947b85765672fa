import {
  choice,
  ConfigError,
  type ConfigOf,
  databaseConfig,
  days,
  optional,
  port,
  publicUrl,
  sharedSecrets,
  text,
} from '@xs2a/runtime/config';

/** The settings of the pages. Without STAFF_ISSUER the console has no pages: it only keeps calls and processes. */
const pagesConfig = {
  /** The port of the pages. */
  PORT: optional(port()),
  /** The address at which the staff's browsers reach the console. */
  CONSOLE_URL: optional(publicUrl()),
  /** The issuer of the OpenID Connect provider at which the bank's staff signs in. */
  STAFF_ISSUER: optional(publicUrl()),
  /** The client id under which the console is registered at that provider. */
  STAFF_CLIENT_ID: optional(text()),
  /** The client's secret. */
  STAFF_CLIENT_SECRET: optional(text()),
  /** The claim of the ID token that lists the roles of a person. */
  STAFF_ROLES_CLAIM: text('roles'),
  /** The scope that is requested at sign-in; some providers need one more for the roles. */
  STAFF_SCOPE: text('openid profile'),
  /** Sign the cookie of the sessions; a key derived from the first one tags PSUs in recorded actions. */
  CONSOLE_COOKIE_SECRET: optional(sharedSecrets()),
};

export const config = {
  ...databaseConfig,
  ...pagesConfig,
  /** Retention of the calls of the API, one row each (docs/how-to/retention.md). */
  CALL_DAYS: days(1, 396)(30),
  /**
   * Which actions a second person must approve: `money` those that may move money, `all` also the others that the console can run
   * later (docs/how-to/operate-the-console.md).
   */
  CONSOLE_TWO_PEOPLE: choice(['none', 'money', 'all'])('none'),
  /** Retention of the recorded actions of the staff (docs/how-to/retention.md). */
  ACTION_DAYS: days(365, 3653)(3653),
};

export type ConsoleConfig = ConfigOf<typeof config>;

export interface PagesSettings {
  readonly port: number;
  readonly url: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly rolesClaim: string;
  readonly scope: string;
  readonly cookieSecrets: readonly string[];
}

/** Returns the settings of the pages; undefined without STAFF_ISSUER. Throws {@link ConfigError} if others are missing. */
export const readPages = (settings: ConfigOf<typeof pagesConfig>): PagesSettings | undefined => {
  const {
    PORT: port,
    CONSOLE_URL: url,
    STAFF_ISSUER: issuer,
    STAFF_CLIENT_ID: clientId,
    STAFF_CLIENT_SECRET: clientSecret,
    CONSOLE_COOKIE_SECRET: cookieSecrets,
  } = settings;
  if (issuer === undefined) return undefined;
  if (
    port !== undefined &&
    url !== undefined &&
    clientId !== undefined &&
    clientSecret !== undefined &&
    cookieSecrets !== undefined
  )
    return {
      port,
      url,
      issuer,
      clientId,
      clientSecret,
      rolesClaim: settings.STAFF_ROLES_CLAIM,
      scope: settings.STAFF_SCOPE,
      cookieSecrets,
    };
  const needed = {
    PORT: port,
    CONSOLE_URL: url,
    STAFF_CLIENT_ID: clientId,
    STAFF_CLIENT_SECRET: clientSecret,
    CONSOLE_COOKIE_SECRET: cookieSecrets,
  };
  throw new ConfigError(
    Object.entries(needed).flatMap(([name, value]) =>
      value === undefined ? [`${name} is missing: the pages need it, because STAFF_ISSUER is set`] : [],
    ),
  );
};
