import type { HoldOrder, HoldResult } from '@xs2a/contracts/accounts.contract';
import type { HoldRefusalReason } from '@xs2a/domain/payment/payment-events';
import type { PostResult } from '../../port/booking.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SimulatedOutcome } from './simulation.dto.js';
import { play, type Simulations } from './simulations.js';

/** Simulated outcomes that refuse a hold. */
const refusals: Readonly<Partial<Record<SimulatedOutcome, HoldRefusalReason>>> = {
  'insufficient-funds': 'insufficient-funds',
  'instant-limit': 'limit-exceeded',
};

/** The ledger with the outcomes that a TPP asked to simulate (simulations.ts). */
export class SimulatedBooking {
  constructor(
    private readonly ledger: Ledger,
    private readonly simulations: Simulations,
  ) {}

  async placeHolds(orders: readonly HoldOrder[]): Promise<readonly HoldResult[]> {
    const simulated = await this.simulations.ofAccounts(orders.map(({ order }) => order.debtorIban));
    if (simulated.size === 0) return this.ledger.placeHolds(orders);
    // The caller then repeats the payments one by one, so that this PSU's simulated outage does not delay the
    // payments of other PSUs.
    if (orders.length > 1 && [...simulated.values()].includes('core-bank-down')) throw new OneByOneRequired();
    const met = new Map<string, SimulatedOutcome>();
    for (const { paymentId, order, instant } of orders.filter(({ order }) =>
      simulated.has(order.debtorIban),
    )) {
      const outcome =
        (await this.simulations.takeForPayment(paymentId, order.debtorIban)) ??
        (instant && (await this.simulations.takeForInstant(paymentId, order.debtorIban, ['instant-limit'])));
      if (outcome !== undefined) met.set(paymentId, outcome);
    }
    for (const outcome of new Set(met.values())) await play(outcome);
    const refusalOf = ({ paymentId }: HoldOrder): HoldRefusalReason | undefined =>
      refusals[met.get(paymentId) ?? 'none'];
    const held = await this.ledger.placeHolds(orders.filter((order) => refusalOf(order) === undefined));
    const results = new Map(held.map((result) => [result.paymentId, result]));
    return orders.map((order): HoldResult => {
      const { paymentId } = order;
      return (
        results.get(paymentId) ?? {
          paymentId,
          held: false,
          reason: refusalOf(order) ?? 'insufficient-funds',
        }
      );
    });
  }

  postHolds(paymentIds: readonly string[]): Promise<readonly PostResult[]> {
    return this.ledger.postHolds(paymentIds);
  }

  voidHolds(paymentIds: readonly string[]): Promise<void> {
    return this.ledger.voidHolds(paymentIds);
  }
}

/**
 * This fault makes the settlement worker continue with one payment at a time, which a real outage of the bank
 * would not do.
 */
class OneByOneRequired extends Error {
  override readonly name = 'OneByOneRequired';
}
