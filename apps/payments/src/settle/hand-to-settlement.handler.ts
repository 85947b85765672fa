import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { handToSettlement } from '@xs2a/contracts/payments.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { nextDueAt } from '@xs2a/domain/payment/settlement/due';
import { rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import { waitingStreams } from '@xs2a/event-store/recovery/lost-events';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** An operator hands a payment to settlement whose row in the status view may be wrong. */
export class HandToSettlement extends CommandOf(handToSettlement) {}

/** Derives the payment's row from its events. An event that is appended at the same time writes the row itself, and wins. */
@CommandHandler(HandToSettlement)
export class HandToSettlementHandler implements ICommandHandler<HandToSettlement> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { paymentId } }: HandToSettlement): Promise<AnswerOf<typeof handToSettlement>> {
    mustBeId(paymentId, 'paymentId');
    // Ids are UUIDs of version 7; the neighbours of others may be none.
    if (paymentId[14] !== '7') throw callFailed('resourceUnknown');
    const { written, left } = await rebuildInlineView(this.pool, this.store, { only: paymentId });
    if (left.length > 0)
      throw callFailed('resourceUnknown', undefined, 'Its events cannot be read. Run xs2a doctor --deep.');
    const loaded = await this.store.load(paymentId);
    if (loaded === undefined) throw callFailed('resourceUnknown');
    const { state } = loaded;
    const dueAt = nextDueAt(state);
    const ids = state.basketId === undefined ? [paymentId] : [paymentId, state.basketId];
    return {
      transactionStatus: state.status,
      repaired: written > 0,
      ...(dueAt === undefined ? {} : { dueAt }),
      isDue: dueAt !== undefined && dueAt <= this.clock.now(),
      waits: (await waitingStreams(this.pool, ids)).size > 0,
    };
  }
}
