import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to outgoing connections (Linux: 32768 and up, others: 49152 and up): a server that
 * is down for a moment finds its port free again, and not at one end of somebody's connection.
 */
const first = 10_240;
const behindLast = 32_768;

/** The port at which this process began to look, and the number of ports that it has looked at since. */
const begin = randomInt(first, behindLast);
let lookedAt = 0;

/**
 * A TCP port on the loopback that nobody listens on right now and no outgoing connection takes by chance. The same port
 * comes again only after all others: whoever got it may not be listening yet. Processes begin at places of their own.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = first + ((begin - first + lookedAt) % (behindLast - first));
    lookedAt += 1;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no port from ${first} to ${behindLast - 1} is free`);
};

/** Can a server listen on this port of the loopback? */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
