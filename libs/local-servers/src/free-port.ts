import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports are chosen below the range for outgoing connections (32768 and up on Linux, 49152 and up elsewhere).
 * Otherwise an outgoing connection could take the port of a server that is briefly down.
 */
const first = 10_240;
const behindLast = 32_768;

/** The port at which this process started its search, and the number of ports checked so far. */
const begin = randomInt(first, behindLast);
let lookedAt = 0;

/**
 * Returns a free loopback TCP port outside the range of outgoing connections. The caller may not be listening yet,
 * so a port is returned again only after all others. Each process starts its search at a different port.
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
