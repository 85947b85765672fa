// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  bulkPath,
  bulkPayment,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  periodicPath,
  periodicPayment,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { runArchiveMonth, monthOf, mustVerify, passMonths } from '../testing/archive-steps.js';
import { makeOperator } from '../testing/command-process.js';
import { analyzeAll, placesOf, textsInFiles } from '../testing/everywhere.js';

const address = '198.51.100.99';
const named = {
  creditorName: 'CANARY Creditor',
  remittanceInformationUnstructured: 'CANARY remittance',
  endToEndIdentification: 'CANARY-E2E',
};

let world: World;
let operator: ReturnType<typeof makeOperator>;
let folder: string;
let file: string;
/** The customer to be erased, and another customer. */
let [maria, ivan]: FreshPsu[] = [];
/** Texts that would identify the customer to be erased. */
let canaries: string[];
/**
 * Paths of the archived, ended and open resources of the customer to be erased, and of the other customer's
 * resources.
 */
const paths: Record<'archived' | 'ended' | 'open' | 'others', string[]> = {
  archived: [],
  ended: [],
  open: [],
  others: [],
};
let consentToken: string;
/** The idempotency key and the body of a request as an attacker would guess them. */
let guessed: { readonly key: string; readonly body: string };

const get = async (path: string): Promise<Answer> => {
  const tpp = world.tpp();
  return tpp.call('GET', path, await tpp.applicationToken());
};
const answered = async (group: readonly string[]): Promise<number[]> =>
  Promise.all(group.map(async (path) => (await get(path)).status));
const headersOf = (psu: FreshPsu): Record<string, string> =>
  psu === ivan
    ? { 'psu-id': psu.psuId }
    : {
        'psu-id': psu.psuId,
        'psu-ip-address': address,
        'tpp-redirect-uri': 'http://127.0.0.1:8090/CANARY-redirect',
        'tpp-notification-uri': 'http://127.0.0.1:8090/CANARY-push',
      };

const pay = async (psu: FreshPsu, body: Record<string, unknown>, at?: string): Promise<string> => {
  const tpp = world.tpp();
  const made = await initiate(tpp, await tpp.applicationToken(), body, headersOf(psu), at);
  await walkAndApprove(world.browser(), made.scaRedirect, psu);
  return made.path;
};
const payInBasket = async (psu: FreshPsu, iban: string): Promise<string[]> => {
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  const payments = [];
  for (const amount of ['3.00', '4.00'])
    payments.push(await initiate(tpp, token, domesticPayment(iban, amount, named), headersOf(psu)));
  const json = { paymentIds: payments.map(({ paymentId }) => paymentId) };
  const answer = await tpp.call('POST', '/v1/signing-baskets', token, { json, headers: headersOf(psu) });
  const basket = parseJson<{ basketId: string; _links: { scaRedirect: { href: string } } }>(answer);
  await walkAndApprove(world.browser(), basket._links.scaRedirect.href, psu);
  return [`/v1/signing-baskets/${basket.basketId}`, ...payments.map(({ path }) => path)];
};
/** Signs in with wrong passwords until SCA is locked, and lifts the lock. */
const lockAndUnlock = async ({ psuId }: FreshPsu): Promise<void> => {
  for (let failed = 0; failed < 5; failed += 1) {
    const browser = world.browser();
    const page = await browser.open(`${world.baseUrl}/sca/apps`);
    await browser.submit(page, { psuId, password: 'wrong' }, 'approve');
  }
  expect(await operator.xs2a('psu', 'unlock', psuId, '--reason', 'case 4711')).toMatchObject({ code: 0 });
};

beforeAll(async () => {
  world = await World.start();
  operator = makeOperator(world.dataDir);
  folder = mkdtempSync(join(tmpdir(), 'xs2a-privacy-'));
  [maria, ivan] = [await world.person('1000.00'), await world.person('1000.00')];
  const iban = maria.accounts[0]?.iban ?? '';
  canaries = ['CANARY', maria.psuId, iban, address];
  await lockAndUnlock(maria);
  const now = await sandboxNow(world);
  const schedule = { frequency: 'Weekly', endDate: dayFrom(now, 16), ...named };
  paths.archived.push(
    await pay(maria, domesticPayment(iban, '1.00', named)),
    await pay(maria, bulkPayment(iban, ['1.00', '2.00']), bulkPath),
    await pay(maria, periodicPayment(iban, dayFrom(now, 1), schedule), periodicPath),
    ...(await payInBasket(maria, iban)),
  );
  paths.others.push(await pay(ivan, domesticPayment(ivan.accounts[0]?.iban ?? '')));
  await passMonths(world);

  const later = await sandboxNow(world);
  const tpp = world.tpp();
  paths.ended.push(await pay(maria, domesticPayment(iban, '5.00', named)));
  // A TPP initiated a payment from her account with another person's PSU-ID, then cancelled it before anybody
  // signed.
  guessed = { key: `for ${iban}`, body: JSON.stringify(domesticPayment(iban, '7.00', named)) };
  const misnamed = await initiate(tpp, await tpp.applicationToken(), domesticPayment(iban, '7.00', named), {
    ...headersOf(maria),
    'psu-id': ivan.psuId,
    'idempotency-key': guessed.key,
  });
  expect((await tpp.call('DELETE', misnamed.path, await tpp.applicationToken())).status).toBe(204);
  paths.ended.push(misnamed.path);
  for (const duration of ['PT10M', 'PT1H']) await world.advance(duration);
  const access = consentBody([iban], dayFrom(later, 80));
  for (const group of ['ended', 'open'] as const) {
    const { consentId, tokens } = await consented(world, tpp, maria, access);
    paths[group].push(`/v1/consents/${consentId}`);
    consentToken = tokens.access_token;
    const accounts = await tpp.call('GET', '/v1/accounts', consentToken, {
      headers: { 'consent-id': consentId, 'psu-ip-address': address },
    });
    expect(accounts.status).toBe(200);
  }
  paths.open.push(
    await pay(maria, domesticPayment(iban, '6.00', { ...named, requestedExecutionDate: dayFrom(later, 30) })),
  );
  paths.others.push(await pay(ivan, domesticPayment(ivan.accounts[0]?.iban ?? '')));
}, 180_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (...more: readonly string[]): readonly string[] => [
  'privacy',
  'erase',
  '--psu',
  maria?.psuId ?? '',
  '--iban',
  maria?.accounts[0]?.iban ?? '',
  '--reason',
  'asked on 1 December',
  '--operator',
  'tester',
  ...more,
];

describe('erasure of a customer (docs/how-to/erasure.md)', () => {
  it('starts while personal data is readable in the tables of several services', async () => {
    // PSU addresses are stored a few seconds after the calls.
    const places = await until(
      async () => placesOf(world.sandbox, canaries),
      (found) => found.includes('consents.psu_address'),
    );
    await analyzeAll(world.sandbox);
    expect(await placesOf(world.sandbox, canaries)).toEqual(places);
    expect(places).toEqual([
      'accounts.entry',
      'auth.challenge',
      'auth.grant_binding',
      'auth.oidc_model',
      'auth.page_session',
      'auth.psu_sca',
      'auth.sca_unlock',
      'consents.consent_view',
      'consents.psu_address',
      'notifications.notification',
      'payments.payment_view',
    ]);
  }, 60_000);

  it('finds the customer in an archive, where the data are encrypted', async () => {
    const month = monthOf(paths.archived[0]?.split('/').at(-1) ?? '');
    expect(await runArchiveMonth(operator, { month, resource: 'payments', folder })).toMatchObject({
      code: 0,
    });
    file = join(folder, `payments-${month}-1.zst`);
    const text = zstdDecompressSync(readFileSync(file)).toString();
    expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
    expect(await operator.json('privacy', 'due')).toContainEqual(
      expect.objectContaining({ resource: 'payments', what: 'archived', isOver: false }),
    );
  }, 120_000);

  it('keeps the data during statutory retention; a dry run shows when the retention ends', async () => {
    const before = await answered([...paths.ended, ...paths.open]);
    const [payments, consents] = await operator.json(...ask('--dry-run'));
    const whole = { erased: 0, open: 1, plain: [], shared: [], unreadable: [] };
    expect(payments).toMatchObject(whole);
    expect(consents).toMatchObject({ ...whole, retained: [{ streams: 1 }] });
    expect(await answered([...paths.ended, ...paths.open])).toEqual(before);
  }, 60_000);

  it('erases ended resources and postpones the rest', async () => {
    expect(await operator.json(...ask('--despite-retention'))).toMatchObject([
      { resource: 'payments', erased: 8, open: 1, retained: [] },
      { resource: 'consents', erased: 1, open: 1, retained: [] },
    ]);
    expect(await answered(paths.ended)).toEqual([404, 404, 403]);
    expect(await answered(paths.open)).toEqual([200, 200]);
    const gone = ['auth.challenge', 'auth.psu_sca', 'auth.sca_unlock', 'accounts.entry'];
    const places = await placesOf(world.sandbox, canaries);
    expect(gone.filter((place) => places.includes(place))).toEqual([]);
    await mustVerify(operator);
  }, 120_000);

  it('erases everything once the remaining resources have ended', async () => {
    const tpp = world.tpp();
    const [consent = ''] = paths.open;
    expect((await tpp.call('DELETE', consent, await tpp.applicationToken())).status).toBe(204);
    for (const duration of ['P31D', 'PT10M']) await world.advance(duration);
    const runs = ['privacy', 'due', '--erase'] as const;
    const both = await Promise.all([operator.json(...runs), operator.json(...runs)]);
    expect(both.flat().filter((one) => (one as { erased: number }).erased > 0)).toHaveLength(2);
    expect(await answered(paths.open)).toEqual([403, 404]);
    expect(await placesOf(world.sandbox, canaries)).toEqual([]);
    await mustVerify(operator);
  }, 120_000);

  it('leaves nothing that could confirm a guessed request in tables, dead rows or WAL', async () => {
    const bodyHash = createHash('sha256').update(guessed.body).digest();
    const unkeyed = createHmac('sha256', '').update(guessed.body).digest();
    const guesses = [guessed.key, bodyHash, bodyHash.toString('hex'), unkeyed, unkeyed.toString('hex')];
    const [paymentId = ''] = paths.ended.slice(1, 2).map((path) => path.split('/').at(-1));
    const answer = `"paymentId":"${paymentId}"`;
    const found = await textsInFiles(world.sandbox, [...guesses, answer]);
    // The stored response contains no personal data; finding it proves that the search covers this payment's
    // row.
    expect(found).toEqual([answer]);
  }, 120_000);

  it('remains in effect after the archive is restored, and leaves the payments of other customers unchanged', async () => {
    expect(await operator.xs2a('archive', 'verify', file)).toMatchObject({ code: 0 });
    expect(await operator.xs2a('archive', 'restore', file, '--resource', 'payments')).toMatchObject({
      code: 0,
    });
    for (const view of ['payment_view', 'payment_volume_daily'])
      expect(await operator.xs2a('projections', 'rebuild', view)).toMatchObject({ code: 0 });
    expect(await answered(paths.archived)).toEqual(paths.archived.map(() => 404));
    expect(await answered(paths.others)).toEqual([200, 200]);
    expect(await placesOf(world.sandbox, canaries)).toEqual([]);
    await mustVerify(operator);
  }, 180_000);

  it('does not name the customer in the request log', async () => {
    const [log] = await operator.json<{ operator: string; reason: string; waiting: number }[]>(
      'privacy',
      'log',
    );
    expect(log).toHaveLength(2);
    expect(log?.every((one) => one.operator === 'tester' && one.waiting === 0)).toBe(true);
    const keys = ['PAYMENTS_MASTER_KEYS', 'CONSENTS_MASTER_KEYS'];
    expect(keys.filter((key) => JSON.stringify(operator.said).includes(key))).toEqual([]);
  }, 60_000);
});
