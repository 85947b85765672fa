// Lane: long, first (the operators' console, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BundleContent } from '@xs2a/contracts/dispute-bundle.contract';
import type { SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import { canonicalJson, chainHash, chainStart } from '@xs2a/event-store/streams/hash-chain';
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
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import { World } from '@xs2a/test-support/world';
import { send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { launchBrowser, visitor } from '../pages/screens.js';
import {
  bundleForm,
  exportBundle,
  otherBank,
  parseBundle,
  sendForm,
  Verifier,
  verifierUrl,
} from './bundles.js';
import { StaffBrowser } from './staff-browser.js';
import { openAs, shows } from './staff-page.js';

let world: World;
let browser: Browser;
let url: string;
let keySet: string;
let staff: StaffBrowser;
let verifier: Verifier;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  browser = await launchBrowser();
  keySet = (await send('GET', `${world.baseUrl}/oauth2/jwks`)).text;
  staff = new StaffBrowser(url);
  await staff.signIn('ivanova');
  verifier = await Verifier.open(browser);
  tpp = world.tpp();
  token = await tpp.applicationToken();
  psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const signed = async (body: Readonly<Record<string, unknown>>, at?: string): Promise<string> => {
  const payment = await initiate(tpp, token, body, {}, at);
  await walkAndApprove(world.browser('bg'), payment.scaRedirect, psu);
  return payment.paymentId;
};
const pay = async (creditorName: string): Promise<string> =>
  signed(domesticPayment(iban, '12.50', { creditorName }));

describe('the dispute bundle of a payment', () => {
  it('is exported from its page with a reason, and the page from the documents verifies it without a network', async () => {
    const paymentId = await pay('Canary Ltd');
    await world.advance('PT10M');
    const { page, context, look } = await openAs({ browser, url }, 'ivanova', `/payments/${paymentId}`);
    await page.getByText('Export the dispute bundle').click();
    await look('console-bundle-form');
    await page.locator('form[action$="/bundle"]').getByLabel('Reason').fill('dispute 4711');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`dispute-${paymentId}.json`);
    const bundle = readFileSync(await download.path(), 'utf8');
    await page.goto(`${url}/actions`);
    await shows(page, 'dispute 4711');
    await shows(page, 'The dispute bundle was exported.');
    await context.close();

    const text = await verifier.verify(bundle, keySet);
    expect(text).toContain('The bundle is genuine');
    expect(text).toContain(`PSU ${psu.psuId} signed on`);
    expect(text).toContain('bound to exactly this amount and payee');
    expect(text).toContain('in the language “bg”');
    for (const shown of ['12.50 BGN', 'Canary Ltd', iban, 'settled']) expect(text).toContain(shown);
    // The PSU signed on the page in Bulgarian, so the bundle contains its rows in Bulgarian.
    expect(text).toContain('showed the amount and the payee to which its code was bound');
    for (const shown of ['Получател\tCanary Ltd\tyes', `От\t${iban}`, 'Основание\t'])
      expect(text).toContain(shown);
    expect(verifier.requested).toEqual([verifierUrl]);

    const visit = await visitor(browser, 'en', 1280, 360);
    await visit.page.goto(verifierUrl);
    await visit.look('verify-bundle');
    await visit.page
      .getByLabel('Bundle')
      .setInputFiles({ name: 'b', mimeType: 'application/json', buffer: Buffer.from(bundle) });
    await visit.page.getByLabel('or the text').fill(keySet);
    await visit.page.getByRole('button', { name: 'Verify' }).click();
    await shows(visit.page, 'The bundle is genuine');
    await visit.look('verify-bundle-genuine');
    await visit.context.close();
  }, 90_000);

  it('proves what was signed for a bulk payment, a periodic order and each signature of a company', async () => {
    const start = dayFrom(await sandboxNow(world), 3);
    const company = await world.corporate(3, 2);
    const several = await initiateForSeveral(tpp, token, company.iban);
    for (const signer of company.signers.slice(0, 2)) {
      const started = await startFor(tpp, token, several, signer);
      await walkAndApprove(world.browser(), started.scaRedirect, signer);
    }
    const ids = [
      await signed(bulkPayment(iban, ['1.00', '2.50', '3.00']), bulkPath),
      await signed(periodicPayment(iban, start, { monthsOfExecution: undefined }), periodicPath),
      several.id,
    ];
    for (const [index, id] of ids.entries()) {
      const text = await verifier.verify(await exportBundle(staff, id), keySet);
      expect([id, text]).toEqual([id, expect.stringContaining('The bundle is genuine')]);
      expect(text.match(/bound to exactly this amount and payee/g)).toHaveLength(index === 2 ? 2 : 1);
      expect(text.match(/to which its code was bound/g)).toHaveLength(index === 2 ? 2 : 1);
    }
  }, 90_000);

  it('of an item of a basket proves the signature on the basket and contains nothing of the other items', async () => {
    const [one, other] = [
      await initiate(tpp, token, domesticPayment(iban, '1.00', { creditorName: 'Canary One' })),
      await initiate(tpp, token, domesticPayment(iban, '2.00', { creditorName: 'Canary Other' })),
    ];
    const json = { paymentIds: [one.paymentId, other.paymentId] };
    const { _links } = bodyOf<{ _links: { scaRedirect: { href: string } } }>(
      await tpp.call('POST', '/v1/signing-baskets', token, { json }),
      201,
    );
    await walkAndApprove(world.browser(), _links.scaRedirect.href, psu);
    const bundle = await exportBundle(staff, one.paymentId);
    const text = await verifier.verify(bundle, keySet);
    expect(text).toContain('The bundle is genuine');
    expect(text).toContain('bound to the digest of each item, one of which is this amount and payee');
    expect(bundle).toContain('Canary One');
    for (const secret of ['Canary Other', other.paymentId]) expect(bundle).not.toContain(secret);
    expect(text).toContain('those of a basket are about its other items too');
    expect(parseBundle(bundle).content.missing).toEqual([
      expect.stringContaining('is a signature without the rows of the page'),
    ]);
  }, 60_000);

  it('is refused if one byte of any part was changed, or if another key is named', async () => {
    const bundle = await exportBundle(staff, await pay('Canary Ltd'));
    const { content, signature } = parseBundle(bundle);
    const [header = '', payload = '', mark = ''] = signature.split('.');
    const flipped = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    const { keys } = JSON.parse(keySet) as { keys: { kid: string; purpose?: string }[] };
    const tokenKey = keys.find(({ purpose }) => purpose === undefined)?.kid;
    const named = (kid: unknown): string =>
      Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(header, 'base64url').toString()), kid }),
      ).toString('base64url');
    const hash = content.events[1]?.hash ?? '';
    const changes: readonly string[] = [
      bundle.replace('Canary Ltd', 'Canary Lte'),
      bundle.replace(
        hash,
        hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
      bundle.replace(content.key ?? '', flipped(content.key ?? '')),
      bundle.replace(content.events[0]?.occurredAt ?? '', '2026-01-01T00:00:00.000Z'),
      bundle.replace(signature, [header, flipped(payload), mark].join('.')),
      bundle.replace(signature, [header, payload, flipped(mark)].join('.')),
      bundle.replace(signature, [flipped(header), payload, mark].join('.')),
      bundle.replace(signature, [named(tokenKey), payload, mark].join('.')),
      bundle.replace(signature, [named('unknown'), payload, mark].join('.')),
      bundle.replace('"missing": []', '"missing": ["x"]'),
      'x',
      '{}',
      '[]',
      '"',
    ];
    expect(new Set([...changes, bundle]).size).toBe(changes.length + 1);
    for (const [index, changed] of changes.entries())
      expect([index, await verifier.verify(changed, keySet)]).toEqual([
        index,
        expect.stringContaining('The bundle is refused'),
      ]);
    expect(await verifier.verify(bundle, '{"keys":[]}')).toContain('does not contain the key');
    expect(await verifier.verify(bundle, keySet)).toContain('The bundle is genuine');
  }, 60_000);

  it('is refused even with a right signature if the chain, the readable data or the signed content do not fit', async () => {
    const { content } = parseBundle(await exportBundle(staff, await pay('Canary Ltd')));
    const bank = await otherBank();
    const withEvents = (change: (events: BundleContent['events']) => unknown): BundleContent =>
      ({ ...content, events: change(content.events) }) as BundleContent;
    const changed = (version: number, members: object) => (events: BundleContent['events']) =>
      events.map((event) => (event.version === version ? { ...event, ...members } : event));
    /** The events with their hashes computed anew. */
    const rechained = (events: BundleContent['events']) => {
      let previous: Buffer = chainStart;
      return events.map((event) => {
        const head = { ...event, streamId: content.paymentId };
        const hash = chainHash(previous, head, canonicalJson(event.stored), canonicalJson(event.meta));
        const linked = { ...event, prevHash: previous.toString('hex'), hash: hash.toString('hex') };
        previous = hash;
        return linked;
      });
    };
    const data = content.events[0]?.data as { readonly order: object };
    const order = { ...data.order, creditorName: 'Somebody Else' };
    const unencrypted = { ...data, order };
    const signature = content.events[2]?.data as { readonly evidence: SignatureEvidence };
    const rows = signature.evidence.rows?.map((row) =>
      row.shows === 'amount' ? { ...row, value: '1,25 лв.' } : row,
    );
    const otherPage = { ...signature, evidence: { ...signature.evidence, rows } };
    const cases: readonly (readonly [BundleContent, string])[] = [
      [withEvents(changed(2, { type: 'cancelled' })), 'The chain is broken at event 2.'],
      [withEvents((events) => events.slice(1)), 'The chain is broken at event 1.'],
      [withEvents((events) => events.toSpliced(1, 1)), 'The chain is broken at event 2.'],
      [withEvents(changed(1, { data: unencrypted })), 'The readable data of event 1 are not'],
      [{ ...content, key: Buffer.alloc(32).toString('base64') }, 'cannot be decrypted'],
      [
        withEvents((events) => rechained(changed(1, { stored: unencrypted, data: unencrypted })(events))),
        'belongs to another amount or payee',
      ],
      [
        withEvents((events) => rechained(changed(3, { stored: otherPage, data: otherPage })(events))),
        'The page of event 3 showed another amount or payee than the one that was signed.',
      ],
    ];
    for (const [wrong, message] of cases)
      expect(await verifier.verify(await bank.sign(wrong), bank.keySet)).toContain(message);
    const another = await bank.sign(content, { paymentId: psu.psuId });
    expect(await verifier.verify(another, bank.keySet)).toContain('belongs to another payment');
    // Read as Infinity, which JSON.stringify writes as null.
    const unplaced = { ...content, events: content.events.map((event) => ({ ...event, pos: null })) };
    const infinite = (await bank.sign(unplaced)).replaceAll('"pos":null', '"pos":1e999');
    expect(infinite).toContain('1e999');
    expect(await verifier.verify(infinite, bank.keySet)).toContain('a number that no bank writes');
    const hostile = { ...content, missing: ['<img src=x onerror="document.title=1">'] };
    expect(await verifier.verify(await bank.sign(hostile), bank.keySet)).toContain('<img src=x');
    expect(await verifier.page.locator('img').count()).toBe(0);
  }, 60_000);

  it('is exported once for a form that is sent twice, never for a basket, and only to operators', async () => {
    const paymentId = await pay('Canary Ltd');
    const form = await bundleForm(staff, paymentId);
    const first = await sendForm(staff, paymentId, form);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('content-disposition')).toMatch(
      /^attachment; filename="dispute-[\da-f-]+\.json"$/,
    );
    const second = await sendForm(staff, paymentId, form);
    const text = await second.text();
    expect(text).toContain('This request was already answered.');
    expect([text.includes('Canary'), second.headers.get('content-disposition')]).toEqual([false, null]);
    form.set('reason', 'account BG80BNBG96611020345678');
    expect((await sendForm(staff, paymentId, form)).status).toBe(400);

    const unknown = await bundleForm(staff, paymentId);
    const nobody = '01890a5d-ac96-774b-bcce-b302099a8057';
    const refused = await staff.follow(await sendForm(staff, nobody, unknown));
    expect(await refused.text()).toContain('The database has no payment with this id.');
    const approver = new StaffBrowser(url);
    await approver.signIn('petrov');
    expect(await (await approver.open(`/payments/${paymentId}`)).text()).not.toContain('dispute bundle');
  }, 60_000);

  it('is not exported if a service does not answer', async () => {
    const paymentId = await pay('Canary Ltd');
    const form = await bundleForm(staff, paymentId);
    const { pid } = world.sandbox.services.notifications;
    process.kill(pid, 'SIGSTOP');
    try {
      const refused = await staff.follow(await sendForm(staff, paymentId, form));
      expect(await refused.text()).toContain('notifications did not answer');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }, 60_000);
});
