// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NatsServer, startNats } from './nats-server.js';

/** Returns the server's greeting to each client: the JSON that follows the word INFO. */
const greeting = (port: number): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(JSON.parse(data.toString().slice('INFO '.length)) as Record<string, unknown>);
    });
  });

describe('the local nats-server (quality, Reliability)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-nats-'));
  const dataDir = join(folder, 'nats');
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNats({ dataDir });
  }, 20_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps its JetStream files in its own folder', async () => {
    await expect(greeting(server.port)).resolves.toMatchObject({ jetstream: true, host: '127.0.0.1' });
    expect(readdirSync(dataDir)).toContain('jetstream');
  });

  it('restarts on the same port after a kill', async () => {
    const before = server.pid;
    server.kill();
    await server.exited;
    server = await startNats({ dataDir, port: server.port });
    expect(server.pid).not.toBe(before);
    await expect(greeting(server.port)).resolves.toMatchObject({ port: server.port });
  }, 20_000);

  it('drops a silent client after five to ten seconds', async () => {
    const silent = connect(server.port, '127.0.0.1');
    const closed = new Promise<void>((resolve) => {
      silent.once('close', () => resolve());
    });
    silent.once('data', () => silent.write('CONNECT {"verbose":false}\r\nPING\r\n'));
    silent.resume();
    const begun = performance.now();
    await closed;
    const seconds = (performance.now() - begun) / 1000;
    expect(seconds).toBeGreaterThan(5);
    expect(seconds).toBeLessThan(10);
  }, 20_000);

  it('fails to start on a port that is in use, with an error that contains the port', async () => {
    await expect(startNats({ dataDir: join(folder, 'second'), port: server.port })).rejects.toThrow(
      new RegExp(`port ${server.port}`),
    );
  }, 20_000);
});
