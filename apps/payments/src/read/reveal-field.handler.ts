import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { QueryOf } from '@xs2a/calls/handlers';
import { type RevealedField, revealPaymentField } from '@xs2a/contracts/console/reveal.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { revealablePaymentFields } from '@xs2a/domain/payment/payment-reveal';
import { listOrders } from '@xs2a/domain/payment/payment-state';
import { storedValues } from '@xs2a/domain/reveal';
import { isErased } from '@xs2a/resources/erased';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** One encrypted field of a payment, for the console, which has recorded who asks and why. */
export class RevealField extends QueryOf(revealPaymentField) {}

@QueryHandler(RevealField)
export class RevealFieldHandler implements IQueryHandler<RevealField> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
  ) {}

  async execute({ request: { id, field, entry = 1 } }: RevealField): Promise<RevealedField> {
    mustBeId(id);
    const wanted = revealablePaymentFields.get(field);
    if (wanted === undefined)
      throw callFailed('fieldMalformed', 'field', `Send ${[...revealablePaymentFields.keys()].join(', ')}.`);
    const payment = await this.store.load(id);
    if (payment === undefined) return { missing: (await isErased(this.pool, id)) ? 'erased' : 'unknown' };
    const entries = listOrders(payment.state).length;
    if (!Number.isInteger(entry) || entry < 1 || entry > entries)
      throw callFailed('fieldMalformed', 'entry', `Send a number from 1 to ${entries}.`);
    return { values: storedValues(wanted.read(payment.state, entry)) };
  }
}
