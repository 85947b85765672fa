import { Inject, Injectable } from '@nestjs/common';
import { callContext } from '@xs2a/calls/context';
import { deadlineAfter, lateBy } from '@xs2a/calls/deadline';
import {
  type FoundPayment,
  type FoundPayments,
  type PaymentSearch,
  longestSearchMs,
} from '@xs2a/contracts/console/payment-search.contract';
import { recordRequest } from '@xs2a/custody/personal-data/erasures';
import { readTagger } from '@xs2a/custody/personal-data/person-tags';
import { matchesSearch, type OrderSearch } from '@xs2a/domain/payment/payment-search';
import { listOrders } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import { archivedMonths } from '@xs2a/event-store/months/archived-months';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { CONFIG, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import type { config } from '../config.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { mustBeSearch } from './check-search.js';
import { readCandidates } from './payment-candidates.js';

/**
 * The maximum number of payments decrypted at a time, so that other calls are answered in between. The state of a bulk
 * payment may be as large as half a megabyte.
 */
const readTogether = 50;
const bulksTogether = 4;

/** Milliseconds before the caller stops waiting that a search needs to record itself and to answer. */
const reserveMs = 1000;

/**
 * Reads the candidates of a search from the columns of the status view and, if it is in encrypted data, decrypts each of them,
 * as long as the caller waits. Nothing is returned before the search is recorded.
 */
@Injectable()
export class PaymentFinder {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly settings: Pick<ConfigOf<typeof config>, 'MASTER_KEYS'>,
  ) {}

  async find(request: PaymentSearch): Promise<FoundPayments> {
    mustBeSearch(request);
    const { lastFour, payee, endToEndId } = request;
    const { payments, total, isOutdated } = await readCandidates(this.pool, request, this.profile.timeZone);
    const isInEncrypted = [lastFour, payee, endToEndId].some((text) => text !== undefined);
    const { found, searched, isCut } = isInEncrypted
      ? await this.compare(payments, { lastFour, payee, endToEndId })
      : { found: payments, searched: payments.length };
    if (isInEncrypted || request.psuId !== undefined) await this.record(request, searched);
    return {
      payments: found.slice(0, request.limit),
      found: found.length,
      searched,
      candidates: total,
      archivedMonths: await this.archivedMonthsOf(request.day),
      isOutdated,
      isCut,
    };
  }

  /** Compares payments with the search. A payment that cannot be read is not counted as searched. */
  private async compare(
    payments: readonly FoundPayment[],
    search: OrderSearch,
  ): Promise<{ readonly found: readonly FoundPayment[]; readonly searched: number; readonly isCut?: true }> {
    const matching = new Set<string>();
    const result = () => payments.filter(({ paymentId }) => matching.has(paymentId));
    const deadline = readDeadline();
    let searched = 0;
    const bulks = payments.filter(({ service }) => service === 'bulk-payments');
    const others = payments.filter(({ service }) => service !== 'bulk-payments');
    for (const page of [...pagesOf(others, readTogether), ...pagesOf(bulks, bulksTogether)]) {
      if (lateBy(deadline) >= -reserveMs) return { found: result(), searched, isCut: true };
      const { rows } = await this.pool.query<StateRow>({
        name: 'payments-to-compare',
        text: `SELECT stream_id, version, state, ${streamKeyOf('v')} AS stream_key FROM payment_view v
          WHERE stream_id = ANY($1::uuid[])`,
        values: [page],
      });
      const states = await this.store.many.readReadableStates(rows);
      for (const state of states) {
        if (state === undefined) continue;
        searched += 1;
        if (matchesSearch(listOrders(state), search)) matching.add(state.paymentId);
      }
    }
    return { found: result(), searched };
  }

  private async record({ psuId, operator, reason = '' }: PaymentSearch, searched: number): Promise<void> {
    const tagger = await readTagger(this.pool, this.settings.MASTER_KEYS);
    await recordRequest(this.pool, {
      at: new Date(this.clock.nowMs()),
      operator,
      act: 'search',
      asked: psuId === undefined ? [] : tagger.ofLogged({ psuIds: [psuId], ibans: [] }),
      streams: searched,
      reason,
    });
  }

  /** A day of the bank may be in two months, because payments are archived by months in UTC. */
  private async archivedMonthsOf(day: string): Promise<string[]> {
    const { timeZone } = this.profile;
    const [start, end] = [startOfBankDay(day, timeZone), startOfBankDay(addDays(day, 1), timeZone)];
    const lastMs = new Date(Date.parse(end) - 1).toISOString();
    const months = [...new Set([start.slice(0, 7), lastMs.slice(0, 7)])];
    const archived = await Promise.all(months.map(async (month) => archivedMonths(this.pool, month)));
    return months.filter((_, index) => archived[index]?.some(({ detachedAt }) => detachedAt !== null));
  }
}

/** When the caller of the call that is being handled stops waiting, in milliseconds since 1970. */
const readDeadline = (): number => callContext.getStore()?.deadline ?? deadlineAfter(longestSearchMs);

/** Returns the ids of the payments, a number of them at a time. */
const pagesOf = (payments: readonly FoundPayment[], size: number): string[][] =>
  Array.from({ length: Math.ceil(payments.length / size) }, (_, page) =>
    payments.slice(page * size, (page + 1) * size).map(({ paymentId }) => paymentId),
  );
