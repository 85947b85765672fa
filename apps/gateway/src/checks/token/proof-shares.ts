/**
 * Whose proofs may still be kept when the store of used proofs fills up. From half on, a TPP that holds more than its
 * share (one of as many parts as there are TPPs, and one for the next TPP) has to wait, so a flood stops itself and
 * nobody else. Counts are this gateway's own: behind a load balancer they are a sample of all.
 */
export class ProofShares {
  private current = new Map<string, number>();
  private previous = new Map<string, number>();
  private currentSince = 0;
  private total = 0;

  constructor(
    /** The time for which a proof is kept, in milliseconds. */
    private readonly keepMs: number,
    /** So many anybody may keep here, whatever others hold: this gateway may just have begun to count. */
    private readonly always: number,
  ) {}

  /** May this TPP's proof be kept while the store is so full (0 to 1)? `nowMs` is a real clock that never goes back. */
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

  /** Forgets proofs that are older than two lifetimes. */
  private rotate(nowMs: number): void {
    const age = nowMs - this.currentSince;
    if (age < this.keepMs) return;
    this.previous = age < 2 * this.keepMs ? this.current : new Map();
    this.current = new Map();
    this.currentSince = nowMs;
    this.total = [...this.previous.values()].reduce((sum, count) => sum + count, 0);
  }
}
