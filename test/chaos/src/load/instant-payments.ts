import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../faults/random.js';
import { elsewhere } from '@xs2a/test-support/requests';
import type { ChaosWorld, Psu } from '../world.js';
import type { PaymentRecord } from './client-log.js';
import { instantForms } from './payment-forms.js';

/** Opening balances. The last account soon runs out of money, so that instant payments without funds occur. */
const openings = ['1000000.00', '1000000.00', '30.00'];
const maxEntries = 8;
/** Payees whose banks settle at once, with each result of the verification by name or by account (E8.2, E8.3). */
const settling = [
  elsewhere,
  'DE89370400440532013000',
  'BG14XSBV92001000000101',
  'BG84XSBV92001000000102',
  'BG57XSBV92001000000103',
  'BG30XSBV92001000000104',
  'BG03XSBV92001000000105',
  'BG73XSBV92001000000106',
];
/** Payees whose banks are offline, silent, reject the order, or settle after eight seconds (E8.2). */
const difficult = [
  'BG30XSBV92001000000201',
  'BG03XSBV92001000000202',
  'BG73XSBV92001000000203',
  'BG46XSBV92001000000204',
  'BG19XSBV92001000000205',
];

/**
 * Clients' instant payments and bulk payments of them, from separate accounts. Their payees are verified first, partly
 * on the pages, where a warning has to be confirmed.
 */
export class InstantPayments {
  private constructor(
    private readonly world: ChaosWorld,
    private readonly psus: readonly Psu[],
  ) {}

  static async open(world: ChaosWorld): Promise<InstantPayments> {
    const psus: Psu[] = [];
    for (const opening of openings) psus.push(await world.psu(opening));
    return new InstantPayments(world, psus);
  }

  get ibans(): readonly string[] {
    return this.psus.flatMap(({ accounts }) => accounts.map(({ iban }) => iban));
  }

  /** Initiates a payment or a bulk payment, usually signs it, sometimes tries to cancel it, and reads its status. */
  async pay(random: Random): Promise<void> {
    const { tpp } = this.world;
    const psu = random.pick(this.psus);
    const payment = await this.initiate(psu, random);
    if (random.chance(0.05)) return;
    if (random.chance(0.2)) await tpp.signAtPages(payment, psu);
    else await tpp.sign(payment);
    await tpp.status(payment);
    if (random.chance(0.1)) await tpp.cancel(payment);
    await wait(random.between(0, 1000));
    await tpp.status(payment);
  }

  private async initiate({ psuId, accounts }: Psu, random: Random): Promise<PaymentRecord> {
    const { tpp, log } = this.world;
    const debtorIban = accounts[0]?.iban ?? '';
    const isBulk = random.chance(0.15);
    const transfers = Array.from({ length: isBulk ? random.between(2, maxEntries) : 1 }, () => ({
      creditorIban: random.pick(random.chance(0.7) ? settling : difficult),
      amount: random.between(1, 900),
    }));
    const [first] = transfers;
    if (first === undefined) throw new RangeError('no transfer');
    const path = isBulk ? instantForms.bulkPath : instantForms.singlePath;
    const bodies = transfers.map(({ creditorIban, amount }) =>
      instantForms.transfer(debtorIban, creditorIban, amount),
    );
    const payments = bodies.map(({ debtorAccount: _ofTheBulk, ...entry }) => entry);
    const json = isBulk ? { debtorAccount: { iban: debtorIban }, payments } : (bodies[0] ?? {});
    const key = randomUUID();
    const payment: PaymentRecord = {
      key,
      path,
      psuId,
      debtorIban,
      creditorIban: first.creditorIban,
      amount: transfers.reduce((sum, { amount }) => sum + amount, 0),
      seen: [],
      ...(await tpp.post(path, key, json)),
    };
    log.instants.push(payment);
    return payment;
  }
}
