import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Asked } from './client-log.js';
import { Baskets } from './baskets.js';
import { createConsent } from './create-consent.js';
import { InstantPayments } from './instant-payments.js';
import { Random } from '../faults/random.js';
import { sandboxNow } from '@xs2a/invariants/due-left';
import { OrdersAndBulks } from './orders-and-bulks.js';
import { Forgotten, GaveUp } from './steady-tpp.js';
import { runLoad } from '@xs2a/test-support/load';
import { elsewhere } from '@xs2a/test-support/requests';
import { TransitPayments } from './transit-payments.js';
import type { ChaosWorld, Psu } from '../world.js';

/** The default number of concurrent paying clients. */
export const usualPayers = 5;
const betweenTransitsMs = 6000;
/** Opening balances. Two of the accounts soon run out of money, so that the load includes payments without funds. */
const openings = ['1000000.00', '1000000.00', '1000000.00', '300.00', '50.00', '1000000.00'];

/**
 * Clients that pay, cancel and read until they are stopped, each with one request at a time. They always complete
 * what they have started. The seed determines their choices; the number of rounds depends on the machine.
 */
export class Load {
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly world: ChaosWorld,
    private readonly psus: readonly Psu[],
    private readonly transits: TransitPayments,
    private readonly ordersAndBulks: OrdersAndBulks,
    private readonly baskets: Baskets,
    /** Absent if the bank has no instant payments. */
    private readonly instants: InstantPayments | undefined,
    private readonly seed: number,
    private readonly payers: number,
  ) {}

  static async prepare(world: ChaosWorld, seed: number, payers: number): Promise<Load> {
    const psus: Psu[] = [];
    for (const opening of openings) psus.push(await world.psu(opening));
    const [source] = psus;
    if (source === undefined) throw new RangeError('nobody pays');
    const transits = await TransitPayments.open(world, source, new Random(seed * 41));
    const ordersAndBulks = await OrdersAndBulks.open(world);
    const baskets = await Baskets.open(world, ordersAndBulks);
    const instants = world.isEuro ? await InstantPayments.open(world) : undefined;
    return new Load(world, psus, transits, ordersAndBulks, baskets, instants, seed, payers);
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  get ibans(): readonly string[] {
    return [
      ...this.customers,
      ...this.transits.ibans,
      ...this.baskets.ibans,
      ...(this.instants?.ibans ?? []),
    ];
  }

  private get customers(): readonly string[] {
    return this.psus.flatMap(({ accounts }) => accounts.map(({ iban }) => iban));
  }

  start(): void {
    const payers = Array.from({ length: this.payers }, (_, index) => new Random(this.seed * 31 + index));
    const standing = new Random(this.seed * 43);
    const grouping = new Random(this.seed * 47);
    const { instants } = this;
    const atOnce = instants === undefined ? [] : [new Random(this.seed * 53), new Random(this.seed * 59)];
    const rounds: readonly (() => Promise<void>)[] = [
      async () => this.payByOrder(standing),
      async () => this.baskets.round(grouping),
      ...payers.map((random) => async () => this.pay(random)),
      ...atOnce.map((random) => async () => instants?.pay(random)),
      async () => this.readAlone(),
      async () => this.passOn(),
      async () => this.letTimePass(),
    ];
    const options = { stop: this.stopping.signal, onError: async (error: unknown) => this.note(error) };
    this.running = Promise.all(rounds.map(async (round) => runLoad(round, options)));
  }

  /** Waits until every client has finished its current work. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async note(error: unknown): Promise<void> {
    if (error instanceof Forgotten) return;
    const text = error instanceof Error ? error.message : String(error);
    this.world.log.surprises.push(error instanceof GaveUp ? `no recovery: ${text}` : text);
    await wait(200);
  }

  private async pay(random: Random): Promise<void> {
    const { tpp } = this.world;
    const psu = random.pick(this.psus);
    const debtorIban = psu.accounts[0]?.iban ?? '';
    const others = this.customers.filter((iban) => iban !== debtorIban);
    const payment = await tpp.initiate(
      {
        key: randomUUID(),
        psuId: psu.psuId,
        debtorIban,
        creditorIban: random.chance(0.3) ? random.pick(others) : elsewhere,
        amount: random.between(1, 4000),
      },
      random.chance(0.1),
    );
    if (random.chance(0.05)) return;
    if (random.chance(0.03)) await tpp.signAtPages(payment, psu);
    else await tpp.sign(payment);
    if (random.chance(0.2)) await tpp.repeat(payment);
    const cancels = random.chance(0.2);
    await wait(random.between(0, cancels ? 1500 : 200));
    if (cancels) await tpp.cancel(payment);
    await tpp.status(payment);
  }

  private async payByOrder(random: Random): Promise<void> {
    const now = await this.world.tpp.until('the time', async () => sandboxNow(this.world.schemas));
    // A request may be retried for a while, and its date must not be in the past by then.
    const inAnHour = new Date(Date.parse(now) + 3_600_000);
    const startDate = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia' }).format(inAnHour);
    await this.ordersAndBulks.pay(random, startDate);
    await wait(random.between(0, 1000));
  }

  /** Creates a consent, authorises it on the pages, and reads more often without the PSU than it allows. */
  private async readAlone(): Promise<void> {
    const { tpp, log } = this.world;
    const psu = this.psus[0];
    if (psu === undefined) return;
    const consent = await createConsent(this.world, psu);
    const { access_token: token, asked } = await tpp.authorised(psu, 'PSP_AI', consent.consentId);
    consent.authorised = asked;
    const answered: Asked[] = [];
    consent.unattended.set('accounts', answered);
    for (let reads = 0; reads < 7 && !this.isStopping; reads += 1) {
      const answer = await tpp.readAlone(token, consent.consentId);
      if (answer.status === 200) answered.push(answer.asked);
      else if (answer.status === 401 || log.mayBeUndone(asked)) return;
      else if (answer.status !== 429)
        log.surprises.push(`GET /v1/accounts answered ${answer.status}: ${answer.text}`);
    }
  }

  /** Keeps the clock from moving until all payments are signed, so that they all become due at once. */
  private async passOn(): Promise<void> {
    for (let slept = 0; slept < betweenTransitsMs && !this.isStopping; slept += 100) await wait(100);
    if (this.isStopping) return;
    await this.world.whileClockStands(async () => this.transits.sign());
    await this.world.advance('PT61S');
  }

  /**
   * Moves the clock. Settlement starts a minute after the signature, and sometimes half of that time passes while
   * payments are being cancelled.
   */
  private async letTimePass(): Promise<void> {
    await wait(700);
    if (!this.isStopping && !this.world.clockStands) await this.world.advance('PT20S');
  }
}
