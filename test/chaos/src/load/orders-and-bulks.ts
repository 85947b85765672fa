import { parseJson } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import type { PaymentRecord } from './client-log.js';
import type { PaymentForms } from './payment-forms.js';
import type { Random } from '../faults/random.js';
import { isUnknown, toPath } from './steady-tpp.js';
import { elsewhere } from '@xs2a/test-support/requests';
import type { ChaosWorld, Psu } from '../world.js';

/**
 * Opening balances. The last account soon runs out of money, so occurrences are skipped and bulk payments are only
 * partly paid.
 */
const openings = ['1000000.00', '1000000.00', '40.00'];
const maxEntries = 40;

/**
 * Clients' periodic orders and bulk payments, from separate accounts so that they do not affect the balances of
 * other clients. The first occurrence of an order becomes due a minute later on the sandbox clock, as does a bulk
 * payment.
 */
export class OrdersAndBulks {
  private constructor(
    private readonly world: ChaosWorld,
    private readonly psus: readonly Psu[],
  ) {}

  static async open(world: ChaosWorld): Promise<OrdersAndBulks> {
    const psus: Psu[] = [];
    for (const opening of openings) psus.push(await world.psu(opening));
    return new OrdersAndBulks(world, psus);
  }

  /** Initiates an order or a bulk payment, usually signs it, and sometimes cancels it. */
  async pay(random: Random, startDate: string): Promise<void> {
    const { tpp } = this.world;
    const order = {
      path: tpp.forms.orderPath,
      amount: random.between(1, 900),
      json: { startDate, frequency: 'Daily' },
    };
    const psu = random.pick(this.psus);
    const payment = await this.initiate(psu, random.chance(0.6) ? order : makeBulk(random, tpp.forms));
    if (random.chance(0.05)) return;
    await tpp.sign(payment);
    if (random.chance(0.2)) await tpp.cancel(payment);
    await tpp.status(payment);
  }

  /** Initiates a bulk payment without signing it. */
  async initiateBulk(psu: Psu, random: Random): Promise<PaymentRecord> {
    return this.initiate(psu, makeBulk(random, this.world.tpp.forms));
  }

  private async initiate(
    { psuId, accounts }: Psu,
    { path, amount, json }: { readonly path: string; readonly amount: number; readonly json: object },
  ): Promise<PaymentRecord> {
    const { tpp, log } = this.world;
    const debtorIban = accounts[0]?.iban ?? '';
    const key = randomUUID();
    const order = path === tpp.forms.bulkPath ? {} : toEntry(amount, tpp.forms);
    const body = { debtorAccount: { iban: debtorIban }, ...order, ...json };
    const payment: PaymentRecord = {
      key,
      path,
      debtorIban,
      creditorIban: elsewhere,
      amount,
      psuId,
      seen: [],
      ...(await tpp.post(path, key, body)),
    };
    log.ordersAndBulks.push(payment);
    return payment;
  }
}

const makeBulk = (random: Random, forms: PaymentForms) => {
  const amounts = Array.from({ length: random.between(2, maxEntries) }, () => random.between(1, 900));
  return {
    path: forms.bulkPath,
    amount: amounts.reduce((sum, amount) => sum + amount, 0),
    json: {
      payments: amounts.map((amount) => toEntry(amount, forms)),
      batchBookingPreferred: random.chance(0.5),
    },
  };
};

const toEntry = (minor: number, forms: PaymentForms) => {
  const { debtorAccount: _ofTheOrder, ...entry } = forms.transfer('', elsewhere, minor);
  return entry;
};

/**
 * Returns one sentence for each contradiction between the service's data and the responses that clients received
 * about an order or bulk payment (invariant 3).
 */
export const orderFindings = async (
  { tpp, log }: Pick<ChaosWorld, 'tpp' | 'log'>,
  payment: PaymentRecord,
): Promise<readonly string[]> => {
  const { paymentId, signed, cancelled } = payment;
  const answer = await tpp.insist('GET', toPath(payment));
  if (isUnknown(answer.status) && !log.mustBeKnown(payment)) return [];
  if (answer.status !== 200) return [`payment ${paymentId} is lost: ${answer.status}`];
  const { transactionStatus: status } = parseJson<{ transactionStatus: string }>(answer);
  if (log.isCertain(cancelled))
    return status === 'CANC' ? [] : [`payment ${paymentId} was cancelled but is ${status}`];
  if (log.isCertain(signed) && ['RCVD', 'RJCT'].includes(status))
    return [`payment ${paymentId} was signed but is ${status}`];
  return [];
};
