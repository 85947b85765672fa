import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { controllerFor } from '@xs2a/calls/handlers';
import { DebtorAccounts } from './authorise/debtor-accounts.js';
import { Expiry } from './background/expiry.js';
import { PaymentProjections } from './background/projections/projections.js';
import { PaymentPublisher } from './background/publisher.js';
import { BasketConsents } from './baskets/basket-consents.js';
import { BasketItems } from './baskets/basket-items.js';
import { BasketReads } from './baskets/basket-reads.js';
import { BasketStore } from './baskets/basket-store.js';
import { BasketSweep } from './baskets/basket-sweep.js';
import { UpdateItems } from './baskets/update-items.js';
import { commands } from './commands.js';
import { queries } from './queries.js';
import { PaymentReads } from './read/payment-reads.js';
import { PaymentStore } from './store/payment-store.js';

/** The only writer of payments. Each call from NATS is a command or a query. */
@Module({
  imports: [CqrsModule.forRoot()],
  controllers: [controllerFor([...commands, ...queries])],
  providers: [
    ...commands,
    ...queries,
    PaymentStore,
    PaymentReads,
    DebtorAccounts,
    BasketStore,
    BasketItems,
    BasketConsents,
    BasketReads,
    UpdateItems,
    BasketSweep,
    Expiry,
    PaymentPublisher,
    PaymentProjections,
  ],
})
export class PaymentsModule {}
