import { Module } from '@nestjs/common';
import { controllerFor } from '@xs2a/calls/handlers';
import { basketCommands } from '../commands.js';
import { basketQueries } from '../queries.js';
import { PaymentStoreModule } from '../store/payment-store.module.js';
import { BasketConsents } from './basket-consents.js';
import { BasketEvidence } from './basket-evidence.js';
import { BasketItems } from './basket-items.js';
import { BasketReads } from './basket-reads.js';
import { BasketSigning } from './basket-signing.js';
import { BASKET_STORE, basketStoreProvider } from './basket-store.js';
import { BasketSweep } from './basket-sweep.js';
import { UpdateItems } from './update-items.js';

/** Signing baskets (contract 10). */
@Module({
  imports: [PaymentStoreModule],
  controllers: [controllerFor([...basketCommands, ...basketQueries])],
  providers: [
    ...basketCommands,
    ...basketQueries,
    basketStoreProvider,
    BasketEvidence,
    BasketItems,
    BasketConsents,
    BasketReads,
    BasketSigning,
    UpdateItems,
    BasketSweep,
  ],
  exports: [BASKET_STORE, UpdateItems, BasketSweep],
})
export class BasketsModule {}
