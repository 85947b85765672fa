import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  bulkPath,
  bulkPayment,
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { ShownBasket } from './basket-show.js';
import type { Timeline } from '../events/timeline.js';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let operator: ReturnType<typeof makeOperator>;
beforeAll(async () => {
  world = await World.ofLane();
  operator = makeOperator(world.dataDir);
}, 60_000);
afterAll(async () => world.stop());

/** Creates a basket with a payment, a bulk payment that exceeds the balance, and a consent. */
const basketOfThree = async () => {
  const psu = await world.person('50.00');
  const iban = psu.accounts[0]?.iban ?? '';
  const tpp = world.tpp();
  const token = await tpp.applicationToken();
  const { paymentId } = await initiate(tpp, token, domesticPayment(iban, '10.00'));
  const bulk = await initiate(tpp, token, bulkPayment(iban, ['30.00', '20.00']), {}, bulkPath);
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  const { consentId } = parseJson<{ consentId: string }>(await createConsent(tpp, psu.psuId, body));
  const json = { paymentIds: [paymentId, bulk.paymentId], consentIds: [consentId] };
  const answer = await tpp.call('POST', '/v1/signing-baskets', token, { json });
  const { basketId, _links } = parseJson<{ basketId: string; _links: { scaRedirect: { href: string } } }>(
    answer,
  );
  const items = { paymentId, bulkId: bulk.paymentId, consentId };
  return { psu, iban, basketId, items, page: _links.scaRedirect.href };
};

const show = async (basketId: string): Promise<ShownBasket> => operator.oneJson('payments', 'show', basketId);
/** Moves the clock until the payments are settled; the payments service then marks the basket as complete. */
const completed = async (basketId: string): Promise<ShownBasket> => {
  await world.advance('PT1M');
  return until(
    () => show(basketId),
    ({ status }) => status === 'ACSC',
  );
};

describe('xs2a payments show (docs/how-to/operate.md)', () => {
  it('shows the status of a signing basket and of each item', async () => {
    const { psu, iban, basketId, items, page } = await basketOfThree();
    const { stdout: before } = await operator.xs2a('payments', 'show', basketId);
    expect(before).toMatch(
      new RegExp(`^signing basket ${basketId}: RCVD\nTPP sandbox-tpp, 0 of 1 signed, expires \\d{4}-`),
    );
    expect(before).toMatch(new RegExp(`^${items.paymentId} +payments +10\\.00 BGN +RCVD$`, 'm'));
    expect(before).toMatch(new RegExp(`^${items.consentId} +consent +received$`, 'm'));
    await walkAndApprove(world.browser(), page, psu);
    expect(await completed(basketId)).toMatchObject({
      basketId,
      tppId: 'sandbox-tpp',
      status: 'ACSC',
      rejectionReason: null,
      signatures: { made: 1, required: 1 },
      updatesItemsSince: null,
      items: [
        { id: items.paymentId, kind: 'payments', status: 'ACSC', fundsAvailable: true, amount: '10.00 BGN' },
        { id: items.bulkId, kind: 'bulk-payments', status: 'PART', amount: '50.00 BGN' },
        { id: items.consentId, kind: 'consent', status: 'valid', amount: null },
      ],
    });
    const { stdout: after } = await operator.xs2a('payments', 'show', basketId);
    expect(after).toContain(`signing basket ${basketId}: ACSC\nTPP sandbox-tpp, 1 of 1 signed\n`);
    expect(after).not.toContain(iban);
  });

  it('shows why a signing basket was refused', async () => {
    const { psu, basketId, page } = await basketOfThree();
    await walkAndDecline(world.browser(), page, psu, 'refuse');
    const { stdout } = await operator.xs2a('payments', 'show', basketId);
    expect(stdout).toContain(`signing basket ${basketId}: RJCT (psu-refused)\n`);
    expect(stdout.match(/ RJCT$/gm)).toHaveLength(2);
    expect(stdout).toMatch(/ consent +rejected$/m);
  });
});

describe('xs2a events show', () => {
  it('shows the history of a signing basket by its own id, with the current state of its items', async () => {
    const { psu, iban, basketId, items, page } = await basketOfThree();
    await walkAndApprove(world.browser(), page, psu);
    await completed(basketId);
    const timeline = await operator.oneJson<Timeline>('events', 'show', basketId);
    expect(timeline.events.map(({ type, status }) => [type, status])).toEqual([
      ['basket-opened', 'opening'],
      ['basket-created', 'RCVD'],
      ['basket-signer-identified', 'RCVD'],
      ['basket-signed', 'ACTC'],
      ['basket-items-updated', 'ACTC'],
      ['basket-completed', 'ACSC'],
    ]);
    expect(timeline.events[0]?.data).toMatchObject({
      basketId,
      paymentIds: [items.paymentId, items.bulkId],
      consentIds: [items.consentId],
    });
    expect(timeline.items?.map(({ status }) => status)).toEqual(['ACSC', 'PART', 'valid']);
    const { stdout } = await operator.xs2a('events', 'show', basketId);
    expect(stdout).toMatch(new RegExp(`^signing basket ${basketId}\nposition`));
    expect(stdout).toMatch(new RegExp(`^${items.bulkId} +bulk-payments +50\\.00 BGN +PART$`, 'm'));
    expect(stdout).not.toContain(iban);
  });

  it('shows the history of an item by its own id, with the basket that claimed it', async () => {
    const { basketId, items } = await basketOfThree();
    const [payment, consent] = [
      await operator.xs2a('events', 'show', items.paymentId),
      await operator.xs2a('events', 'show', items.consentId),
    ];
    expect(payment.stdout).toMatch(new RegExp(`^payment ${items.paymentId}\n`));
    expect(consent.stdout).toMatch(new RegExp(`^consent ${items.consentId}\n`));
    for (const { stdout } of [payment, consent]) {
      expect(stdout).toMatch(new RegExp(` grouped .* basketId ${basketId}$`, 'm'));
      expect(stdout).not.toMatch(/^item /m);
    }
  });
});
