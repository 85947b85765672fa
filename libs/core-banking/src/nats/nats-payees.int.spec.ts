import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CallClient } from '@xs2a/calls/client';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BankCall } from '../port/bank-call.js';
import { BankFault } from '../port/bank-fault.js';
import type { CoreBank } from '../port/core-bank.js';
import { BankClient } from './bank-client.js';
import { natsBank } from './nats-bank.js';

const folder = mkdtempSync(join(tmpdir(), 'nats-payees-'));
const clock = new Clock(false);
const warned: object[] = [];
let server: NatsServer;
let nats: NatsConnection;
let bank: CoreBank;
let stopAnswering: () => void = () => undefined;

beforeAll(async () => {
  server = await startNats({ dataDir: join(folder, 'nats') });
  nats = await connect({ servers: server.url });
  const logger = { warn: (said: unknown) => void warned.push(said as object) };
  bank = natsBank(new BankClient(new CallClient(nats, clock), logger), async () => undefined);
}, 30_000);
afterEach(() => stopAnswering());
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const iban = 'BG03EXMP92001000000101';
const subject = 'svc.bank.payees.verify';
const call = (withinMs = 1000): BankCall => ({
  requestId: 'r-1',
  at: clock.now(),
  deadline: performance.now() + withinMs,
});
/** Replies to questions, or never if the reply is undefined, and records the questions. */
const answering = (reply: unknown): unknown[] => {
  const asked: unknown[] = [];
  const subscription = nats.subscribe(subject, {
    callback: (_error, message) => {
      asked.push(JSON.parse(message.string()));
      if (reply !== undefined) message.respond(JSON.stringify(reply));
    },
  });
  stopAnswering = () => subscription.unsubscribe();
  return asked;
};
const catchFault = async (work: Promise<unknown>): Promise<BankFault> => {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof BankFault)) throw new Error(`no fault but ${String(fault)}`);
  return fault;
};

describe('the verification of a payee (contract E4.7)', () => {
  const payer = { psuId: 'anna', paymentId: newId() };

  it('asks with the account and the name, without the payer', async () => {
    const asked = answering({ ok: { verdict: 'CLOSE_MATCH', name: 'Петър' } });
    expect(await bank.payees.verify({ iban, name: 'Petar' }, call(), payer)).toEqual({
      verdict: 'CLOSE_MATCH',
      name: 'Петър',
    });
    expect(asked).toMatchObject([{ request: { iban, name: 'Petar' } }]);
    expect(JSON.stringify(asked)).not.toContain('anna');
  });

  it('asks with an identification in place of the name', async () => {
    const identification = { type: 'EIK', value: '999999995' } as const;
    const asked = answering({ ok: { verdict: 'NOT_POSSIBLE', reason: 'identification-unknown' } });
    await bank.payees.verify({ iban, identification }, call());
    expect(asked).toMatchObject([{ request: { iban, identification } }]);
  });

  it.each([
    [{ verdict: 'CLOSE_MATCH' }],
    [{ verdict: 'CLOSE_MATCH', name: '' }],
    [{ verdict: 'CLOSE_MATCH', name: 'x'.repeat(141) }],
    [{ verdict: 'MATCH', name: 'Петър' }],
    [{ verdict: 'NO_MATCH', name: 'Петър' }],
    [{ verdict: 'NOT_POSSIBLE' }],
    [{ verdict: 'OPTED_OUT' }],
  ])('refuses an answer of another form: %j', async (ok) => {
    answering({ ok });
    const fault = await catchFault(bank.payees.verify({ iban, name: 'Petar' }, call()));
    expect(fault.code).toBe('answer-malformed');
    expect(JSON.stringify([fault.detail, warned])).not.toContain('Петър');
  });

  it('fails at the deadline if the bank is silent', async () => {
    answering(undefined);
    const fault = await catchFault(bank.payees.verify({ iban, name: 'Petar' }, call(100)));
    expect(fault.code).toBe('too-slow');
  });
});
