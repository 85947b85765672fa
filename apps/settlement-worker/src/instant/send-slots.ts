import type { DueInstant } from '@xs2a/contracts/instant/instant.contract';

/** Orders that may be under way at the payees' banks at the same time: in all, of bulk payments, and of one debtor account. */
const maxOrders = 200;
const maxOfBulks = 150;
const maxOfAccount = 20;

/** An order that is to be sent. */
export interface SlotWish {
  readonly debtorIban: string;
  /** True for an entry of a bulk payment. These leave slots free for single payments, whose time has begun. */
  readonly isEntry: boolean;
}

/**
 * Limits the orders under way, because each occupies the accounts service until the payee's bank answers or the deadline
 * passes. Orders to silent banks must not keep other calls, or other accounts' orders, from the accounts service.
 */
export class SendSlots {
  private readonly byAccount = new Map<string, number>();
  private orders = 0;
  private ofBulks = 0;
  private change = Promise.withResolvers<void>();

  /** Takes a slot; false if there is none now. */
  take({ debtorIban, isEntry }: SlotWish): boolean {
    const ofAccount = this.byAccount.get(debtorIban) ?? 0;
    if (this.orders >= maxOrders || ofAccount >= maxOfAccount || (isEntry && this.ofBulks >= maxOfBulks))
      return false;
    this.byAccount.set(debtorIban, ofAccount + 1);
    this.orders += 1;
    if (isEntry) this.ofBulks += 1;
    return true;
  }

  /** Gives a taken slot back. */
  free({ debtorIban, isEntry }: SlotWish): void {
    const ofAccount = this.byAccount.get(debtorIban) ?? 0;
    if (ofAccount > 1) this.byAccount.set(debtorIban, ofAccount - 1);
    else this.byAccount.delete(debtorIban);
    this.orders -= 1;
    if (isEntry) this.ofBulks -= 1;
    this.change.resolve();
    this.change = Promise.withResolvers();
  }

  /** Waits for a slot and takes it; false if `end` aborts first. */
  async wait(wish: SlotWish, end: AbortSignal): Promise<boolean> {
    const ended = new Promise<unknown>((resolve) => end.addEventListener('abort', resolve, { once: true }));
    while (!end.aborted) {
      if (this.take(wish)) return true;
      await Promise.race([this.change.promise, ended]);
    }
    return false;
  }
}

export const toWish = ({ order, partOf }: Pick<DueInstant, 'order' | 'partOf'>): SlotWish => ({
  debtorIban: order.debtorIban,
  isEntry: partOf !== undefined,
});
