// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BundleFile } from '@xs2a/contracts/dispute-bundle.contract';
import type { ListedAction } from '@xs2a/console/actions/action-reader';
import { domesticPayment, initiate } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let psu: FreshPsu;
let paymentId: string;
const folder = mkdtempSync(join(tmpdir(), 'xs2a-bundle-'));

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  psu = await world.person('1000.00');
  const tpp = world.tpp();
  const body = domesticPayment(psu.accounts[0]?.iban ?? '', '12.50', { creditorName: 'Canary Ltd' });
  const payment = await initiate(tpp, await tpp.applicationToken(), body);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  await world.advance('PT10M');
  ({ paymentId } = payment);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const bundle = async (file: string, reason = 'dispute 4711', id = paymentId) =>
  operator.xs2a('payments', 'bundle', id, '--reason', reason, '--operator', 'ivanova', '--out', file);
const recorded = async () =>
  (await operator.oneJson<{ actions: ListedAction[] }>('actions', 'list', '--act', 'export-bundle')).actions;

describe('xs2a payments bundle (docs/how-to/answer-a-dispute.md)', () => {
  it('writes a new file for its owner only, and is recorded with the reason', async () => {
    const file = join(folder, 'one.json');
    expect(await bundle(file)).toEqual({
      code: 0,
      stdout: `✓ ${file}: open docs/verify-bundle.html to verify it\n✓ the signature of event 3 is bound to the amount and the payee that its page showed\n`,
      stderr: '',
    });
    expect(statSync(file).mode & 0o077).toBe(0);
    const { content } = JSON.parse(readFileSync(file, 'utf8')) as BundleFile;
    expect(content).toMatchObject({ paymentId, missing: [] });
    expect(JSON.stringify(content.events[0]?.data)).toContain('Canary Ltd');
    expect(await recorded()).toEqual([
      expect.objectContaining({
        via: 'command',
        name: 'ivanova',
        target: paymentId,
        reason: 'dispute 4711',
        end: 'action-done',
        outcome: 'The dispute bundle was exported.',
      }),
    ]);
    expect((await operator.xs2a('actions', 'verify')).code).toBe(0);
  }, 60_000);

  it('replaces no file, takes no reason that names an account, and exports nothing that is not recorded', async () => {
    const before = await recorded();
    expect(await bundle(join(folder, 'one.json'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists'),
    });
    expect(await bundle(join(folder, 'two.json'), 'for BG80BNBG96611020345678')).toMatchObject({ code: 2 });
    expect(await bundle(join(folder, 'two.json'), 'dispute 4712', 'x')).toMatchObject({ code: 2 });
    expect(await recorded()).toEqual(before);
    const { pid } = world.sandbox.services.console;
    process.kill(pid, 'SIGSTOP');
    try {
      const { code, stderr } = await bundle(join(folder, 'two.json'));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^The console does not answer\./)]);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(existsSync(join(folder, 'two.json'))).toBe(false);
  }, 60_000);

  it('is refused, with a record, once the personal data of the payment are erased', async () => {
    // A payment is erased when it has ended: its entry is booked.
    await world.advance('P3D');
    const erase = ['privacy', 'erase', '--stream', paymentId, '--reason', 'asked on 1 December'];
    expect(await operator.xs2a(...erase, '--despite-retention')).toMatchObject({ code: 0 });
    const text = 'The personal data of this payment are erased: there is nothing to export.';
    expect(await bundle(join(folder, 'two.json'))).toEqual({ code: 1, stdout: '', stderr: `${text}\n` });
    expect(existsSync(join(folder, 'two.json'))).toBe(false);
    const [newest] = await recorded();
    expect(newest).toMatchObject({ end: 'action-failed', outcome: text });
  }, 60_000);
});
