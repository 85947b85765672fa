import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CallClient } from '@xs2a/calls/client';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BankClient } from './bank-client.js';
import { natsBank } from './nats-bank.js';

const folder = mkdtempSync(join(tmpdir(), 'nats-entries-'));
const clock = new Clock(false);
let server: NatsServer;
let nats: NatsConnection;

beforeAll(async () => {
  server = await startNats({ dataDir: join(folder, 'nats') });
  nats = await connect({ servers: server.url });
}, 30_000);
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const dates = { bookingDate: '2026-01-02', valueDate: '2026-01-02' };
const inLeva = { transactionId: 't1', ...dates, amount: { minor: 1, currency: 'BGN' } };
const inEuro = { transactionId: 't2', ...dates, amount: { minor: 1, currency: 'EUR' } };
const query = {
  resourceId: newId(),
  currency: 'EUR',
  dateFrom: '2026-01-01',
  dateTo: '2026-02-01',
  bookingStatus: 'both',
  pageSize: 2,
} as const;

/** Reads a page of an account in euro, of which the bank answers these booked entries. */
const pageOf = async (levEnd: string | undefined, ...booked: readonly object[]) => {
  const subscription = nats.subscribe('svc.bank.accounts.entries', {
    callback: (_error, message) => void message.respond(JSON.stringify({ ok: { booked, pending: [] } })),
  });
  const client = new BankClient(new CallClient(nats, clock), { warn: () => undefined });
  const bank = natsBank(client, async () => levEnd);
  const call = { requestId: 'r-1', at: clock.now(), deadline: performance.now() + 1000 };
  try {
    return await bank.accounts.entries(query, call);
  } finally {
    subscription.unsubscribe();
  }
};

describe('an account in euro at a bank with its own core system (contract E5.2)', () => {
  it('has entries in leva that were booked up to the day on which the lev ended', async () => {
    const page = await pageOf('2026-01-02', inEuro, inLeva);
    expect(page).toMatchObject({ booked: [inEuro, inLeva] });
  });

  it('has no entries in leva that were booked later, nor at a bank in leva', async () => {
    const malformed = { code: 'answer-malformed' };
    await expect(pageOf('2026-01-01', inLeva)).rejects.toMatchObject(malformed);
    await expect(pageOf(undefined, inLeva)).rejects.toMatchObject(malformed);
  });
});
