// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  elsewhere,
  initiate,
  present,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { type FreshCorporate, World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { runArchiveMonth, monthOf } from '../testing/archive-steps.js';
import { makeOperator } from '../testing/command-process.js';
import { anotherPerson } from './without-others.js';

interface Exported {
  readonly streams: readonly {
    readonly id: string;
    readonly kind: string;
    readonly state?: unknown;
    readonly file?: string;
    readonly events: readonly { readonly type: string; readonly data: unknown }[];
    readonly retention: { readonly status: string; readonly until?: string };
  }[];
  readonly others: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly archivedElsewhere: readonly string[];
  readonly unreadable: readonly string[];
}

let world: World;
let operator: ReturnType<typeof makeOperator>;
let folder: string;
let maria: FreshPsu;
let ivan: FreshPsu;
let company: FreshCorporate;
let [paymentId, consentId, companyPaymentId] = ['', '', ''];

const ibanOf = (psu: FreshPsu): string => psu.accounts[0]?.iban ?? '';
const exportTo = async (name: string, ...args: readonly string[]) => {
  const path = join(folder, name);
  const psu = ['--psu', maria.psuId, '--iban', ibanOf(maria)];
  const ran = await operator.xs2a(
    'privacy',
    'export',
    ...psu,
    '--reason',
    'asked on 3 March',
    '--out',
    path,
    ...args,
  );
  return { ...ran, path, read: (): Exported => JSON.parse(readFileSync(path, 'utf8')) as Exported };
};

const superuser = async <Result>(work: (pool: Pool) => Promise<Result>): Promise<Result> => {
  const pool = new Pool({ connectionString: world.sandbox.databaseUrl('postgres'), max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xs2a-export-'));
  world = await World.start();
  operator = makeOperator(world.dataDir);
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  [maria, ivan] = [await world.person('100.00'), await world.person('100.00')];
  for (const psu of [ivan, maria]) {
    const text = { remittanceInformationUnstructured: `of ${psu.psuId}` };
    const initiated = await initiate(tpp, token, domesticPayment(ibanOf(psu), '12.50', text), {
      'tpp-notification-uri': `http://127.0.0.1:8090/${psu.psuId}`,
    });
    await walkAndApprove(world.browser(), initiated.scaRedirect, psu);
    paymentId = initiated.paymentId;
    const body = consentBody([ibanOf(psu)], dayFrom(await sandboxNow(world), 30));
    const given = await consented(world, tpp, psu, body);
    consentId = given.consentId;
    expect(
      (
        await tpp.call('GET', '/v1/accounts', given.tokens.access_token, {
          headers: { 'consent-id': consentId, ...present.headers },
        })
      ).status,
    ).toBe(200);
  }
  await superuser(async (pool) =>
    pool.query(
      `INSERT INTO settlement.dead_letter (consumer, pos, subject, body, reason)
       SELECT 'settlement', pos, 'PAYMENTS.' || stream_id, '{}', 'tested' FROM payments.log WHERE version = 1`,
    ),
  );
  // The gateway reports calls in batches.
  await until(
    async () =>
      superuser(async (pool) =>
        pool.query(
          'SELECT FROM consents.psu_address WHERE consent_id = $1 AND EXISTS (SELECT FROM console.call WHERE resource_id = $1)',
          [consentId],
        ),
      ),
    ({ rows }) => rows.length === 1,
  );
  company = await world.corporate(2, 2);
  const shared = await initiateForSeveral(tpp, token, company.iban);
  companyPaymentId = shared.id;
  for (const signer of company.signers)
    await walkAndApprove(world.browser(), (await startFor(tpp, token, shared, signer)).scaRedirect, signer);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('xs2a privacy export', () => {
  it('writes all data about a person in readable form, and nothing about other people', async () => {
    const { code, stderr, path, read } = await exportTo('all.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { streams, others, archivedElsewhere, unreadable } = read();
    expect(streams.map(({ id, kind }) => [id, kind])).toEqual([
      [paymentId, 'payment'],
      [consentId, 'consent'],
    ]);
    expect({ archivedElsewhere, unreadable }).toEqual({ archivedElsewhere: [], unreadable: [] });
    const [payment, consent] = streams;
    expect(payment?.events.map(({ type }) => type).slice(0, 3)).toEqual(['initiated', 'accepted', 'signed']);
    expect(payment?.events[0]?.data).toMatchObject({
      order: {
        debtorIban: ibanOf(maria),
        creditorAccount: elsewhere,
        creditorName: 'Petar Ivanov',
        remittance: `of ${maria.psuId}`,
      },
    });
    expect(JSON.stringify(payment?.state)).toContain(maria.psuId);
    expect(consent).toMatchObject({
      state: { accounts: [{ iban: ibanOf(maria) }], status: 'valid' },
      retention: { status: 'open' },
    });
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(['auth.grant_binding', 'auth.oidc_model', 'auth.psu_sca']),
    );
    expect(others['auth.grant_binding']).toMatchObject([{ psu_id: maria.psuId, consent_id: consentId }]);
    expect(others['consents.psu_address']).toMatchObject([
      { consent_id: consentId, address: '198.51.100.7', calls: expect.anything() },
    ]);
    expect(others['consents.consent_use']).toMatchObject([{ consent_id: consentId }]);
    expect(others['console.call']).toContainEqual(
      expect.objectContaining({ operation: 'createConsent', status: 201, resource_id: consentId }),
    );
    const ofPayment = { resource_id: paymentId, uri: `http://127.0.0.1:8090/${maria.psuId}` };
    expect(others['notifications.notification']?.length).toBeGreaterThan(0);
    for (const one of others['notifications.notification'] ?? []) expect(one).toMatchObject(ofPayment);
    expect(others['settlement.dead_letter']).toMatchObject([
      { subject: `PAYMENTS.${paymentId}`, body: '{}', reason: 'tested' },
    ]);
    const text = readFileSync(path, 'utf8');
    for (const foreign of [ivan.psuId, ibanOf(ivan), ...company.signers.map(({ psuId }) => psuId)])
      expect(text).not.toContain(foreign);
  }, 60_000);

  it('does not name another signer of the person’s payment', async () => {
    const [first, second] = company.signers;
    const { stdout, code } = await operator.xs2a(
      'privacy',
      'export',
      '--psu',
      first?.psuId ?? '',
      '--reason',
      'asked',
    );
    expect(code).toBe(0);
    const { streams } = JSON.parse(stdout) as Exported;
    expect(streams.map(({ id }) => id)).toEqual([companyPaymentId]);
    expect(stdout).toContain(first?.psuId);
    expect(stdout).toContain(anotherPerson);
    expect(stdout).not.toContain(second?.psuId);
  }, 60_000);

  it('is logged without identifying the person, for both payments and consents', async () => {
    for (const schema of ['payments', 'consents']) {
      const { rows } = await superuser(async (pool) =>
        pool.query(`SELECT act, reason, streams, asked FROM ${schema}.privacy_log ORDER BY id LIMIT 1`),
      );
      expect(rows).toMatchObject([{ act: 'export', reason: 'asked on 3 March', streams: '1' }]);
      expect(rows[0].asked).toHaveLength(2);
      expect(JSON.stringify(rows)).not.toContain(maria.psuId);
    }
  }, 60_000);

  it('gives the reason for a refusal in one sentence, and overwrites no file', async () => {
    expect(await exportTo('all.json')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching('already exists'),
    });
    expect(await exportTo('b.json', '--archives', join(folder, 'none.zst'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching('There is no'),
    });
  }, 60_000);

  it('reads archived data from the given files, and lists the streams that are in none of them', async () => {
    for (const duration of ['PT10M', 'PT10M', 'P2D', 'P95D']) await world.advance(duration);
    // The last event in the log is never archived.
    const tpp = world.tpp();
    await initiate(tpp, await tpp.applicationToken(), domesticPayment(ibanOf(ivan)));
    const month = monthOf(paymentId);
    expect(await runArchiveMonth(operator, { month, resource: 'payments', folder })).toMatchObject({
      code: 0,
    });
    const without = await exportTo('without.json');
    expect(without).toMatchObject({
      code: 1,
      stderr: expect.stringMatching('The export is not complete: 1 archived stream'),
    });
    expect(without.read().archivedElsewhere).toEqual([paymentId]);
    expect(without.read().others['settlement.dead_letter']).toMatchObject([
      { subject: `PAYMENTS.${paymentId}` },
    ]);
    const file = join(folder, `payments-${month}-1.zst`);
    const complete = await exportTo('with.json', '--archives', file);
    expect(complete).toMatchObject({ code: 0, stderr: '' });
    const payment = complete.read().streams.find(({ id }) => id === paymentId);
    expect(payment).toMatchObject({
      kind: 'payment',
      file,
      retention: { status: 'retained', until: expect.stringMatching(/^\d{4}-12-31$/) },
    });
    expect(payment?.events[0]?.data).toMatchObject({ order: { creditorName: 'Petar Ivanov' } });
    expect(readFileSync(complete.path, 'utf8')).not.toContain(ivan.psuId);
  }, 120_000);
});

describe('xs2a privacy erase for a person whose company payments were also signed by others', () => {
  it('lists these payments, leaves them unchanged, and exits with 1', async () => {
    const [signer] = company.signers;
    const who = ['--psu', signer?.psuId ?? '', '--reason', 'asked on 4 March'];
    const { stdout, code } = await operator.xs2a('privacy', 'erase', ...who, '--dry-run');
    expect(stdout).toMatch(new RegExp(`1 also signed by others: not erased.*\\n +${companyPaymentId}`));
    expect(code).toBe(1);
  }, 60_000);
});
