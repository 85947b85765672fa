import type { Ports } from './ports.js';
import { type ConsolePages, type Environment, staffClientId } from './services/service-table.js';

export const pagesAt = ({ console: port, staffProvider }: Ports): ConsolePages => ({
  url: `http://127.0.0.1:${port}`,
  issuer: `http://127.0.0.1:${staffProvider}`,
});

/** Returns the environment of the identity provider at which the staff signs in to the console. */
export const staffProviderEnvironment = ({ url, issuer }: ConsolePages, secretFile: string): Environment => {
  const { port } = new URL(issuer);
  return {
    PORT: port,
    HEALTH_PORT: port,
    OWN_URL: issuer,
    CONSOLE_URL: url,
    CLIENT_ID: staffClientId,
    CLIENT_SECRET_FILE: secretFile,
  };
};
