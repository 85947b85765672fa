// Lane: nightly (every kind of resource is archived and read back).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  bulkPath,
  bulkPayment,
  dayFrom,
  domesticPayment,
  initiate,
  periodicPath,
  periodicPayment,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runArchiveMonth, monthOf, mustVerify, passMonths } from '../testing/archive-steps.js';
import { makeOperator } from '../testing/command-process.js';

const basketsPath = '/v1/signing-baskets';

let world: World;
let operator: ReturnType<typeof makeOperator>;
let folder: string;
let month: string;
let file: string;
/** The paths of a bulk payment, an ended periodic order, a signing basket and the two payments in it. */
const paths: string[] = [];
/** The responses to GET on each path before archiving. */
let answers: unknown[];

const get = async (path: string): Promise<Answer> => {
  const tpp = world.tpp();
  return tpp.call('GET', path, await tpp.applicationToken());
};
const readAll = async (): Promise<unknown[]> =>
  Promise.all(paths.map(async (path) => parseJson<unknown>(await get(path))));
const statuses = async (): Promise<unknown[]> =>
  Promise.all(
    paths.map(
      async (path) => parseJson<{ transactionStatus: string }>(await get(`${path}/status`)).transactionStatus,
    ),
  );

const makeAll = async (): Promise<void> => {
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  const psu = await world.person('1000.00');
  const iban = psu.accounts[0]?.iban ?? '';
  const bulk = await initiate(tpp, token, bulkPayment(iban, ['1.00', '2.00']), {}, bulkPath);
  const now = await sandboxNow(world);
  const schedule = { frequency: 'Weekly', endDate: dayFrom(now, 16) };
  const order = await initiate(
    tpp,
    token,
    periodicPayment(iban, dayFrom(now, 1), schedule),
    {},
    periodicPath,
  );
  const payments = [
    await initiate(tpp, token, domesticPayment(iban, '3.00')),
    await initiate(tpp, token, domesticPayment(iban, '4.00')),
  ];
  const paymentIds = payments.map(({ paymentId }) => paymentId);
  month = monthOf(paymentIds[0] ?? '');
  file = join(folder, `payments-${month}-1.zst`);
  const answer = await tpp.call('POST', basketsPath, token, { json: { paymentIds } });
  const basket = parseJson<{ basketId: string; _links: { scaRedirect: { href: string } } }>(answer);
  for (const redirect of [bulk.scaRedirect, order.scaRedirect, basket._links.scaRedirect.href])
    await walkAndApprove(world.browser(), redirect, psu);
  paths.push(bulk.path, order.path, `${basketsPath}/${basket.basketId}`, ...payments.map(({ path }) => path));
};

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  folder = mkdtempSync(join(tmpdir(), 'xs2a-archive-'));
  await makeAll();
  await passMonths(world);
  answers = await readAll();
  // The newest position is never archived; this open payment occupies it so that everything else can be
  // archived.
  const tpp = world.tpp();
  const psu = await world.person();
  await initiate(tpp, await tpp.applicationToken(), domesticPayment(psu.accounts[0]?.iban ?? ''));
}, 120_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('ended bulk payments, periodic orders and signing baskets (docs/how-to/archive.md)', () => {
  it('are archived, after which TPPs get 404 and the remaining data passes verification', async () => {
    expect(await statuses()).toEqual(paths.map(() => 'ACSC'));
    const { stdout, stderr, code } = await runArchiveMonth(operator, { month, resource: 'payments', folder });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toMatch('of 5 streams');
    for (const path of paths)
      for (const part of ['', '/status', '/authorisations'])
        expect([path, part, (await get(`${path}${part}`)).status]).toEqual([path, part, 404]);
    await mustVerify(operator);
  }, 120_000);

  it('can be found in the archive file by an operator, without personal data', async () => {
    expect(await operator.oneJson('archive', 'verify', file)).toMatchObject({ streams: 5 });
    for (const path of paths) {
      const { stdout, code } = await operator.xs2a('archive', 'show', file, path.split('/').at(-1) ?? '');
      expect([path, code]).toEqual([path, 0]);
      expect(stdout).not.toMatch(/Petar Ivanov|Invoice 1/);
    }
  }, 60_000);

  it('are unchanged after they have been restored', async () => {
    expect(await operator.xs2a('archive', 'restore', file, '--resource', 'payments')).toMatchObject({
      code: 0,
    });
    expect(await readAll()).toEqual(answers);
    await mustVerify(operator);
  }, 120_000);
});
