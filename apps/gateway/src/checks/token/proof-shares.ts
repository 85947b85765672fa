/**
 * Decides whose proofs are still stored when the store of used proofs fills up. Once the store is half full, a TPP
 * that has stored more than its share (the size of the store divided by the number of TPPs plus one) has to wait,
 * so a flood affects only the TPP that causes it. Each gateway counts its own proofs; behind a load balancer, they
 * are a sample of the total.
 */
export class ProofShares {
  private current = new Map<string, number>();
  private previous = new Map<string, number>();
  private currentSince = 0;
  private total = 0;

  constructor(
    /** How long a proof is stored, in milliseconds. */
    private readonly keepMs: number,
    /**
     * The number of proofs that every TPP may store in any case, because this gateway may have started to count
     * only recently.
     */
    private readonly always: number,
  ) {}

  /**
   * True if this TPP's proof may be stored at this fill level (0 to 1). `nowMs` is read from a monotonic real-time
   * clock.
   */
  admits(tppId: string, fill: number, nowMs: number): boolean {
    this.rotate(nowMs);
    const own = this.countProofs(tppId);
    if (fill < 0.5 || own < this.always) return true;
    const active = new Set([...this.current.keys(), ...this.previous.keys(), tppId]).size;
    return own * (active + 1) <= this.total;
  }

  kept(tppId: string): void {
    this.current.set(tppId, (this.current.get(tppId) ?? 0) + 1);
    this.total += 1;
  }

  private countProofs(tppId: string): number {
    return (this.current.get(tppId) ?? 0) + (this.previous.get(tppId) ?? 0);
  }

  /** Drops proofs that are older than two lifetimes. */
  private rotate(nowMs: number): void {
    const age = nowMs - this.currentSince;
    if (age < this.keepMs) return;
    this.previous = age < 2 * this.keepMs ? this.current : new Map();
    this.current = new Map();
    this.currentSince = nowMs;
    this.total = [...this.previous.values()].reduce((sum, count) => sum + count, 0);
  }
}
