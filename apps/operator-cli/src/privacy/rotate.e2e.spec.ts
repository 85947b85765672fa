// Lane: nightly (every key is rotated, and every stream encrypted anew).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPayment, initiate } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { makeLayout, writePrivately } from '@xs2a/sandbox/layout';
import { parseJson } from '@xs2a/tpp-client/http';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { makeOperator } from '../testing/command-process.js';
import { Customer } from '../testing/customer.js';

const added = `added:${randomBytes(32).toString('base64')}`;

let world: World;
let operator: ReturnType<typeof makeOperator>;
let customer: Customer;
let file: string;
let first: string;
let [before, between, kept] = ['', '', ''];

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  customer = await Customer.of(world.baseUrl);
  file = makeLayout(world.dataDir).secret('master-keys-payments');
  first = readFileSync(file, 'utf8').trim();
  before = await customer.pay();
  kept = await initiateAgain();
}, 90_000);
afterAll(async () => world?.stop());

/** Restarts the payments service with these master keys, as a rollout of a new secret does. */
const rollOut = async (...keys: readonly string[]): Promise<void> => {
  writePrivately(file, `${keys.join('\n')}\n`);
  await world.sandbox.services.payments.restart();
};
const creditorName = async (paymentId: string): Promise<unknown> => {
  const tpp = world.tpp();
  const path = `/v1/payments/domestic-credit-transfer-BGN/${paymentId}`;
  const answer = await tpp.call('GET', path, await tpp.applicationToken());
  expect(answer.status).toBe(200);
  return parseJson<{ creditorName?: string }>(answer).creditorName;
};
/** Repeats a request with the same idempotency key; returns the payment id. */
const initiateAgain = async (): Promise<string> => {
  const tpp = world.tpp();
  const headers = { 'idempotency-key': 'the same' };
  return (await initiate(tpp, await tpp.applicationToken(), domesticPayment(customer.iban), headers))
    .paymentId;
};
const checked = async (): Promise<string | undefined> =>
  (await operator.xs2a('doctor')).stdout.match(/^. master keys.*$/m)?.[0];

describe('xs2a privacy rotate (docs/how-to/erasure.md)', () => {
  it('has nothing to do while there is only one master key', async () => {
    expect(await operator.oneJson('privacy', 'rotate', '--resource', 'payments')).toMatchObject({
      resource: 'payments',
      masterKey: 'sandbox',
      rotated: 0,
      keys: { sandbox: expect.any(Number) },
    });
    expect(await checked()).toMatch(/^✓ master keys +payments: sandbox; consents:/);
  }, 60_000);

  it('counts keys before it changes anything; doctor warns while two master keys are in use', async () => {
    await rollOut(first, added);
    await rollOut(added, first);
    between = await customer.pay();
    expect(await initiateAgain()).toBe(kept);
    expect(await checked()).toMatch(/^! master keys +payments: keys under added and sandbox; consents:/);
    const { stdout, code } = await operator.xs2a('privacy', 'rotate', '--resource', 'payments', '--dry-run');
    expect(stdout).toMatch(/new keys are wrapped under added\n.*Still in use: sandbox\. Do not remove/);
    expect(code).toBe(0);
    expect(await checked()).toMatch(/^!/);
  }, 90_000);

  it('keeps the old key so that requests from the last 24 hours can be repeated', async () => {
    const { stdout, code } = await operator.xs2a('privacy', 'rotate', '--resource', 'payments');
    expect(stdout).toMatch(/! payments: [1-9]\d* keys? rotated; now \d+ keys under added\n/);
    expect(stdout).toMatch(/Repeated requests need sandbox until 2\S+Z: do not remove it/);
    expect(code).toBe(1);
    expect(await initiateAgain()).toBe(kept);
    await world.advance('P1DT1M');
  }, 90_000);

  it('wraps all keys with the first master key, after which the services no longer need the old one', async () => {
    const { stdout, code } = await operator.xs2a('privacy', 'rotate');
    expect(stdout).toMatch(/✓ payments: \d+ keys? rotated; now \d+ keys under added\n/);
    expect(stdout).toMatch('No key is wrapped under any master key other than added');
    expect(code).toBe(0);
    await rollOut(added);
    expect(await creditorName(before)).toBe('Petar Ivanov');
    expect(await creditorName(between)).toBe('Petar Ivanov');
    expect(await checked()).toMatch(/^✓ master keys +payments: added/);
  }, 90_000);

  it('reports which master key is missing, and changes nothing that it cannot decrypt', async () => {
    writePrivately(file, `${first}\n`);
    const { stdout, code } = await operator.xs2a('privacy', 'rotate', '--resource', 'payments');
    expect(stdout).toMatch(
      /! payments: 0 keys rotated.*\n.*Not unwrapped by any of the given master keys: \d+ keys under added/,
    );
    expect(code).toBe(1);
    expect(await checked()).toMatch(
      /^! master keys +payments: keys under added, which the given master keys/,
    );
    writePrivately(file, `${added}\n`);
    expect(await creditorName(before)).toBe('Petar Ivanov');
  }, 60_000);

  it('a service that has none of the master keys in use exits at startup and names the missing key', async () => {
    writePrivately(file, `${first}\n`);
    const reason = 'MASTER_KEYS unwraps none of the keys in stream_key: they were wrapped under added';
    await expect(world.sandbox.startAnother('payments')).rejects.toThrow(reason);
    writePrivately(file, `${added}\n`);
    await (await world.sandbox.startAnother('payments')).stop();
  }, 60_000);
});
