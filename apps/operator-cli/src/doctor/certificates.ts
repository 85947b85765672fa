import { parseCredentials } from '@xs2a/nats/nats-url';
import { isVerifyFull } from '@xs2a/postgres/tls';
import { Clock } from '@xs2a/runtime/clock';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Connections } from '../connections.js';
import { type Check, failed, type Outcome, passed } from './check.js';

const answerWithinMs = 3000;
const warnBeforeDays = 30;
const dayMs = 86_400_000;

interface Server {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /**
   * The exchange before TLS starts: PostgreSQL receives SSLRequest and answers S; nats-server sends `INFO {…}`
   * first.
   */
  readonly before: 'nothing' | 'SSLRequest' | 'INFO';
}

/** The SSLRequest message of PostgreSQL's protocol: its length, and a number that is not a protocol version. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

const toServer = (name: string, address: string, port: number, before: Server['before']): Server => {
  const url = new URL(address);
  return { name, host: url.hostname, port: Number(url.port || port), before };
};

/** Lists the servers whose connections are encrypted. */
const listServers = ({ ownerDatabaseUrl, natsUrl, baseUrl }: Connections): Server[] => {
  const { servers, tls } = parseCredentials(natsUrl);
  return [
    ...(isVerifyFull(ownerDatabaseUrl) ? [toServer('PostgreSQL', ownerDatabaseUrl, 5432, 'SSLRequest')] : []),
    ...(tls === undefined
      ? []
      : servers.map((server) => toServer(`NATS ${server}`, `tls://${server}`, 4222, 'INFO'))),
    ...(baseUrl?.startsWith('https://') === true ? [toServer(baseUrl, baseUrl, 443, 'nothing')] : []),
  ];
};

/** True if the server has sent everything that must precede TLS. */
const mayBegin = (before: Server['before'], said: string): boolean =>
  before === 'nothing' || (before === 'INFO' ? said.endsWith('\r\n') : said !== '');

/** Returns the expiry time of a server's certificate, in epoch milliseconds. Throws if the server presents none. */
const readEnd = async ({ host, port, before }: Server): Promise<number> => {
  const signal = AbortSignal.timeout(answerWithinMs);
  const socket = connect(port, host);
  try {
    await once(socket, 'connect', { signal });
    if (before === 'SSLRequest') socket.write(sslRequest);
    let said = '';
    while (!mayBegin(before, said)) said += String((await once(socket, 'data', { signal }))[0]);
    // Accepts any certificate, because an expired one must be readable as well, and no data is sent over this
    // connection.
    const secure = connectTls({ socket, servername: host, rejectUnauthorized: false });
    await once(secure, 'secureConnect', { signal });
    return Date.parse(secure.getPeerCertificate().valid_to);
  } finally {
    socket.destroy();
  }
};

/**
 * Uses this machine's real-time clock, because servers and clients also verify certificates with their own
 * real-time clocks.
 */
const clock = new Clock(false);

/** Warns if a certificate expires soon. A server that does not answer is left to other checks. */
const run = async (connections: Connections): Promise<Outcome> => {
  const servers = listServers(connections);
  if (servers.length === 0) return passed('none: the connections are not encrypted');
  // A server that cannot be reached has no expiry date here, which the text below states.
  const ends = await Promise.all(
    servers.map(async (server) => ({ ...server, end: await readEnd(server).catch(() => undefined) })),
  );
  const text = ends
    .map(({ name, end }) =>
      end === undefined
        ? `${name} presents none`
        : `${name} until ${new Date(end).toISOString().slice(0, 10)}`,
    )
    .join(', ');
  const first = Math.min(...ends.map(({ end }) => end ?? Number.POSITIVE_INFINITY));
  const repair = 'docs/how-to/certificates.md describes how to replace a certificate without a restart';
  if (first < clock.nowMs()) return failed(`expired: ${text}`, repair);
  return passed(text, first < clock.nowMs() + warnBeforeDays * dayMs ? repair : undefined);
};

export const certificatesCheck: Check = { name: 'certificates', needs: [], run };
