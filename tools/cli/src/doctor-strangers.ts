import { connect, type ConnectionOptions } from '@nats-io/transport-node';
import { credentialsOf } from '@xs2a/messaging/connection';
import type { Connections } from './connections.js';
import { type Check, type Outcome, mendBy } from './doctor-check.js';

/** The first versions of each line that let nobody in without credentials, whatever their configuration (CVE-2023-47090). */
const mended = [
  [2, 9, 23],
  [2, 10, 2],
] as const;

/** Is a nats-server of this version known to let strangers in by some configurations? */
export const isVulnerable = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const line = mended.find(([, ofLine]) => ofLine === minor);
  if (major !== 2) return major < 2;
  return line === undefined ? minor < 9 : patch < line[2];
};

const strangers: readonly (readonly [what: string, who: ConnectionOptions])[] = [
  ['without credentials', {}],
  ['with empty credentials', { user: '', pass: '' }],
  ['with another password', { user: 'operator', pass: 'not the password' }],
];

/** Tries to come in as nobody. Which of the tries succeeded. */
export const strangersLetIn = async (natsUrl: string): Promise<string[]> => {
  const { servers, tls } = credentialsOf(natsUrl);
  const letIn: string[] = [];
  for (const [what, who] of strangers) {
    const connection = await connect({ ...who, servers, tls, reconnect: false, timeout: 3000 }).catch(
      () => undefined,
    );
    if (connection === undefined) continue;
    letIn.push(what);
    await connection.close();
  }
  return letIn;
};

const run = async (connections: Connections): Promise<Outcome> => {
  const version = (await connections.nats()).info?.version ?? '';
  const letIn = await strangersLetIn(connections.natsUrl);
  const mend = mendBy(connections, 'docs/how-to/deploy-nats.md says how users are configured');
  if (letIn.length > 0) {
    return { ok: false, text: `nats-server ${version} lets anybody in ${letIn.join(', ')}`, mend };
  }
  const text = `nats-server ${version} lets nobody in without credentials`;
  if (!isVulnerable(version)) return { ok: true, text };
  const known = `${text}; this version does with other configurations (CVE-2023-47090)`;
  // The sandbox runs Debian's nats-server, with a configuration that the tests try; a bank's own is newer.
  if (connections.isSandbox) return { ok: true, text: known };
  return { ok: false, text: known, mend: 'update nats-server to 2.9.23, 2.10.2 or newer' };
};

export const strangersCheck: Check = { name: 'nats strangers', needs: ['nats'], run };
