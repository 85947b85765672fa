import type { Loaded } from './prepare-append.js';

/**
 * For so many real milliseconds a stream is remembered: far less than it takes until a replica serves that may lack the
 * last commits. Nothing else can take a version back.
 */
const rememberedMs = 5000;

/**
 * How the streams that this process changed last stood then, so many of them. Only a place to begin at: another process
 * may have moved any of them on.
 */
export class RecentStreams<State> {
  private readonly kept = new Map<string, { readonly stream: Loaded<State>; readonly until: number }>();

  constructor(
    private readonly most: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Those of the streams that are remembered; they are forgotten, until somebody remembers what became of them. */
  take(streamIds: readonly string[]): Map<string, Loaded<State>> {
    const now = this.nowMs();
    const known = new Map<string, Loaded<State>>();
    for (const id of streamIds) {
      const one = this.kept.get(id);
      if (one === undefined) continue;
      this.kept.delete(id);
      if (one.until > now) known.set(id, one.stream);
    }
    return known;
  }

  /** Drops the one remembered longest ago when there are too many. */
  remember(streamId: string, stream: Loaded<State>): void {
    this.kept.delete(streamId);
    this.kept.set(streamId, { stream, until: this.nowMs() + rememberedMs });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
  }
}
