// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  awayFromMidnight,
  bulkPath,
  bulkPayment,
  dayFrom,
  domesticPayment,
  elsewhere,
  initiate,
  type Initiated,
  sandboxNow,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { monthOf, passMonths, runArchiveMonth } from '../testing/archive-steps.js';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let folder: string;
let psu: FreshPsu;
let tppId: string;
let day: string;
let signed: Initiated;
let rent: Initiated;
let salaries: Initiated;

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  folder = mkdtempSync(join(tmpdir(), 'xs2a-find-'));
  await awayFromMidnight(world);
  psu = await world.person();
  const tpp = await world.newTpp(['PSP_PI']);
  tppId = tpp.credentials.clientId;
  const token = await tpp.applicationToken('PSP_PI');
  const iban = psu.accounts[0]?.iban ?? '';
  day = dayFrom(await sandboxNow(world), 0);
  signed = await initiate(tpp, token, domesticPayment(iban));
  await walkAndApprove(world.browser(), signed.scaRedirect, psu);
  rent = await initiate(
    tpp,
    token,
    domesticPayment(iban, '700.00', { creditorName: 'Наем ЕООД', endToEndIdentification: 'RENT-11' }),
  );
  salaries = await initiate(tpp, token, bulkPayment(iban, ['1.00', '2.50']), {}, bulkPath);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const find = async (...options: readonly string[]) =>
  operator.xs2a('payments', 'find', '--day', day, '--reason', 'case 4711', ...options);
const found = async (...options: readonly string[]): Promise<string[]> => {
  const { payments } = await operator.oneJson<{ payments: { paymentId: string }[] }>(
    'payments',
    'find',
    '--day',
    day,
    '--reason',
    'case 4711',
    ...options,
  );
  return payments.map(({ paymentId }) => paymentId);
};

describe('xs2a payments find (docs/how-to/operate.md)', () => {
  it('lists the payments of a TPP on a day, newest first, with status and amount', async () => {
    const { code, stdout } = await find('--tpp', tppId);
    expect(code).toBe(0);
    const lines = [
      `payment +created +status +amount +service +product`,
      `${salaries.paymentId} +\\S+Z +RCVD +3\\.50 BGN +bulk-payments +domestic-credit-transfer-BGN`,
      `${rent.paymentId} +\\S+Z +RCVD +700\\.00 BGN +payments +domestic-credit-transfer-BGN`,
      `${signed.paymentId} +\\S+Z +ACCP +12\\.50 BGN +payments +domestic-credit-transfer-BGN`,
      'searched 3 of 3',
      'found 3',
    ];
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`));
    const limited = await find('--tpp', tppId, '--limit', '1');
    expect(limited.stdout).toMatch(/\nfound 3, showing the newest 1; more with --limit\n$/);
  }, 60_000);

  it('finds payments by amount, the end of an account, payee and endToEndId', async () => {
    const by = ['--tpp', tppId] as const;
    expect(await found(...by, '--amount', '12.50 BGN')).toEqual([signed.paymentId]);
    expect(await found(...by, '--payee', 'наем')).toEqual([rent.paymentId]);
    expect(await found(...by, '--end-to-end-id', 'E2E-1')).toEqual([salaries.paymentId, signed.paymentId]);
    const end = ['--last-four', elsewhere.slice(-4)] as const;
    expect(await found(...by, ...end, '--amount', '3.50 BGN')).toEqual([salaries.paymentId]);
    expect((await find(...by, '--last-four', '0000')).stdout).toBe('searched 3 of 3\nfound 0\n');
  }, 60_000);

  it('finds the payments of a PSU', async () => {
    expect(await found('--psu', psu.psuId)).toEqual([signed.paymentId]);
    expect((await find('--psu', 'nobody')).stdout).toBe('searched 0 of 0\nfound 0\n');
  }, 60_000);

  it('prints facts as JSON, and no name or account number in any form', async () => {
    const by = ['--day', day, '--tpp', tppId, '--payee', 'наем', '--reason', 'case 4711'] as const;
    const [answer] = await operator.json('payments', 'find', ...by);
    expect(answer).toEqual({
      payments: [
        {
          paymentId: rent.paymentId,
          createdAt: expect.stringMatching(/Z$/),
          tppId,
          service: 'payments',
          product: 'domestic-credit-transfer-BGN',
          transactionStatus: 'RCVD',
          amount: '700.00',
          currency: 'BGN',
        },
      ],
      found: 1,
      searched: 3,
      candidates: 3,
      archivedMonths: [],
      isOutdated: false,
    });
    for (const { stdout, stderr } of operator.said)
      for (const secret of [psu.accounts[0]?.iban ?? '', elsewhere, 'Petar', 'Наем', 'RENT-11'])
        expect(stdout + stderr).not.toContain(secret);
  }, 60_000);

  it('is recorded with operator and reason if it is by PSU or in encrypted data', async () => {
    const by = ['--tpp', tppId, '--end-to-end-id', 'RENT-11', '--reason', 'case 4711'] as const;
    await find(...by);
    await find(...by, '--operator', 'ivanova');
    const [log] = await operator.json<Record<string, unknown>[]>('privacy', 'log');
    expect(log?.slice(0, 2)).toMatchObject([
      { operator: 'ivanova', act: 'search', reason: 'case 4711', streams: 3 },
      { operator: userInfo().username, act: 'search', reason: 'case 4711', streams: 3 },
    ]);
    expect(JSON.stringify(log)).not.toContain('RENT');
    const { actions } = await operator.oneJson<{ actions: unknown[] }>('actions', 'list', '--by', 'ivanova');
    expect(actions).toEqual([
      expect.objectContaining({
        type: 'revealed',
        act: 'search-encrypted',
        target: `payments of TPP ${tppId} on ${day} by end-to-end id`,
        reason: 'case 4711',
        end: 'action-done',
        outcome: 'Searched 3 of 3, found 1.',
      }),
    ]);
    const without = ['payments', 'find', '--day', day, '--tpp', tppId, '--payee', 'x'] as const;
    expect(await operator.xs2a(...without)).toMatchObject({
      code: 2,
      stderr: 'A search in encrypted data needs a reason: --reason "…".\n',
    });
    expect(await find('--psu', psu.psuId, '--reason', `for ${psu.psuId}`)).toMatchObject({ code: 2 });
  }, 60_000);

  it('says that the month of the day is archived, and lists what is still stored', async () => {
    await passMonths(world);
    const month = monthOf(signed.paymentId);
    expect(await runArchiveMonth(operator, { month, resource: 'payments', folder })).toMatchObject({
      code: 0,
    });
    const { code, stdout } = await find('--tpp', tppId);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `\n${month} is archived: payments of that month that had ended are in its files, and not searched. Run: npm run xs2a -- archive list\n`,
    );
    // The stream with the newest event is not archived: which one it is depends on what ended last.
    const listed = [signed, rent, salaries].filter(({ paymentId }) => stdout.includes(paymentId));
    expect(listed).toHaveLength(1);
    expect(stdout).toMatch(/\nfound 1\n/);
  }, 120_000);
});
