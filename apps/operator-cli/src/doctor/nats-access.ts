import { connect, type ConnectionOptions } from '@nats-io/transport-node';
import { parseCredentials } from '@xs2a/nats/nats-url';
import type { Connections } from '../connections.js';
import { type Check, type Outcome, mendBy } from './check.js';

/** The first version of each line that refuses connections without credentials whatever its configuration (CVE-2023-47090). */
const fixedIn = [
  [2, 9, 23],
  [2, 10, 2],
] as const;

/** True if a nats-server of this version is known to accept connections without credentials in some configurations. */
export const isVulnerable = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const line = fixedIn.find(([, ofLine]) => ofLine === minor);
  if (major !== 2) return major < 2;
  return line === undefined ? minor < 9 : patch < line[2];
};

const anonymous: readonly (readonly [what: string, who: ConnectionOptions])[] = [
  ['without credentials', {}],
  ['with empty credentials', { user: '', pass: '' }],
  ['with another password', { user: 'operator', pass: 'not the password' }],
];

/**
 * Tries to connect to each server without being one of its users; answers the tries that were accepted. Throws when a server
 * neither accepts nor refuses.
 */
export const acceptedWithoutCredentials = async (natsUrl: string): Promise<string[]> => {
  const { servers, tls } = parseCredentials(natsUrl);
  const accepted = new Set<string>();
  for (const server of servers) {
    for (const [what, who] of anonymous) {
      try {
        const connection = await connect({ ...who, servers: server, tls, reconnect: false, timeout: 3000 });
        accepted.add(what);
        await connection.close();
      } catch (error) {
        if (!/authorization/i.test(String(error))) throw error;
      }
    }
  }
  return [...accepted];
};

const run = async (connections: Connections): Promise<Outcome> => {
  const version = (await connections.nats()).info?.version ?? '';
  const accepted = await acceptedWithoutCredentials(connections.natsUrl);
  const mend = mendBy(connections, 'docs/how-to/deploy-nats.md says how users are configured');
  if (accepted.length > 0) {
    return { ok: false, text: `nats-server ${version} accepts anybody ${accepted.join(', ')}`, mend };
  }
  const text = `nats-server ${version} refuses whoever has no credentials`;
  if (!isVulnerable(version)) return { ok: true, text };
  const known = `${text}; with some other configurations this version accepts anybody (CVE-2023-47090)`;
  // The sandbox runs Debian's nats-server, with a configuration that the tests try; a bank's own is newer.
  if (connections.hasSandboxRules) return { ok: true, text: known };
  return { ok: false, text: known, mend: 'update nats-server to 2.9.23, 2.10.2 or newer' };
};

export const natsAccessCheck: Check = { name: 'nats access', needs: ['nats'], run };
