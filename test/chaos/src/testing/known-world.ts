import { elsewhere } from '@xs2a/test-support/requests';
import { parseJson } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import { createBasket, signBasket } from '../load/baskets.js';
import type { Asked, BasketRecord, PaymentRecord } from '../load/client-log.js';
import { createConsent } from '../load/create-consent.js';
import { sandboxNow, waitUntilRest } from '@xs2a/invariants/due-left';
import { ChaosWorld, type Psu } from '../world.js';

/**
 * A system at rest with a known history: a payment in each final status, and a consent whose permitted reads are
 * used up.
 */
export interface KnownWorld {
  readonly world: ChaosWorld;
  readonly iban: string;
  readonly poorIban: string;
  /**
   * `settled` is a payment of 25.00; `waiting` is signed but not yet due, and exists once {@link signOneMore} has
   * been called.
   */
  readonly payments: Record<'settled' | 'cancelled' | 'unfunded' | 'unsigned' | 'waiting', PaymentRecord>;
  /** The id of a daily order of 1.00 whose first occurrence has been settled. */
  readonly orderId: string;
  /**
   * Baskets with a payment of 1.00 and a consent each, except `open`, which contains only the payment. `signed` is
   * completed.
   */
  readonly baskets: Record<'signed' | 'open' | 'dissolved', BasketRecord>;
  signOneMore(): Promise<void>;
}

export const startKnownWorld = async (): Promise<KnownWorld> => {
  const world = await ChaosWorld.start();
  const [psu, poor] = [await world.psu('100.00'), await world.psu('10.00')];
  const settled = await signed(world, psu, 2500);
  const unfunded = await signed(world, poor, 2000);
  const cancelled = await signed(world, psu, 100);
  await world.tpp.cancel(cancelled);
  const orderId = await signedOrder(world, await world.psu('10.00'));
  const baskets = await threeBaskets(world);
  await world.advance('PT61S');
  const unsigned = await initiated(world, psu, 300);
  await readFourTimes(world, psu);
  const payments = { settled, cancelled, unfunded, unsigned, waiting: unsigned };
  for (const payment of world.log.payments) await world.tpp.status(payment);
  await atRest(world);
  return {
    world,
    iban: firstIban(psu),
    poorIban: firstIban(poor),
    payments,
    orderId,
    baskets,
    signOneMore: async () => {
      payments.waiting = await signed(world, psu, 400);
      await atRest(world);
    },
  };
};

const atRest = async (world: ChaosWorld): Promise<void> => {
  const { left } = await waitUntilRest(world, 20);
  if (left.length > 0) throw new Error(`not at rest: ${left.join('; ')}`);
};

const firstIban = ({ accounts }: Psu): string => accounts[0]?.iban ?? '';

const initiated = async ({ tpp }: ChaosWorld, from: Psu, amount: number): Promise<PaymentRecord> =>
  tpp.initiate({
    key: randomUUID(),
    psuId: from.psuId,
    debtorIban: firstIban(from),
    creditorIban: elsewhere,
    amount,
  });

const signed = async (world: ChaosWorld, from: Psu, amount: number): Promise<PaymentRecord> => {
  const payment = await initiated(world, from, amount);
  await world.tpp.sign(payment);
  return payment;
};

/** Creates a signed daily order of 1.00 that starts today. */
const signedOrder = async ({ tpp, schemas }: ChaosWorld, from: Psu): Promise<string> => {
  const now = new Date(await sandboxNow(schemas));
  const path = '/v1/periodic-payments/domestic';
  const created = await tpp.post(path, randomUUID(), {
    endToEndIdentification: 'CHAOS',
    debtorAccount: { iban: firstIban(from) },
    instructedAmount: { currency: 'BGN', amount: '1.00' },
    creditorAccount: { iban: 'BG26RZBB91551023456789' },
    creditorName: 'Petar Ivanov',
    remittanceInformationUnstructured: 'Chaos',
    serviceLevel: 'NURG',
    frequency: 'Daily',
    startDate: new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia' }).format(now),
  });
  const { psuId } = from;
  await tpp.sign({
    ...created,
    path,
    psuId,
    key: '',
    debtorIban: firstIban(from),
    creditorIban: '',
    amount: 100,
    seen: [],
  });
  return created.paymentId;
};

const threeBaskets = async (world: ChaosWorld): Promise<KnownWorld['baskets']> => {
  const psu = await world.psu('10.00');
  const ofOne = async (withConsent: boolean): Promise<BasketRecord> => {
    const payments = [await initiated(world, psu, 100)];
    const consents = withConsent ? [await createConsent(world, psu)] : [];
    const basket = await createBasket(world, psu, { payments, consents });
    if (basket === undefined) throw new Error('a basket was refused');
    return basket;
  };
  const [signed, open, dissolved] = [await ofOne(true), await ofOne(false), await ofOne(true)];
  await signBasket(world, signed);
  await world.tpp.cancel(dissolved);
  return { signed, open, dissolved };
};

/** Creates a consent and reads four times without the PSU, the maximum that the consent allows. */
const readFourTimes = async ({ tpp, log }: ChaosWorld, psu: Psu): Promise<void> => {
  const accounts = psu.accounts.map(({ iban }) => ({ iban }));
  const answer = await tpp.insist('POST', '/v1/consents', {
    headers: { 'psu-id': psu.psuId, 'idempotency-key': randomUUID() },
    json: {
      access: { accounts, balances: accounts },
      recurringIndicator: true,
      validUntil: '9999-12-31',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  const { consentId } = parseJson<{ consentId: string }>(answer);
  const { access_token: token, asked: authorised } = await tpp.authorised(psu, 'PSP_AI', consentId);
  const answered: Asked[] = [];
  for (let reads = 1; reads <= 4; reads += 1) {
    const { status, asked } = await tpp.readAlone(token, consentId);
    if (status === 200) answered.push(asked);
  }
  const unattended = new Map([['accounts', answered]]);
  log.consents.push({ key: '', consentId, created: answer.asked, authorised, unattended });
};
