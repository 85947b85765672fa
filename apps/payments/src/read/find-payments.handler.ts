import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import {
  findPayments,
  type FoundPayment,
  type FoundPayments,
  type PaymentSearch,
} from '@xs2a/contracts/payments.contract';
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

/** The bank's operator looks for payments (docs/how-to/operate.md). */
export class FindPayments extends QueryOf(findPayments) {}

/**
 * Reads the candidates from the columns of the status view and, if the search is in encrypted data, decrypts each of
 * them. Nothing is returned before the search is recorded.
 */
@QueryHandler(FindPayments)
export class FindPaymentsHandler implements IQueryHandler<FindPayments> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly settings: Pick<ConfigOf<typeof config>, 'MASTER_KEYS'>,
  ) {}

  async execute({ request }: FindPayments): Promise<FoundPayments> {
    mustBeSearch(request);
    const { lastFour, payee, endToEndId } = request;
    const { payments, total, isOutdated } = await readCandidates(this.pool, request, this.profile.timeZone);
    const isInEncrypted = [lastFour, payee, endToEndId].some((text) => text !== undefined);
    const { found, searched } = isInEncrypted
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
    };
  }

  /** Compares payments with the search. A payment that cannot be read is not counted as searched. */
  private async compare(
    payments: readonly FoundPayment[],
    search: OrderSearch,
  ): Promise<{ readonly found: readonly FoundPayment[]; readonly searched: number }> {
    const matching = new Set<string>();
    let searched = 0;
    const bulks = payments.filter(({ service }) => service === 'bulk-payments');
    const others = payments.filter(({ service }) => service !== 'bulk-payments');
    for (const page of [...pagesOf(others, readTogether), ...pagesOf(bulks, bulksTogether)]) {
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
    return { found: payments.filter(({ paymentId }) => matching.has(paymentId)), searched };
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

/** Returns the ids of the payments, a number of them at a time. */
const pagesOf = (payments: readonly FoundPayment[], size: number): string[][] =>
  Array.from({ length: Math.ceil(payments.length / size) }, (_, page) =>
    payments.slice(page * size, (page + 1) * size).map(({ paymentId }) => paymentId),
  );
