import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { LOGGER } from '@xs2a/runtime/tokens';
import { AccountInformation } from './accounts/account-information.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { FundsController } from './accounts/funds.controller.js';
import { Bank } from './bank/bank.js';
import { Initiations } from './bank/initiations.js';
import { BankLogin } from './bank/bank-login.js';
import { ConnectController } from './bank/connect.controller.js';
import { BasketsController } from './baskets/baskets.controller.js';
import { SigningBaskets } from './baskets/signing-baskets.js';
import { BudgetController } from './budget/budget.controller.js';
import { BulkPayments } from './bulk/bulk-payments.js';
import { BulksController } from './bulk/bulks.controller.js';
import type { config } from './config.js';
import { FundsConfirmation } from './accounts/funds-confirmation.js';
import { OrdersController } from './orders/orders.controller.js';
import { StandingOrders } from './orders/standing-orders.js';
import { PageAnswers } from './page/page-answers.js';
import { FilesController } from './page/files.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentInitiation } from './payments/payment-initiation.js';
import { Sessions } from './page/sessions.js';
import { InitiatedController } from './status/initiated.controller.js';
import { NotificationsController } from './status/notifications.controller.js';
import { StatusFeed } from './status/status-feed.js';
import { StatusNotifications } from './status/status-notifications.js';

export type Settings = ConfigOf<typeof config>;

@Module({})
export class DemoModule {
  static forRoot(parts: {
    readonly settings: Settings;
    readonly logger: Logger;
    readonly clock: Clock;
  }): DynamicModule {
    const { settings, logger, clock } = parts;
    const bank = new Bank(settings);
    const login = new BankLogin(bank, settings);
    const sessions = new Sessions(clock);
    const initiations = new Initiations(bank, settings.OWN_URL);
    const feed = new StatusFeed();
    return {
      module: DemoModule,
      controllers: [
        AccountsController,
        BasketsController,
        BudgetController,
        BulksController,
        ConnectController,
        FilesController,
        FundsController,
        InitiatedController,
        NotificationsController,
        OrdersController,
        PaymentsController,
      ],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: Sessions, useValue: sessions },
        { provide: PageAnswers, useValue: new PageAnswers(sessions, settings, logger) },
        { provide: StatusFeed, useValue: feed },
        {
          provide: StatusNotifications,
          useValue: new StatusNotifications(settings.BANK_URL, feed, clock),
        },
        { provide: AccountInformation, useValue: new AccountInformation(bank, login) },
        { provide: FundsConfirmation, useValue: new FundsConfirmation(bank, login) },
        { provide: PaymentInitiation, useValue: new PaymentInitiation(initiations) },
        { provide: StandingOrders, useValue: new StandingOrders(initiations) },
        { provide: SigningBaskets, useValue: new SigningBaskets(initiations) },
        { provide: BulkPayments, useValue: new BulkPayments(initiations) },
        { provide: BankLogin, useValue: login },
      ],
    };
  }
}
