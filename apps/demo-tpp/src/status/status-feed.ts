/** A status that the bank told of a payment, a standing order or a bulk. */
export interface ToldStatus {
  readonly transactionStatus: string;
  /** How many times the bank has told something of it: a page knows by it whether it has missed something. */
  readonly version: number;
}
type Listener = (status: ToldStatus) => void;

/** Beyond this the status that was told longest ago is forgotten: its page then shows what the bank answers, as ever. */
const maxPayments = 10_000;

/** The latest status of each payment that the bank told of, in this process's memory, and the open pages that wait for the next. */
export class StatusFeed {
  private readonly told = new Map<string, ToldStatus>();
  private readonly listeners = new Map<string, Set<Listener>>();

  latest(paymentId: string): ToldStatus | undefined {
    return this.told.get(paymentId);
  }

  tell(paymentId: string, transactionStatus: string): void {
    const status = { transactionStatus, version: (this.latest(paymentId)?.version ?? 0) + 1 };
    this.told.delete(paymentId);
    this.told.set(paymentId, status);
    const [oldest] = this.told.keys();
    if (this.told.size > maxPayments && oldest !== undefined) this.told.delete(oldest);
    for (const listener of this.listeners.get(paymentId) ?? []) listener(status);
  }

  /** Calls the listener with each status that comes after `version`, the latest one at once. Answers how to end it. */
  listen(paymentId: string, version: number, listener: Listener): () => void {
    const listeners = this.listeners.get(paymentId) ?? new Set();
    this.listeners.set(paymentId, listeners.add(listener));
    const latest = this.latest(paymentId);
    if (latest !== undefined && latest.version > version) listener(latest);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(paymentId);
    };
  }
}
