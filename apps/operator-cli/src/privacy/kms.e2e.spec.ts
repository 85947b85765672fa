// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import { closedByKms, KmsStandIn } from '@xs2a/runtime/testing/kms-stand-in';
import { randomBytes } from 'node:crypto';
import { ended, launch, type Ran } from '../testing/command-process.js';
import { Customer } from '../testing/customer.js';

const masterKey = randomBytes(32).toString('base64');

let kms: KmsStandIn;
let world: World;
let paymentId: string;

const settings = (prefix = ''): Readonly<Record<string, string>> => ({
  [`${prefix}MASTER_KEYS`]: `kms-2027:${closedByKms(masterKey)}`,
  [`${prefix}MASTER_KEYS_KMS_URL`]: kms.url(),
  [`${prefix}MASTER_KEYS_KMS_TOKEN`]: kms.token,
});
const xs2a = async (...args: readonly string[]): Promise<Ran> =>
  ended(launch(world.dataDir, args, settings('PAYMENTS_')));

beforeAll(async () => {
  kms = await KmsStandIn.start();
  world = await World.start({ payments: settings() });
  paymentId = await (await Customer.of(world.baseUrl)).pay();
}, 90_000);
afterAll(async () => {
  await world?.stop();
  await kms?.stop();
});

describe('master keys from a KMS', () => {
  it('are fetched from the KMS at startup, and the service encrypts its payments with them', async () => {
    const { stdout } = await xs2a('privacy', 'rotate', '--resource', 'payments', '--dry-run', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ masterKey: 'kms-2027', keys: { 'kms-2027': 1 } });
  }, 60_000);

  it('are fetched for an operator command only when it needs them', async () => {
    kms.asked = 0;
    expect(await xs2a('events', 'show', paymentId)).toMatchObject({ code: 0, stderr: '' });
    expect(kms.asked).toBe(0);
    const { stdout } = await xs2a('payments', 'show', paymentId);
    expect(stdout).not.toMatch('(encrypted)');
    expect(kms.asked).toBe(1);
  }, 60_000);

  it('are required at startup: if the KMS denies access, the service does not start, and both service and command report only the reason', async () => {
    const token = kms.token;
    kms.token = 'hvs.another';
    const reason = 'the token is not valid, or may not decrypt with this key of the KMS';
    await expect(world.sandbox.startAnother('payments')).rejects.toThrow(reason);
    const { stderr, code } = await ended(
      launch(world.dataDir, ['payments', 'show', paymentId], {
        ...settings('PAYMENTS_'),
        PAYMENTS_MASTER_KEYS_KMS_TOKEN: token,
      }),
    );
    expect(stderr).toMatch(reason);
    expect(stderr).not.toMatch(token);
    expect(code).toBe(1);
  }, 60_000);
});
