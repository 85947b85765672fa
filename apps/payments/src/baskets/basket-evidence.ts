import { Inject, Injectable } from '@nestjs/common';
import type { BasketEvent } from '@xs2a/domain/basket/basket-events';
import type { SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import { eventIn, readHistories } from '@xs2a/event-store/streams/stream-histories';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BASKET_STORE, type BasketStore } from './basket-store.js';

/** Reads what proves the signatures of a basket. It is only in the basket's events, not in its state. */
@Injectable()
export class BasketEvidence {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(BASKET_STORE) private readonly store: BasketStore,
  ) {}

  /** Returns the evidence by authorisation. */
  async of(basketId: string): Promise<ReadonlyMap<string, SignatureEvidence>> {
    const { personalData, eventTypes } = this.store.folding;
    const [history = []] = await readHistories(this.pool, [basketId], personalData);
    const given = history
      .filter(({ type }) => type === 'basket-signed' || type === 'basket-partly-signed')
      .map((row) => eventIn<Signed>(row, eventTypes).data);
    return new Map(
      given.flatMap(({ authorisationId, evidence }) =>
        evidence === undefined ? [] : [[authorisationId, evidence] as const],
      ),
    );
  }
}

type Signed = Extract<BasketEvent, { type: 'basket-signed' | 'basket-partly-signed' }>;
