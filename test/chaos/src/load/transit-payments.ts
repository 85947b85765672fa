import { randomUUID } from 'node:crypto';
import type { Random } from '../faults/random.js';
import { Forgotten } from './steady-tpp.js';
import { elsewhere } from '@xs2a/test-support/requests';
import type { ChaosWorld, Psu } from '../world.js';

const people = 6;
const accountsEach = 10;
const atOnce = 8;

/**
 * Money that passes through empty accounts: for each account, one incoming payment and one outgoing payment of the
 * same amount, due at the same time. If they are settled in order, each outgoing payment is covered by the
 * incoming one. They do not fit into one batch.
 */
export class TransitPayments {
  private constructor(
    private readonly world: ChaosWorld,
    private readonly source: Psu,
    private readonly people: readonly Psu[],
    private readonly random: Random,
  ) {}

  static async open(world: ChaosWorld, source: Psu, random: Random): Promise<TransitPayments> {
    const opened: Psu[] = [];
    for (let index = 0; index < people; index += 1) opened.push(await world.psu('0.00', accountsEach));
    return new TransitPayments(world, source, opened, random);
  }

  get ibans(): readonly string[] {
    return this.people.flatMap(({ accounts }) => accounts.map(({ iban }) => iban));
  }

  /** Signs all payments, the incoming ones first. They become due a minute later on the sandbox clock. */
  async sign(): Promise<void> {
    const transits = this.people.flatMap(({ psuId, accounts }) =>
      accounts.map(({ iban }) => ({ psuId, iban, amount: this.random.between(100, 2000) })),
    );
    const from = { psuId: this.source.psuId, debtorIban: this.source.accounts[0]?.iban ?? '' };
    await this.payAll(transits.map(({ iban, amount }) => ({ ...from, creditorIban: iban, amount })));
    await this.payAll(
      transits.map(({ psuId, iban, amount }) => ({
        psuId,
        debtorIban: iban,
        creditorIban: elsewhere,
        amount,
      })),
    );
  }

  private async payAll(
    payments: readonly { psuId: string; debtorIban: string; creditorIban: string; amount: number }[],
  ): Promise<void> {
    const waiting = payments.values();
    const client = async (): Promise<void> => {
      for (const payment of waiting) {
        try {
          const { tpp } = this.world;
          // If all of them were pushed at once, there would be more notifications than one dispatcher can
          // send under load on two cores.
          await tpp.sign(await tpp.initiate({ key: randomUUID(), isPushed: false, ...payment }));
        } catch (error) {
          if (!(error instanceof Forgotten)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, client));
  }
}
