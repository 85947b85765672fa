import { paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { parseJson } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import type { BasketRecord, PaymentRecord } from './client-log.js';
import { createConsent } from './create-consent.js';
import type { OrdersAndBulks } from './orders-and-bulks.js';
import type { Random } from '../faults/random.js';
import { basketsPath, toPath } from './steady-tpp.js';
import { elsewhere } from '@xs2a/test-support/requests';
import type { ChaosWorld, Psu } from '../world.js';

/**
 * Opening balances. The second account soon runs out of money, so of the items signed together, some are covered
 * and some are not.
 */
const openings = ['1000000.00', '60.00'];
const maxPayments = 3;

type Items = Pick<BasketRecord, 'payments' | 'consents'>;

/**
 * Clients' signing baskets, with single payments and either a consent or bulk payments, from separate accounts.
 * Some baskets compete for a payment; some are signed and dissolved at the same time.
 */
export class Baskets {
  private constructor(
    private readonly world: ChaosWorld,
    private readonly bulks: OrdersAndBulks,
    private readonly psus: readonly Psu[],
    private readonly ofBulks: Psu,
  ) {}

  static async open(world: ChaosWorld, bulks: OrdersAndBulks): Promise<Baskets> {
    const psus: Psu[] = [];
    for (const opening of openings) psus.push(await world.psu(opening));
    return new Baskets(world, bulks, psus, await world.psu('1000000.00'));
  }

  /** The accounts used only for single payments. */
  get ibans(): readonly string[] {
    return this.psus.flatMap(({ accounts }) => accounts.map(({ iban }) => iban));
  }

  /** Groups items in a basket, tries to authorise or delete one of them, and signs or dissolves the basket. */
  async round(random: Random): Promise<void> {
    const { tpp } = this.world;
    const psu = random.chance(0.2) ? this.ofBulks : random.pick(this.psus);
    const items = await this.newItems(psu, random);
    const rival = random.chance(0.3) ? { payments: items.payments.slice(0, 1), consents: [] } : undefined;
    const [basket, other] = await Promise.all([
      createBasket(this.world, psu, items),
      rival === undefined ? undefined : createBasket(this.world, psu, rival),
    ]);
    this.checkRace(basket, other);
    for (const created of [basket, other]) {
      if (created === undefined) continue;
      if (random.chance(0.4)) await this.moveAlone(created, random);
      if (random.chance(0.1)) continue;
      const isDissolved = random.chance(0.25);
      const isSigned = !isDissolved || random.chance(0.3);
      await Promise.all([
        ...(isSigned ? [signBasket(this.world, created)] : []),
        ...(isDissolved ? [tpp.cancel(created)] : []),
      ]);
      await tpp.status(created);
      // The items of a dissolved basket can be used again. The payments of a signed basket can be cancelled
      // like any other payment.
      const [first] = created.payments;
      if (first === undefined || !random.chance(0.3)) continue;
      if (created.signed === undefined) await tpp.sign(first);
      else await tpp.cancel(first, created);
    }
  }

  private async newItems(psu: Psu, random: Random): Promise<Items> {
    const { tpp } = this.world;
    const payments: PaymentRecord[] = [];
    const count = random.between(1, maxPayments);
    while (payments.length < count) {
      const payment = {
        key: randomUUID(),
        psuId: psu.psuId,
        debtorIban: psu.accounts[0]?.iban ?? '',
        creditorIban: elsewhere,
        amount: random.between(1, 2000),
      };
      payments.push(
        psu === this.ofBulks ? await this.bulks.initiateBulk(psu, random) : await tpp.initiate(payment),
      );
    }
    return { payments, consents: random.chance(0.3) ? [await createConsent(this.world, psu)] : [] };
  }

  /**
   * Checks that only one of two baskets contains their common payment, unless a database restored to an earlier
   * state freed it for the other.
   */
  private checkRace(one: BasketRecord | undefined, other: BasketRecord | undefined): void {
    const { log } = this.world;
    if (one === undefined || other === undefined) return;
    if (log.isCertain(one.created) && log.isCertain(other.created))
      log.surprises.push(`${one.basketId} and ${other.basketId} are two baskets of one payment`);
  }

  /**
   * Checks that an item cannot be authorised or deleted individually until its basket is completed or rejected
   * (contract 10).
   */
  private async moveAlone(basket: BasketRecord, random: Random): Promise<void> {
    const { tpp, log } = this.world;
    const payment = random.pick(basket.payments);
    const { paymentId, authorisationId, psuId } = payment;
    let refusal: string;
    if (random.chance(0.5)) {
      const answer = await tpp.insist('DELETE', toPath(payment));
      if (answer.status === 204) payment.cancelled = answer.asked;
      refusal = answer.status === 400 ? answer.text : `${answer.status} ${answer.text}`;
    } else {
      refusal = await tpp.until(`accept ${paymentId}`, async () => {
        try {
          await tpp.call(paymentAuthorisation.identify, { paymentId, authorisationId, psuId });
          return 'accepted';
        } catch (error) {
          const [failure] = error instanceof CallFailed ? error.failures : [];
          if (failure === undefined || failure.failure === 'dependencyDown') throw error;
          return failure.failure;
        }
      });
    }
    if (/resourceBlocked|RESOURCE_BLOCKED/.test(refusal)) log.blocked += 1;
    else if (log.isCertain(basket.created))
      log.surprises.push(`payment ${paymentId} moved while it was in basket ${basket.basketId}: ${refusal}`);
  }
}

/** POSTs a basket. Returns undefined if it was refused because another basket contains one of the items. */
export const createBasket = async (
  { tpp, log }: ChaosWorld,
  { psuId }: Psu,
  items: Items,
): Promise<BasketRecord | undefined> => {
  const key = randomUUID();
  const answer = await tpp.insist('POST', basketsPath, {
    headers: { 'idempotency-key': key, ...tpp.registration },
    json: {
      paymentIds: items.payments.map(({ paymentId }) => paymentId),
      ...(items.consents.length === 0
        ? {}
        : { consentIds: items.consents.map(({ consentId }) => consentId) }),
    },
  });
  if (answer.status !== 201) {
    const isUndone = [...items.payments, ...items.consents].some((item) => !log.mustBeKnown(item));
    const isExpected =
      answer.text.includes('RESOURCE_BLOCKED') ||
      (isUndone && answer.text.includes('RESOURCE_UNKNOWN')) ||
      (answer.text.includes('REFERENCE_STATUS_INVALID') && (await isAnyRejected(tpp, items)));
    const ids = items.payments.map(({ paymentId }) => paymentId).join(', ');
    log.refusedBaskets.push(`of ${ids} after ${answer.tries} tries: ${answer.text}`);
    if (!isExpected) log.surprises.push(`POST basket answered ${answer.status}: ${answer.text}`);
    return undefined;
  }
  const { basketId, _links } = parseJson<{ basketId: string; _links: { scaRedirect: { href: string } } }>(
    answer,
  );
  const authorisationId = _links.scaRedirect.href.split('/').at(-1) ?? '';
  const seen = [{ status: 'RCVD', asked: answer.asked }];
  const basket: BasketRecord = {
    key,
    psuId,
    basketId,
    authorisationId,
    created: answer.asked,
    seen,
    ...items,
  };
  log.baskets.push(basket);
  return basket;
};

/**
 * True if one of the payments expired before it could be signed, because the clock moved while the client was
 * waiting for responses.
 */
const isAnyRejected = async (tpp: ChaosWorld['tpp'], { payments }: Items): Promise<boolean> => {
  for (const payment of payments) if ((await tpp.status(payment)) === 'RJCT') return true;
  return false;
};

/** Signs the basket and thereby all its items. */
export const signBasket = async ({ tpp }: ChaosWorld, basket: BasketRecord): Promise<void> => {
  await tpp.signBasket(basket);
  const { signed } = basket;
  if (signed === undefined) return;
  for (const payment of basket.payments) payment.signed = signed;
  for (const consent of basket.consents) consent.authorised = signed;
};
