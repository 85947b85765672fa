interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
  readonly keptAtMs: number;
}

/** Estimated bytes of memory that an entry takes beside its value. */
const bytesBeside = 1024;

/** A cache of the values used last, bounded in bytes and in time. */
export class BoundedMemory<Value> {
  private readonly entries = new Map<string, Kept<Value>>();
  private bytes = 0;

  /** `nowMs`: of a clock that only runs forward. */
  constructor(
    private readonly options: {
      readonly maxBytes: number;
      readonly forMs: number;
      readonly nowMs?: () => number;
    },
  ) {}

  get(key: string): Value | undefined {
    const kept = this.remove(key);
    if (kept === undefined || this.nowMs() - kept.keptAtMs > this.options.forMs) return undefined;
    this.add(key, kept);
    return kept.value;
  }

  /** `buffer`: what it holds most of; a short text is a part of a buffer that it shares with others, and holds all of it. */
  set(key: string, value: Value, { buffer }: Pick<Uint8Array, 'buffer'>): void {
    this.remove(key);
    const bytes = buffer.byteLength + bytesBeside;
    // One that would drive out many others is not worth it.
    if (bytes > this.options.maxBytes / 16) return;
    this.add(key, { value, bytes, keptAtMs: this.nowMs() });
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.options.maxBytes) break;
      this.remove(oldest);
    }
  }

  private nowMs(): number {
    return this.options.nowMs?.() ?? performance.now();
  }

  private add(key: string, kept: Kept<Value>): void {
    this.entries.set(key, kept);
    this.bytes += kept.bytes;
  }

  private remove(key: string): Kept<Value> | undefined {
    const kept = this.entries.get(key);
    if (kept === undefined) return undefined;
    this.entries.delete(key);
    this.bytes -= kept.bytes;
    return kept;
  }
}
