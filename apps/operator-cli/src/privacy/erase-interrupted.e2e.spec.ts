// Lane: nightly (it kills the command while the command waits, and runs it again).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ended, launch, makeOperator, type Ran } from '../testing/command-process.js';
import { placesOf } from '../testing/everywhere.js';

const month = new Date().toISOString().slice(0, 7);
const named = { creditorName: 'CANARY Creditor', remittanceInformationUnstructured: 'CANARY remittance' };

let world: World;
let operator: ReturnType<typeof makeOperator>;
let folder: string;
/** Two people, each with an ended payment and an ended consent. */
let [maria, elena]: FreshPsu[] = [];
/** Paths of their payments. */
const paths: string[] = [];

const pay = async (psu: FreshPsu): Promise<string> => {
  const tpp = world.tpp();
  const body = domesticPayment(psu.accounts[0]?.iban ?? '', '1.00', named);
  const made = await initiate(tpp, await tpp.applicationToken(), body, { 'psu-id': psu.psuId });
  await walkAndApprove(world.browser(), made.scaRedirect, psu);
  return made.path;
};
const statusOf = async (path = ''): Promise<number> => {
  const tpp = world.tpp();
  return (await tpp.call('GET', path, await tpp.applicationToken())).status;
};

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  folder = mkdtempSync(join(tmpdir(), 'xs2a-privacy-'));
  [maria, elena] = [await world.person('1000.00'), await world.person('1000.00')];
  const now = await sandboxNow(world);
  for (const psu of [maria, elena]) {
    paths.push(await pay(psu));
    await consented(world, world.tpp(), psu, consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(now, 80)));
  }
  // Everything is settled and booked, and the consents end; then nothing happens for months.
  for (const duration of ['PT10M', 'P2D', 'P95D']) await world.advance(duration);
  // The newest position is never archived; this payment occupies it.
  await pay(await world.person('1000.00'));
}, 180_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const mustHold = async (): Promise<void> => {
  expect(await operator.xs2a('events', 'verify')).toMatchObject({ code: 0 });
  const { stdout, code } = await operator.xs2a('doctor', '--deep');
  expect([stdout.match(/^[✗].*$/gm), code]).toEqual([null, 0]);
};
const erase = (psu: FreshPsu | undefined): readonly string[] => [
  'privacy',
  'erase',
  '--psu',
  psu?.psuId ?? '',
  '--iban',
  psu?.accounts[0]?.iban ?? '',
  '--reason',
  'asked on 1 December',
  '--despite-retention',
];
const placesOfPerson = async (psu: FreshPsu | undefined): Promise<string[]> =>
  placesOf(world.sandbox, [psu?.psuId ?? '', psu?.accounts[0]?.iban ?? '']);

/** Kills the command with kill -9 while it waits for rows of consents that this function locks. */
const killAtConsents = async (args: readonly string[]): Promise<Ran> => {
  const session = new Client({ connectionString: world.sandbox.databaseUrl('postgres') });
  await session.connect();
  try {
    await session.query('BEGIN');
    await session.query('SELECT stream_id FROM consents.consent_view FOR UPDATE');
    const child = launch(world.dataDir, args);
    const outcome = ended(child);
    const countWaiting = async (): Promise<number> => {
      // Without this, the statistics view does not change within a transaction.
      await session.query('SELECT pg_stat_clear_snapshot()');
      const { rowCount } = await session.query(
        `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%consent_view%ORDER BY stream_id FOR UPDATE'`,
      );
      return rowCount ?? 0;
    };
    await until(countWaiting, (waiting) => waiting > 0);
    child.kill('SIGKILL');
    return await outcome;
  } finally {
    await session.end();
  }
};

describe('interrupted privacy erase (docs/how-to/erasure.md)', () => {
  it('leaves no data about the person when it is killed halfway with kill -9 and then run again', async () => {
    expect(await statusOf(paths[0])).toBe(200);
    expect(await killAtConsents(erase(maria))).toMatchObject({ code: null });
    // The command was interrupted halfway: the payment is erased, the consent is not.
    expect(await statusOf(paths[0])).toBe(404);
    expect(await placesOfPerson(maria)).toContain('consents.consent_view');
    await mustHold();
    expect(await operator.json(...erase(maria))).toMatchObject([
      { resource: 'payments' },
      { resource: 'consents', erased: 1, open: 0 },
    ]);
    expect(await placesOfPerson(maria)).toEqual([]);
    expect(await statusOf(paths[1])).toBe(200);
    await mustHold();
  }, 120_000);

  it('succeeds while the same month is being archived, and leaves no data about the person in the tables or in the file', async () => {
    const to = ['--resource', 'payments', '--to', folder, '--newest', '1'];
    const [archived, erased] = await Promise.all([
      operator.xs2a('archive', 'month', month, ...to),
      operator.xs2a(...erase(elena)),
    ]);
    expect([archived.stderr, archived.code]).toEqual([expect.any(String), 0]);
    expect([erased.stderr, erased.code]).toEqual(['', 0]);
    // A stream that is being archived at that moment counts as open, and is erased by the next run.
    await operator.xs2a('privacy', 'due', '--erase');
    expect(await placesOfPerson(elena)).toEqual([]);
    expect(await Promise.all(paths.map(statusOf))).toEqual([404, 404]);
    const file = join(folder, `payments-${month}-1.zst`);
    expect(await operator.xs2a('archive', 'verify', file)).toMatchObject({ code: 0 });
    expect(await operator.json('privacy', 'due')).not.toContainEqual(
      expect.objectContaining({ resource: 'payments', what: 'asked' }),
    );
    await mustHold();
  }, 180_000);
});
