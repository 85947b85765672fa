import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import { Bank } from './bank/bank.js';
import { Initiations } from './bank/initiations.js';
import { StatusFeed } from './bank/status-feed.js';
import type { Settings } from './config.js';
import { Sessions } from './page/session.js';
import { FrontRoutes } from './people/front.js';
import { AccountsRoutes } from './routes/accounts.js';
import { BasketsRoutes } from './routes/baskets.js';
import { BudgetRoutes } from './routes/budget.js';
import { BulksRoutes } from './routes/bulks.js';
import { ConnectRoutes } from './routes/connect.js';
import { FilesRoutes, UnknownRoutes } from './routes/files.js';
import { FundsRoutes } from './routes/funds.js';
import { NotificationsRoutes } from './routes/notifications.js';
import { OrdersRoutes } from './routes/orders.js';
import { PaymentsRoutes } from './routes/payments.js';
import { ReturnsRoutes } from './routes/returns.js';
import { PurchasesRoutes } from './shop/purchases.js';
import { ShopRoutes } from './shop/shop-routes.js';
import { SubscriptionRoutes } from './shop/subscription.js';
import { WireTap } from './wire/wire-tap.js';

@Module({})
export class DemoModule {
  static forRoot(parts: {
    readonly settings: Settings;
    readonly logger: Logger;
    readonly clock: Clock;
  }): DynamicModule {
    const { settings, logger, clock } = parts;
    const tap = new WireTap(clock);
    const bank = new Bank(settings, tap);
    return {
      module: DemoModule,
      controllers: [
        FrontRoutes,
        ConnectRoutes,
        AccountsRoutes,
        FundsRoutes,
        PaymentsRoutes,
        BudgetRoutes,
        OrdersRoutes,
        BulksRoutes,
        BasketsRoutes,
        ShopRoutes,
        SubscriptionRoutes,
        PurchasesRoutes,
        ReturnsRoutes,
        NotificationsRoutes,
        FilesRoutes,
        UnknownRoutes,
      ],
      providers: [
        { provide: CONFIG, useValue: settings },
        { provide: LOGGER, useValue: logger },
        { provide: Sessions, useValue: new Sessions(clock) },
        { provide: WireTap, useValue: tap },
        { provide: Bank, useValue: bank },
        { provide: Initiations, useValue: new Initiations(bank, settings, tap) },
        { provide: StatusFeed, useValue: new StatusFeed() },
      ],
    };
  }
}
