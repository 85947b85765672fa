// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { World } from '@xs2a/test-support/world';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runArchiveMonth, monthOf, mustVerify } from '../testing/archive-steps.js';
import { ended, launch, makeOperator, parseValues } from '../testing/command-process.js';
import { Customer } from '../testing/customer.js';

const product = '/v1/payments/domestic-credit-transfer-BGN';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let folder: string;
let month: string;
let customer: Customer;
let [archived, carried, file, consent] = ['', '', '', ''];

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  folder = mkdtempSync(join(tmpdir(), 'xs2a-archive-'));
  customer = await Customer.of(world.baseUrl);
  archived = await customer.pay();
  month = monthOf(archived);
  consent = await createConsent();
  // The payment is settled and then booked; later the consent expires.
  for (const duration of ['PT10M', 'PT10M', 'P2D', 'P95D']) await world.advance(duration);
  // The id is from the same month, but the last event is from the current month.
  customer = await Customer.of(world.baseUrl);
  carried = await customer.pay();
  await createConsent();
  await world.advance('PT10M');
}, 90_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a consent that nobody authorises. */
const createConsent = async (): Promise<string> => {
  const tpp = world.tpp();
  const answer = await tpp.call('POST', '/v1/consents', await tpp.applicationToken(), {
    headers: { 'psu-id': customer.psu.psuId },
    json: {
      access: { accounts: [], balances: [], transactions: [] },
      recurringIndicator: false,
      validUntil: '2030-01-01',
      frequencyPerDay: 1,
      combinedServiceIndicator: false,
    },
  });
  if (answer.status !== 201) throw new Error(`POST /v1/consents answered ${answer.status}: ${answer.text}`);
  return parseJson<{ consentId: string }>(answer).consentId;
};
const get = async (path: string): Promise<{ status: number; code?: string; transactionStatus?: string }> => {
  const tpp = world.tpp();
  const answer = await tpp.call('GET', `${product}/${path}`, await tpp.applicationToken());
  const body = parseJson<{ transactionStatus?: string; tppMessages?: { code: string }[] }>(answer);
  return {
    status: answer.status,
    code: body.tppMessages?.[0]?.code,
    transactionStatus: body.transactionStatus,
  };
};
const archive = async () => runArchiveMonth(operator, { month, resource: 'payments', folder });
const volume = async () => operator.json('payments', 'volume', '--from', '2026-01-01', '--to', '2030-12-31');

describe('the xs2a archive command (docs/how-to/archive.md)', () => {
  it('lists the months that are due according to the settings of the bank', async () => {
    const due = ['archive', 'due', '--newest', '1', '--json'];
    const shown = parseValues(await operator.xs2a(...due));
    expect(shown).toEqual(
      ['payments', 'consents'].map((resource) =>
        expect.objectContaining({ kind: 'month', resource, month, streams: 1, open: 1 }),
      ),
    );
    const later = await ended(launch(world.dataDir, due, { CONSENTS_ARCHIVED_AFTER_MONTHS: '14' }));
    expect(parseValues(later)).toEqual(shown.slice(0, 1));
    const wrong = await ended(launch(world.dataDir, due, { PAYMENTS_RETAINED_YEARS: '4' }));
    expect(wrong).toMatchObject({ stderr: expect.stringMatching(/whole number of years from 5 to 10/) });
    expect(wrong.code).not.toBe(0);
  }, 60_000);

  it('moves a settled payment to a file, after which TPPs get 404 and verification passes', async () => {
    const before = await volume();
    const { stdout, stderr, code } = await archive();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/events? of 1 stream are in .*; 1 stream not closed yet, kept in the database/);
    file = join(folder, `payments-${month}-1.zst`);
    expect(await get(archived)).toMatchObject({ status: 404, code: 'RESOURCE_UNKNOWN' });
    expect(await get(`${archived}/status`)).toMatchObject({ status: 404, code: 'RESOURCE_UNKNOWN' });
    expect(await get(`${archived}/authorisations`)).toMatchObject({ status: 404, code: 'RESOURCE_UNKNOWN' });
    expect(await customer.cancel(archived)).toBe(404);
    expect(await get(`${carried}/status`)).toMatchObject({ status: 200, transactionStatus: 'ACSC' });
    await mustVerify(operator);
    expect(await volume()).toEqual(before);
  }, 120_000);

  it('moves a consent that was never authorised, after which TPPs get the same response as for an unknown consent', async () => {
    const tpp = world.tpp();
    const status = async (): Promise<number> =>
      (await tpp.call('GET', `/v1/consents/${consent}/status`, await tpp.applicationToken())).status;
    expect(await status()).toBe(200);
    const { stdout } = await runArchiveMonth(operator, { month, resource: 'consents', folder });
    expect(stdout).toMatch('1 stream not closed yet');
    expect(await status()).toBe(403);
    await mustVerify(operator);
    const path = join(folder, `consents-${month}-1.zst`);
    expect(await operator.xs2a('archive', 'restore', path, '--resource', 'consents')).toMatchObject({
      code: 0,
    });
    expect(await status()).toBe(200);
    await mustVerify(operator);
  }, 120_000);

  it('keeps archived payments in the statistics when the statistics are rebuilt', async () => {
    const before = await volume();
    expect(await operator.xs2a('projections', 'rebuild', 'payment_volume_daily')).toMatchObject({ code: 0 });
    expect(await operator.xs2a('projections', 'rebuild', 'payment_view')).toMatchObject({ code: 0 });
    expect(await volume()).toEqual(before);
  }, 60_000);

  it('verifies the file and shows the payment in it, without personal data', async () => {
    expect(await operator.oneJson('archive', 'verify', file)).toMatchObject({ month, part: 1, streams: 1 });
    const { stdout } = await operator.xs2a('archive', 'show', file, archived);
    expect(stdout).toMatch(/initiated +RCVD/);
    expect(stdout).toMatch(/entry-booked +ACSC/);
    expect(stdout).not.toMatch(/Petar Ivanov|Invoice 1/);
    expect(await operator.xs2a('archive', 'show', file, carried)).toMatchObject({ code: 1 });
  }, 60_000);

  it('restores the payment unchanged', async () => {
    expect(await operator.xs2a('archive', 'restore', file, '--resource', 'payments')).toMatchObject({
      code: 0,
    });
    expect(await get(`${archived}/status`)).toMatchObject({ status: 200, transactionStatus: 'ACSC' });
    await mustVerify(operator);
  }, 120_000);

  it('refuses an impossible request and gives the reason in one sentence', async () => {
    expect(
      await operator.xs2a('archive', 'month', '2019-13', '--resource', 'payments', '--to', folder),
    ).toMatchObject({
      code: 2,
      stderr: 'A month must have the form 2027-03.\n',
    });
    expect(await operator.xs2a('archive', 'verify', join(folder, 'nothing.zst'))).toMatchObject({ code: 2 });
    expect((await archive()).stderr).toMatch('already exists: name another folder');
  }, 60_000);
});
