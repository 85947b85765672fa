import { type Answer, jsonOf } from '@xs2a/sandbox/http';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConsentRecord } from './client-log.js';
import { Random } from './random.js';
import { sandboxNow } from './due-left.js';
import { GaveUp } from './steady-tpp.js';
import type { ChaosWorld, Psu } from './world.js';

/** Another bank's account in Bulgaria, from the fixtures. */
const elsewhere = 'BG26RZBB91551023456789';
/** Clients that pay at once, unless said. */
export const usualPayers = 5;
const readers = 1;
/** Two of these run out of money soon, so that payments without funds are part of it. */
const openings = ['1000000.00', '1000000.00', '1000000.00', '300.00', '50.00', '1000000.00'];

/**
 * Clients that pay, cancel and read as long as they are let, one request at a time each; what they begin they finish.
 * Their choices come from the seed, how far they get depends on the machine.
 */
export class Load {
  private stopping = false;
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly world: ChaosWorld,
    private readonly psus: readonly Psu[],
    private readonly seed: number,
    private readonly payers: number,
  ) {}

  static async prepare(world: ChaosWorld, seed: number, payers: number): Promise<Load> {
    const psus: Psu[] = [];
    for (const opening of openings) psus.push(await world.psu(opening));
    return new Load(world, psus, seed, payers);
  }

  get ibans(): readonly string[] {
    return this.psus.flatMap(({ accounts }) => accounts.map(({ iban }) => iban));
  }

  start(): void {
    const clients = [
      ...Array.from({ length: this.payers }, (_, index) => ({
        random: new Random(this.seed * 31 + index),
        round: async (random: Random) => this.pay(random),
      })),
      ...Array.from({ length: readers }, (_, index) => ({
        random: new Random(this.seed * 37 + index),
        round: async () => this.readAlone(),
      })),
    ];
    this.running = Promise.all([
      ...clients.map(async ({ random, round }) => this.rounds(async () => round(random))),
      this.rounds(async () => this.letTimePass()),
    ]);
  }

  /** Lets every client finish what it began. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async rounds(round: () => Promise<void>): Promise<void> {
    while (!this.stopping) {
      try {
        await round();
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        this.world.log.surprises.push(error instanceof GaveUp ? `no recovery: ${text}` : text);
        await wait(200);
      }
    }
  }

  private async pay(random: Random): Promise<void> {
    const { tpp } = this.world;
    const psu = random.pick(this.psus);
    const debtorIban = psu.accounts[0]?.iban ?? '';
    const others = this.ibans.filter((iban) => iban !== debtorIban);
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

  /** A consent, its authorisation at the pages, and more reads without the PSU than it allows. */
  private async readAlone(): Promise<void> {
    const { tpp, log } = this.world;
    const psu = this.psus[0];
    if (psu === undefined) return;
    const consent = await this.newConsent(psu);
    const { access_token: token } = await tpp.authorised(psu, 'PSP_AI', consent.consentId);
    consent.valid = true;
    const headers = { 'consent-id': consent.consentId };
    for (let reads = 0; reads < 7 && !this.stopping; reads += 1) {
      const answer = await tpp.until<Answer>('GET /v1/accounts', async () => {
        const tried = await tpp.tpp.call('GET', '/v1/accounts', token, { headers });
        return tried.status < 500 ? tried : undefined;
      });
      if (answer.status === 200)
        consent.unattended.set('accounts', (consent.unattended.get('accounts') ?? 0) + 1);
      else if (answer.status === 401) return;
      else if (answer.status !== 429)
        log.surprises.push(`GET /v1/accounts answered ${answer.status}: ${answer.text}`);
    }
  }

  private async newConsent(psu: Psu): Promise<ConsentRecord> {
    const { tpp, log, schemas } = this.world;
    const references = psu.accounts.map(({ iban }) => ({ iban }));
    const key = randomUUID();
    const now = await tpp.until('the time', async () => sandboxNow(schemas));
    const answer = await tpp.insist('POST', '/v1/consents', {
      headers: { 'idempotency-key': key, 'psu-id': psu.psuId },
      json: {
        access: { accounts: references, balances: references, transactions: references },
        recurringIndicator: true,
        validUntil: new Date(Date.parse(now) + 30 * 86_400_000).toISOString().slice(0, 10),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
    });
    if (answer.status !== 201) throw new Error(`POST consent answered ${answer.status}: ${answer.text}`);
    const { consentId } = jsonOf<{ consentId: string }>(answer);
    const consent: ConsentRecord = { key, consentId, valid: false, unattended: new Map() };
    log.consents.push(consent);
    return consent;
  }

  /** Settlement is a minute away: let half of it pass now and then, while payments are being cancelled. */
  private async letTimePass(): Promise<void> {
    await wait(700);
    if (!this.stopping) await this.world.advance('PT20S');
  }
}
