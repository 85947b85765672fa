import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { CallClient } from '@xs2a/calls/client';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BankClient } from '../nats/bank-client.js';
import { natsBank } from '../nats/nats-bank.js';
import type { CoreBank } from '../port/core-bank.js';
import { type ExampleBank, exampleSample, startExampleBank } from '../testing/example-bank.js';
import { freshBank, type FreshBank } from '../testing/fresh-bank.js';
import { bankChecks } from './checks.js';
import { payeeChecks } from './payee-checks.js';
import type { BankSample, Trial } from './sample.js';

const clock = new Clock(false);
const makeTrial = (bank: CoreBank, sample: BankSample): Trial => ({
  bank,
  sample,
  call: () => ({ requestId: newId(), at: clock.now(), deadline: performance.now() + 5000 }),
  newPaymentId: newId,
});

describe('the sandbox bank', () => {
  let fresh: FreshBank;
  let trial: Trial;
  beforeAll(async () => {
    fresh = await freshBank();
    trial = makeTrial(fresh.bank, {
      psuId: 'ivan',
      password: 'sandbox',
      iban: 'BG25XSBK92001000000001',
      currency: 'BGN',
      foreignIban: 'BG46XSBK92001000000011',
      elsewhere: 'BG26RZBB91551023456789',
      holderName: 'Иван Петров',
      corporateId: 'acme',
      instant: { silentPayee: 'BG03XSBV92001000000202' },
    });
  }, 60_000);
  afterAll(() => fresh.close(), 30_000);

  it.each(bankChecks)('passes the check: $title', async ({ run }) => run(trial));

  it('would fail a check if it returned a list that was not requested', async () => {
    const accounts = Object.create(trial.bank.accounts) as CoreBank['accounts'];
    accounts.entries = (query, call) =>
      trial.bank.accounts.entries({ ...query, bookingStatus: 'both' }, call);
    const check = bankChecks.find(({ title }) => title === 'dates and booking status select entries');
    await expect(check?.run({ ...trial, bank: { ...trial.bank, accounts } })).rejects.toThrow(
      'not requested',
    );
  });
});

describe('the sandbox bank in euro', () => {
  let fresh: FreshBank;
  beforeAll(async () => {
    fresh = await freshBank('bg-euro');
  }, 60_000);
  afterAll(() => fresh.close(), 30_000);
  const ofPayee = (elsewhere: string): Trial =>
    makeTrial(fresh.bank, {
      psuId: 'ivan',
      password: 'sandbox',
      iban: 'BG25XSBK92001000000001',
      currency: 'EUR',
      foreignIban: 'BG46XSBK92001000000011',
      elsewhere,
      holderName: 'Иван Петров',
    });

  it.each(payeeChecks)('passes the check with a silent bank elsewhere: $title', async ({ run }) =>
    run(ofPayee('BG73XSBV92001000000106')),
  );

  it.each([
    ['name', async () => ({ verdict: 'MATCH', name: 'Иван Петров' })],
    ['match', async () => ({ verdict: 'MATCH' })],
    ['deadline', async () => new Promise(() => undefined)],
  ])('would fail a check if it gave every payee the same answer: %s', async (_what, verify) => {
    const bank = { ...fresh.bank, payees: { verify: verify as CoreBank['payees']['verify'] } };
    const failed = await Promise.all(
      payeeChecks.map(async ({ run }) =>
        Promise.race([
          run({ ...ofPayee('BG73XSBV92001000000106'), bank }).then(
            () => false,
            () => true,
          ),
          setTimeout(1000, true),
        ]),
      ),
    );
    expect(failed).toContain(true);
  });
});

describe('the example bank in plain Node over NATS (docs/how-to/connect-your-core-bank.md)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'example-bank-'));
  let server: NatsServer;
  let nats: NatsConnection;
  let example: ExampleBank;
  let trial: Trial;
  beforeAll(async () => {
    server = await startNats({ dataDir: join(folder, 'nats') });
    nats = await connect({ servers: server.url });
    example = await startExampleBank(server.url);
    const client = new BankClient(new CallClient(nats, clock), { warn: () => undefined });
    trial = makeTrial(
      natsBank(client, async () => undefined),
      exampleSample,
    );
  }, 60_000);
  afterAll(async () => {
    await example.stop();
    await nats.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  it.each(bankChecks)('passes the check: $title', async ({ run }) => run(trial));
});
