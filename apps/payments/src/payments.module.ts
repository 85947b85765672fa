import { Module } from '@nestjs/common';
import { AuthorisationsController } from './authorisations.controller.js';
import { BasketAuthorisationsController } from './baskets/basket-authorisations.controller.js';
import { BasketItems } from './baskets/basket-items.js';
import { BasketReads } from './baskets/basket-reads.js';
import { BasketStore } from './baskets/basket-store.js';
import { BasketSweep } from './baskets/basket-sweep.js';
import { BasketsController } from './baskets/baskets.controller.js';
import { BasketCreation } from './baskets/create-basket.js';
import { FurtherBasketAuthorisation } from './baskets/further-authorisation.js';
import { UpdateItems } from './baskets/update-items.js';
import { Clearing } from './clearing.js';
import { DebtorAccounts } from './debtor-accounts.js';
import { Expiry } from './expiry.js';
import { HousekeepingController } from './housekeeping.controller.js';
import { FurtherAuthorisation } from './further-authorisation.js';
import { Initiation } from './initiation.js';
import { NotificationsController } from './notifications.controller.js';
import { PaymentLog } from './payment-log.js';
import { PaymentReads } from './payment-reads.js';
import { PaymentStore } from './payment-store.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentProjections } from './projections.js';
import { SettlementController } from './settlement.controller.js';

/** The only writer of payments. */
@Module({
  controllers: [
    PaymentsController,
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
