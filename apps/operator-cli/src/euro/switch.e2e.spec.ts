// Lane: long, alone (payments, accounts and the gateway run in two processes each).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { profileBucket, profileKey } from '@xs2a/contracts/switch-over/profile-bucket';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { openBucket } from '@xs2a/nats/buckets';
import { parseStreamCredentials } from '@xs2a/nats/nats-url';
import { readDocumentAgain } from '@xs2a/test-support/contract/openapi';
import {
  bulkPath,
  bulkPayment,
  consentBody,
  consented,
  createConsent,
  dayFrom,
  domesticPayment,
  elsewhere,
  initiate,
  type Initiated,
  periodicPath,
  periodicPayment,
  present,
  readStatus,
  resourceIds,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@xs2a/runtime/release';
import { makeOperator } from '../testing/command-process.js';
import type { reportJson } from './report.js';

type Report = ReturnType<typeof reportJson>;

/** The profiles of a bank that gives its pages another phone number with the euro, and its tokens another lifetime. */
const profiles = mkdtempSync(join(tmpdir(), 'xs2a-euro-profiles-'));
const phone = '+359 2 555 0177';
const makeProfiles = (): void => {
  cpSync(join(root, 'deploy/profiles'), profiles, { recursive: true });
  const file = join(profiles, 'bg-euro.json');
  const profile = JSON.parse(readFileSync(file, 'utf8')) as { bank: object };
  const changed = { ...profile, bank: { ...profile.bank, phone }, applicationTokenSeconds: 777 };
  writeFileSync(file, JSON.stringify(changed));
};

let world: World;
let operator: ReturnType<typeof makeOperator>;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;
/** The switch-over: the start of the day after the next one. */
let at: string;
beforeAll(async () => {
  makeProfiles();
  world = await World.around({
    profile: 'sandbox',
    twice: ['payments', 'accounts'],
    // As an operator sets it, who has to change it before the next restart.
    env: { auth: { PROFILE_FILE: join(profiles, 'sandbox.json') } },
  });
  operator = makeOperator(world.dataDir);
  tpp = world.tpp();
  token = await tpp.applicationToken();
  psu = await world.person('1000.00', '0.01', '12.50');
  iban = psu.accounts[0]?.iban ?? '';
}, 180_000);
afterAll(async () => {
  await world?.stop();
  rmSync(profiles, { recursive: true, force: true });
});

const payeesPath = '/sandbox/vop/v1/payee-verifications';
/** The text of the latest review page. */
let review = '';
const signed = async (body: Record<string, unknown>, path?: string): Promise<Initiated> => {
  const payment = await initiate(tpp, token, body, {}, path);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu, {
    watch: (step, { html }) => {
      if (step === 'review') review = html;
    },
  });
  return payment;
};
const switchAt = async (...more: readonly string[]) =>
  operator.xs2a('euro', 'switch', '--at', at, ...more, '--json');
const reportOf = async (...more: readonly string[]): Promise<Report> => {
  const { code, stdout, stderr } = await switchAt(...more);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
};
const readPayment = async ({ path }: Initiated): Promise<Record<string, unknown>> =>
  parseJson(await tpp.call('GET', path, token));
const moveTo = async (instant: string): Promise<void> => {
  const ms = Date.parse(instant) - Date.parse(await sandboxNow(world));
  await world.advance(`PT${(ms / 1000).toFixed(3)}S`);
  token = await tpp.applicationToken();
};

describe('xs2a euro switch (contract E6)', () => {
  it('converts a bank with payments of every stage, to the cent as the dry run said', async () => {
    const now = await sandboxNow(world);
    at = startOfBankDay(addDays(toBankDate(now, 'Europe/Sofia'), 2), 'Europe/Sofia');
    const firstDay = dayFrom(now, 2);

    const [plan] = await operator.json<Record<string, unknown>>('euro', 'switch', '--at', at);
    expect(plan).toEqual({ planned: at, target: 'bg-euro' });
    const settled = await signed(domesticPayment(iban, '10.00'));
    await moveTo(new Date(Date.parse(at) - 300_000).toISOString());
    const later = await signed(
      domesticPayment(iban, '100.00', { requestedExecutionDate: addDays(firstDay, 5) }),
    );
    expect(review).toContain('€51.13 (BGN\u00a0100.00)');
    const order = await signed(periodicPayment(iban, addDays(firstDay, 3)), periodicPath);
    const bulk = await signed(
      bulkPayment(iban, ['12.50', '20.00'], { requestedExecutionDate: addDays(firstDay, 5) }),
      bulkPath,
    );
    const unsigned = await initiate(tpp, token, domesticPayment(iban, '1.00'));
    // It becomes due one minute after its signature, with the switch-over 30 seconds away.
    await moveTo(new Date(Date.parse(at) - 75_000).toISOString());
    const last = await signed(domesticPayment(iban, '30.00', { creditorAccount: { iban: elsewhere } }));
    const consent = await consented(world, tpp, psu, consentBody([iban], dayFrom(now, 60)));

    expect(await readStatus(tpp, token, settled.path)).toMatchObject({ transactionStatus: 'ACSC' });
    const expected = await reportOf('--dry-run');
    expect(expected).toMatchObject({
      dryRun: true,
      payments: { settledBefore: 1, converted: 1, orders: 1, bulks: 1, rejectedUnsigned: 1 },
    });

    await moveTo(at);
    const refused = await tpp.call('POST', '/v1/payments/domestic-credit-transfer-BGN', token, {
      json: domesticPayment(iban, '1.00'),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await tpp.call('DELETE', later.path, token)).status).toBe(503);
    expect((await tpp.call('POST', payeesPath, token, { json: {} })).status).toBe(404);
    const deposit = await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, token, {
      json: { amount: '1.00', currency: 'BGN' },
    });
    expect(deposit.status).toBe(503);
    const browser = world.browser();
    const signIn = await browser.open(unsigned.scaRedirect);
    await expect(
      browser.submit(signIn, { psuId: psu.psuId, password: psu.password }, 'approve'),
    ).rejects.toThrow('the bank answered 503');
    expect(await readPayment(later)).toMatchObject({ transactionStatus: 'ACCP' });

    const report = await reportOf();
    expect({ ...report, invariants: undefined }).toEqual({ ...expected, dryRun: false });
    expect(report.invariants).toBe('8 of 8');
    readDocumentAgain(world.baseUrl);
    const userToken = consent.tokens.access_token;
    const [main] = await resourceIds(tpp, userToken);
    const entries = await tpp.call('GET', `/v1/accounts/${main}/transactions`, userToken, present);
    expect(parseJson(entries)).toMatchObject({ account: { iban, currency: 'EUR' } });

    expect(await readStatus(tpp, token, last.path)).toMatchObject({ transactionStatus: 'ACSC' });
    expect(await readStatus(tpp, token, unsigned.path)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ text: 'The lev ended before it was signed. Create it in EUR.' }],
    });
    expect(await readPayment(later)).toMatchObject({
      transactionStatus: 'ACCP',
      instructedAmount: { currency: 'BGN', amount: '100.00' },
      convertedAmount: { currency: 'EUR', amount: '51.13' },
    });
    expect(await readPayment(order)).toMatchObject({ convertedAmount: { amount: '6.39' } });
    expect(await readPayment(bulk)).toMatchObject({
      convertedAmount: { currency: 'EUR', amount: '16.62' },
      payments: [{ convertedAmount: { amount: '6.39' } }, { convertedAmount: { amount: '10.23' } }],
    });
    expect(await readPayment(settled)).not.toHaveProperty('convertedAmount');
  }, 180_000);

  it('returns the same report for the same moment, and refuses another one', async () => {
    expect(await reportOf()).toMatchObject({ at, dryRun: false, invariants: '8 of 8' });
    const other = await operator.xs2a('euro', 'switch', '--at', '2030-01-01T00:00:00+02:00');
    expect(other.code).toBe(2);
    const noon = await operator.xs2a('euro', 'switch', '--at', '2030-01-01T12:00:00+02:00');
    expect([noon.code, noon.stderr]).toEqual([2, expect.stringContaining('--at must be the start of a day')]);
    const wrongProfile = await operator.xs2a('euro', 'switch', '--at', at, '--to', 'bg-euro-production');
    expect(wrongProfile.code).toBe(2);
  }, 60_000);

  it('stores the profile again if NATS lost its bucket', async () => {
    const nats = await connect(parseStreamCredentials(world.sandbox.natsUrl()));
    const { streams } = await jetstreamManager(nats);
    await streams.delete(`KV_${profileBucket}`);
    const made = await operator.xs2a('jetstream', 'make');
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('PROFILE has the profile bg-euro')]);
    const profile = async () => (await openBucket(nats, profileBucket)).get(profileKey);
    const stored = { name: 'bg-euro', levEnd: toBankDate(at, 'Europe/Sofia') };
    expect((await profile())?.json()).toEqual(stored);
    await (await openBucket(nats, profileBucket)).delete(profileKey);
    const doctor = await operator.xs2a('doctor', '--deep');
    expect(doctor.stdout).toMatch(/✗ euro +NATS has lost the profile bg-euro\n +Run: .* jetstream make/);
    await reportOf();
    expect((await profile())?.json()).toEqual(stored);
    await nats.close();
  }, 60_000);

  it('has the new profile in every process, without a restart, and executes what it converted', async () => {
    const lev = await tpp.call('POST', '/v1/payments/domestic-credit-transfer-BGN', token, {
      json: domesticPayment(iban, '1.00'),
    });
    expect(lev.status).toBe(404);
    expect((await tpp.call('POST', payeesPath, token, { json: {} })).status).toBe(400);
    const page = await world.browser().open(`${world.baseUrl}/sca/apps`);
    expect(page.html).toContain(phone);
    const granted = await tpp.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_PI' });
    expect(parseJson(granted)).toMatchObject({ expires_in: 777 });
    await world.advance('P8D');
    const doctor = await operator.xs2a('doctor', '--deep');
    expect(doctor.stdout).not.toMatch(/✗ +invariant/);
    expect(doctor.stdout).toContain('8 of 8 invariants');
    expect(readFileSync(join(world.dataDir, 'profile'), 'utf8')).toBe('bg-euro');
  }, 120_000);

  it('restarts a process of the sandbox with the new profile', async () => {
    const { consents } = world.sandbox.services;
    const { pid } = consents;
    world.kill('consents');
    const body = consentBody([iban], dayFrom(await sandboxNow(world), 60));
    await until(
      async () => (await createConsent(tpp, psu.psuId, body)).status,
      (status) => status === 201,
    );
    expect(consents.pid).not.toBe(pid);
  }, 60_000);

  it('refuses the start of a process with the old profile', async () => {
    world.kill('auth');
    const log = join(world.dataDir, 'logs/auth.log');
    const text = 'the bank switched to the profile bg-euro: set PROFILE_FILE to its file';
    await until(
      async () => readFile(log, 'utf8'),
      (lines) => lines.includes(text),
    );
  }, 60_000);
});
