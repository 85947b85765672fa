import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { type Asked, claimStatement, type Seen, seenIn, type SeenRow } from './claim-statement.js';

interface Waiting {
  readonly asked: Asked;
  /** Names the window it counts in; undefined: it counts nothing. */
  readonly window?: string;
  readonly resolve: (seen: Seen | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Two keep PostgreSQL busy while Node prepares the next one. */
const statementsInFlight = 2;
const largestBatch = 64;

/**
 * Asks about consents, many in one statement: what arrives while statements are in flight goes together in the next.
 * A statement counts once in each window; a second call there waits for the first.
 */
@Injectable()
export class ClaimQueue {
  private waiting: Waiting[] = [];
  private inFlight = 0;
  private scheduled = false;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Undefined: the TPP has no such consent. */
  async ask(asked: Asked): Promise<Seen | undefined> {
    const { counting } = asked;
    const window = counting && `${asked.consentId}/${counting.key.endpoint}/${counting.key.resourceId}`;
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, window, resolve, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      queueMicrotask(() => {
        this.scheduled = false;
        this.flush();
      });
    });
  }

  private flush(): void {
    while (this.inFlight < statementsInFlight && this.waiting.length > 0) {
      const batch = this.take();
      this.inFlight += 1;
      void this.send(batch).finally(() => {
        this.inFlight -= 1;
        this.flush();
      });
    }
  }

  private take(): Waiting[] {
    const windows = new Set<string>();
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const entry of this.waiting) {
      const { window } = entry;
      if (batch.length === largestBatch || (window !== undefined && windows.has(window))) {
        left.push(entry);
        continue;
      }
      if (window !== undefined) windows.add(window);
      batch.push(entry);
    }
    this.waiting = left;
    return batch;
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    try {
      const { rows } = await this.pool.query<SeenRow>(claimStatement(batch.map(({ asked }) => asked)));
      const seen = new Map(rows.map((row) => [row.n, seenIn(row)]));
      for (const [index, { resolve }] of batch.entries()) resolve(seen.get(index + 1));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
