// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { consentBody, dayFrom } from '@xs2a/test-support/requests';
import { authorise, fixtureTpp } from '@xs2a/test-support/sandbox-tpp';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { DailyStatistics } from './call-statistics.js';
import type { ConsentAddresses } from './psu-addresses.js';
import { ended, launch, parseValues } from '../testing/command-process.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-reports-'));
const iban = 'BG25XSBK92001000000001';
let sandbox: Sandbox;
let consentId: string;

/** A gateway reports its counts when it stops, so there is nothing to wait for. */
beforeAll(async () => {
  sandbox = await startSandbox({ dataDir: folder, port: 0, sourceMaps: false });
  const tpp = fixtureTpp(sandbox.baseUrl);
  const application = await tpp.applicationToken();
  const { now } = parseJson<{ now: string }>(await tpp.call('GET', '/sandbox/clock', application));
  const answer = await tpp.call('POST', '/v1/consents', application, {
    headers: { 'psu-id': 'ivan' },
    json: consentBody([iban], dayFrom(now, 30)),
  });
  ({ consentId } = parseJson<{ consentId: string }>(answer));
  const ivan = { psuId: 'ivan', password: 'sandbox' };
  const { access_token: token } = await authorise(tpp, ivan, 'PSP_AI', consentId);
  for (const address of ['198.51.100.7', '10.1.2.3', '127.0.0.1', '127.0.0.1']) {
    await tpp.call('GET', '/v1/accounts', token, { headers: { 'psu-ip-address': address } });
  }
  await tpp.call('GET', '/v1/accounts', 'no-token');
  await tpp.call('GET', '/v1/consents/unknown', application);
  await sandbox.services.gateway.stop();
}, 120_000);
afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

const report = async (...args: readonly string[]): Promise<string> =>
  (await ended(launch(folder, ['report', ...args]))).stdout;
const reportJson = async <Rows>(...args: readonly string[]): Promise<Rows | undefined> =>
  parseValues<Rows>(await ended(launch(folder, ['report', ...args, '--json'])))[0];

describe('xs2a report statistics (docs/how-to/operate.md)', () => {
  it('shows calls, mean time and error rate by day and API', async () => {
    const rows = (await reportJson<DailyStatistics[]>('statistics')) ?? [];
    expect(
      rows.map(({ api, calls, refused, failed, errorRate }) => [api, calls, refused, failed, errorRate]),
    ).toEqual([['AIS', 7, 2, 0, 0]]);
    expect(rows[0]?.meanMs).toBeGreaterThan(0);
    expect(rows[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('shows figures by endpoint, as CSV, and for a period', async () => {
    const csv = (await report('statistics', '--by', 'endpoint', '--csv')).trimEnd().split('\r\n');
    expect(csv[0]).toBe('day,api,endpoint,calls,mean_ms,refused,failed,error_rate');
    expect(csv.slice(1).map((line) => line.split(',').slice(1, 4).join())).toEqual([
      'AIS,createConsent,1',
      'AIS,listAccounts,5',
      'AIS,readConsent,1',
    ]);
    expect((await ended(launch(folder, ['report', 'statistics', '--by', 'x']))).code).toBe(2);
    expect(await report('statistics', '--to', '2000-01-01')).toContain('no calls are recorded');
    expect((await ended(launch(folder, ['report', 'statistics', '--from', 'x']))).code).toBe(2);
  });
});

describe('xs2a report statistics --by tpp (docs/how-to/operate.md)', () => {
  it('shows the calls and results of each TPP, with a separate line for calls without a valid token', async () => {
    const rows = (await reportJson<DailyStatistics[]>('statistics', '--by', 'tpp')) ?? [];
    expect(rows.map(({ tpp, api, calls, refused }) => [tpp, api, calls, refused])).toEqual([
      ['', 'AIS', 1, 1],
      ['sandbox-tpp', 'AIS', 6, 1],
    ]);
    const csv = (await report('statistics', '--by', 'tpp', '--csv')).split('\r\n');
    expect(csv.map((line) => line.split(',')[2])).toEqual(['tpp', '-', 'sandbox-tpp']);
  });
});

describe('xs2a report psu-ip (spec 8, PSU-IP-Address rule 4)', () => {
  it('names the consent with addresses that are private or belong to the TPP', async () => {
    const rows = await reportJson<ConsentAddresses[]>('psu-ip');
    expect(rows).toEqual([
      {
        tppId: 'sandbox-tpp',
        consentId,
        days: 1,
        calls: 4,
        addresses: 3,
        suspicions: ['private', 'tpp-own'],
        suspicious: ['10.1.2.3', '127.0.0.1'],
      },
    ]);
    expect(await report('psu-ip')).toContain('private tpp-own');
    expect(await report('psu-ip', '--to', '2000-01-01')).toContain('nothing suspicious');
  });
});

describe('xs2a doctor (docs/how-to/operate.md)', () => {
  it('warns if partitions exist for fewer than three upcoming months', async () => {
    const owner = new Pool({ connectionString: sandbox.databaseUrl('xs2a_owner'), max: 1 });
    try {
      const { rows } = await owner.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits
         WHERE inhparent = 'payments.events'::regclass AND inhrelid::regclass::text ~ '\\d$' ORDER BY 1`,
      );
      for (const { name } of rows.slice(3)) await owner.query(`DROP TABLE ${name}`);
    } finally {
      await owner.end();
    }
    const { stdout } = await ended(launch(folder, ['doctor']));
    expect(stdout).toMatch(/months +payments 2 months ahead, consents \d+ months ahead\n +Run: npm start/);
  });
});
