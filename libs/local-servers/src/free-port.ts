import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below the range for outgoing connections (Linux: 32768 and up, others: 49152 and up), so that a server
 * that is down briefly finds its port free and not used by an outgoing connection.
 */
const first = 10_240;
const behindLast = 32_768;

/** The port at which this process started its search, and the number of ports checked so far. */
const begin = randomInt(first, behindLast);
let lookedAt = 0;

/**
 * Returns a free loopback TCP port outside the range of outgoing connections. A port is returned again only after
 * all others, because its receiver may not be listening yet. Each process starts at a different port.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = first + ((begin - first + lookedAt) % (behindLast - first));
    lookedAt += 1;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no port from ${first} to ${behindLast - 1} is free`);
};

/** True if a server can listen on this loopback port. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
