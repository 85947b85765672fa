// Lane: alone (it starts a core bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleBank, exampleSample, startExampleBank } from '@xs2a/core-banking/testing/example-bank';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { domesticPayment, initiate, readStatus, sandboxNow } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOperator } from '../testing/command-process.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-euro-core-'));
let nats: NatsServer;
let bank: ExampleBank;
let world: World;
beforeAll(async () => {
  nats = await startNats({ dataDir: folder });
  bank = await startExampleBank(nats.url);
  world = await World.around({ profile: 'sandbox', coreBank: nats.url });
}, 180_000);
afterAll(async () => {
  await world?.stop();
  await bank?.stop();
  await nats?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the switch-over of a bank with its own core system (contract-euro E6.1)', () => {
  it('ends with exit code 1, and rejects and converts nothing, while that system answers in BGN', async () => {
    const tpp = world.tpp();
    const now = await sandboxNow(world);
    const at = startOfBankDay(addDays(toBankDate(now, 'Europe/Sofia'), 1), 'Europe/Sofia');
    const operator = makeOperator(world.dataDir);
    expect((await operator.xs2a('euro', 'switch', '--at', at)).code).toBe(0);
    const minutesBefore = Math.floor((Date.parse(at) - Date.parse(now)) / 60_000) - 5;
    await world.advance(`PT${minutesBefore}M`);
    const body = domesticPayment(exampleSample.iban, '1.00');
    const unsigned = await initiate(tpp, await tpp.applicationToken(), body);
    await world.advance('PT6M');
    const refused = await operator.xs2a('euro', 'switch', '--at', at);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('The core bank still answers that accounts are in BGN.'),
    ]);
    expect(await readStatus(tpp, await tpp.applicationToken(), unsigned.path)).toMatchObject({
      transactionStatus: 'RCVD',
    });
  }, 120_000);
});
