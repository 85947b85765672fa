import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuthorisationsController } from './authorise/authorisations.controller.js';
import { DebtorAccounts } from './authorise/debtor-accounts.js';
import { StartAuthorisationController } from './authorise/start-authorisation.controller.js';
import { Expiry } from './background/expiry.js';
import { HousekeepingController } from './background/housekeeping.controller.js';
import { NotificationsController } from './background/notifications.controller.js';
import { PaymentProjections } from './background/projections/projections.js';
import { PaymentPublisher } from './background/publisher.js';
import { BasketAuthorisationsController } from './baskets/basket-authorisations.controller.js';
import { BasketConsents } from './baskets/basket-consents.js';
import { BasketItems } from './baskets/basket-items.js';
import { BasketReads } from './baskets/basket-reads.js';
import { BasketStore } from './baskets/basket-store.js';
import { BasketSweep } from './baskets/basket-sweep.js';
import { BasketsController } from './baskets/baskets.controller.js';
import { UpdateItems } from './baskets/update-items.js';
import { commands } from './commands.js';
import { CreatePaymentController } from './create/create-payment.controller.js';
import { EndPaymentController } from './end/end-payment.controller.js';
import { queries } from './queries.js';
import { PaymentReads } from './read/payment-reads.js';
import { ReadPaymentController } from './read/read-payment.controller.js';
import { SettlementController } from './settle/settlement.controller.js';
import { PaymentStore } from './store/payment-store.js';

/** The only writer of payments. Controllers take calls from NATS and give each to the CommandBus or the QueryBus. */
@Module({
  imports: [CqrsModule.forRoot()],
  controllers: [
    CreatePaymentController,
    StartAuthorisationController,
    EndPaymentController,
    ReadPaymentController,
    AuthorisationsController,
    BasketsController,
    BasketAuthorisationsController,
    SettlementController,
    NotificationsController,
    HousekeepingController,
  ],
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
