import { Module } from '@nestjs/common';
import { AuthorisationsController } from './authorise/authorisations.controller.js';
import { BasketAuthorisationsController } from './baskets/basket-authorisations.controller.js';
import { BasketItems } from './baskets/basket-items.js';
import { BasketReads } from './baskets/basket-reads.js';
import { BasketStore } from './baskets/basket-store.js';
import { BasketSweep } from './baskets/basket-sweep.js';
import { BasketsController } from './baskets/baskets.controller.js';
import { BasketCreation } from './baskets/create-basket.js';
import { FurtherBasketAuthorisation } from './baskets/further-authorisation.js';
import { UpdateItems } from './baskets/update-items.js';
import { Clearing } from './end/clear-payments.js';
import { DebtorAccounts } from './authorise/debtor-accounts.js';
import { Expiry } from './background/expiry.js';
import { HousekeepingController } from './background/housekeeping.controller.js';
import { FurtherAuthorisation } from './authorise/further-authorisation.js';
import { Initiation } from './create/create-payment.js';
import { NotificationsController } from './background/notifications.controller.js';
import { PaymentLog } from './background/publisher.js';
import { PaymentReads } from './read/payment-reads.js';
import { PaymentStore } from './store/payment-store.js';
import { CancelPaymentController } from './end/cancel-payment.controller.js';
import { CreatePaymentController } from './create/create-payment.controller.js';
import { ReadPaymentController } from './read/read-payment.controller.js';
import { StartAuthorisationController } from './authorise/start-authorisation.controller.js';
import { PaymentProjections } from './background/projections/projections.js';
import { SettlementController } from './settle/settlement.controller.js';

/** The only writer of payments. */
@Module({
  controllers: [
    CreatePaymentController,
    StartAuthorisationController,
    CancelPaymentController,
    ReadPaymentController,
    AuthorisationsController,
    BasketsController,
    BasketAuthorisationsController,
    SettlementController,
    NotificationsController,
    HousekeepingController,
  ],
  providers: [
    PaymentStore,
    PaymentReads,
    DebtorAccounts,
    Initiation,
    FurtherAuthorisation,
    BasketStore,
    BasketItems,
    BasketReads,
    BasketCreation,
    FurtherBasketAuthorisation,
    UpdateItems,
    BasketSweep,
    Expiry,
    Clearing,
    PaymentLog,
    PaymentProjections,
  ],
})
export class PaymentsModule {}
