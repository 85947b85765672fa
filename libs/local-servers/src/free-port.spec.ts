import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { freePort, isPortFree } from './free-port.js';

describe('ports for test servers', () => {
  it('are free, outside the range of outgoing connections, and each returned only once', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, async () => freePort()));
    expect(ports.filter((port) => port < 1024 || port >= 32_768)).toEqual([]);
    expect(new Set(ports).size).toBe(20);
    const [port = 0] = ports;
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    expect(await isPortFree(port)).toBe(true);
  });
});
