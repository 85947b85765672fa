import { connect, type ConnectionOptions } from '@nats-io/transport-node';
import { parseCredentials } from '@xs2a/nats/nats-url';
import type { Connections } from '../connections.js';
import { type Check, failed, mendBy, type Outcome, passed } from './check.js';

/**
 * Rates a nats-server version according to its known vulnerabilities. `open`: older than 2.10.27 (or 2.11.0), so
 * that a user with access to JetStream's API can delete streams of other accounts (CVE-2025-30215), or anyone can
 * connect under some configurations (CVE-2023-47090). `behind`: lacks fixes from 2026, for example for clients
 * that publish traces to subjects for which they have no permission (CVE-2026-33249).
 */
export const securityOf = (version: string): 'current' | 'behind' | 'open' => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major !== 2) return major > 2 ? 'current' : 'open';
  const line = lines[minor];
  if (line === undefined) return minor > 12 ? 'current' : 'open';
  if (patch < line.minimum) return 'open';
  return patch < line.recommended ? 'behind' : 'current';
};

/** The patch release of each 2.x line that contains the fixes; no 2.10 release contains all of them. */
const lines: Readonly<Record<number, { readonly minimum: number; readonly recommended: number }>> = {
  10: { minimum: 27, recommended: Infinity },
  11: { minimum: 1, recommended: 16 },
  12: { minimum: 0, recommended: 7 },
};
const update = 'update nats-server to 2.12.7, 2.14 or newer; 2.10.27 is the minimum';

const anonymous: readonly (readonly [what: string, who: ConnectionOptions])[] = [
  ['without credentials', {}],
  ['with empty credentials', { user: '', pass: '' }],
  ['with another password', { user: 'operator', pass: 'not the password' }],
];

/**
 * Tries to connect to each server without valid credentials, and returns the attempts that were accepted. Throws
 * if a server neither accepts nor refuses an attempt.
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
  const repair = mendBy(connections, 'docs/how-to/deploy-nats.md describes how to configure users');
  if (accepted.length > 0)
    return failed(`nats-server ${version} accepts clients ${accepted.join(', ')}`, repair);
  const text = `nats-server ${version} refuses clients without credentials`;
  switch (securityOf(version)) {
    case 'current':
      return passed(text);
    case 'behind':
      return passed(`${text}; this version lacks security fixes of 2026`, update);
    case 'open': {
      const known = `${text}; this version has known vulnerabilities (CVE-2025-30215)`;
      // The sandbox runs Debian's nats-server, with a configuration that the tests verify. A bank's own
      // server should be newer.
      return connections.hasSandboxRules ? passed(known) : failed(known, update);
    }
  }
};

export const natsAccessCheck: Check = { name: 'nats access', needs: ['nats'], run };
