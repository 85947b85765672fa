import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { controllerFor } from '@xs2a/calls/handlers';
import { PUBLISHED, Publisher } from '@xs2a/event-store/publishing/publisher';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import { PaymentSigning } from './authorise/payment-signing.js';
import { Expiry } from './background/expiry.js';
import { PaymentFigures } from './background/payment-figures.js';
import { publishedStreams } from './background/published-streams.js';
import { PaymentProjections } from './background/projections/projections.js';
import { BASKET_STORE } from './baskets/basket-store.js';
import { BasketsModule } from './baskets/baskets.module.js';
import { commands } from './commands.js';
import { queries } from './queries.js';
import { PaymentFinder } from './read/payment-finder.js';
import { PaymentReads } from './read/payment-reads.js';
import { PaymentStoreModule } from './store/payment-store.module.js';
import { PAYMENT_STORE } from './store/payment-store.js';

/** The only writer of payments and signing baskets. Each NATS call becomes a command or a query. */
@Module({
  imports: [CqrsModule.forRoot(), PaymentStoreModule, BasketsModule],
  controllers: [controllerFor([...commands, ...queries])],
  providers: [
    ...commands,
    ...queries,
    PaymentReads,
    PaymentFinder,
    PaymentSigning,
    Expiry,
    PaymentFigures,
    PaymentProjections,
    {
      provide: PUBLISHED,
      useFactory: publishedStreams,
      inject: [PAYMENT_STORE, BASKET_STORE, POOL, Clock],
    },
    Publisher,
  ],
})
export class PaymentsModule {}
