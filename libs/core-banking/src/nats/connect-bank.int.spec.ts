import { connect } from '@nats-io/transport-node';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startNats } from '@xs2a/local-servers/nats-server';
import type { CallClient } from '@xs2a/calls/client';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BankFault } from '../port/bank-fault.js';
import { connectBank } from './connect-bank.js';

const folder = mkdtempSync(join(tmpdir(), 'connect-bank-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clock = new Clock(false);
const logged: string[] = [];
const logger = createLogger('test', 'info', {
  destination: { write: (line: string): void => void logged.push(line) },
});
const unused = {} as CallClient;

describe('a separate NATS server for the bank (docs/how-to/connect-your-core-bank.md)', () => {
  it('does not delay the start of the service while it is down, is used once it is up, and is disconnected on close', async () => {
    const first = await startNats({ dataDir: join(folder, 'nats') });
    const { port } = first;
    const url = `nats://user:secret-word@127.0.0.1:${port}`;
    await first.stop();
    const bank = connectBank({ CORE_BANK_NATS_URL: url }, { callClient: unused, clock, logger });
    const deliver = async (): Promise<unknown> =>
      bank.client.ask(
        'svc.bank.deliver-otp',
        { psuId: 'anna', code: '123456', language: 'en' },
        { requestId: 'r-1', at: clock.now(), language: 'en', deadline: performance.now() + 1000 },
      );
    const fault = await deliver().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BankFault);
    expect(fault).toMatchObject({ code: 'unavailable' });
    expect(bank.isConnected?.()).toBe(false);
    await until(async () => expect(logged.join()).toContain('waiting for the NATS server of the core bank'));
    expect(logged.join()).not.toContain('secret-word');

    const server = await startNats({ dataDir: join(folder, 'nats'), port });
    const core = await connect({ servers: server.url });
    core.subscribe('svc.bank.deliver-otp', {
      callback: (_error, message) => void message.respond(JSON.stringify({ ok: {} })),
    });
    await core.flush();
    await until(async () => expect(bank.isConnected?.()).toBe(true));
    await expect(deliver()).resolves.toEqual({});
    await bank.close();
    expect(bank.isConnected?.()).toBe(false);
    expect(await deliver().catch((error: unknown) => error)).toMatchObject({ code: 'unavailable' });
    await core.close();
    await server.stop();
  });

  it('is not used if the bank replies over the NATS server of the services', async () => {
    const bank = connectBank({}, { callClient: unused, clock, logger });
    expect(bank.isConnected).toBeUndefined();
    await bank.close();
  });
});
