import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import { AccountInformation } from './account-information.js';
import { Bank } from './bank/bank.js';
import { BankLogin } from './bank/bank-login.js';
import type { config } from './config.js';
import { FundsConfirmation } from './funds-confirmation.js';
import { PagesController } from './pages.controller.js';
import { PaymentInitiation } from './payment-initiation.js';
import { Sessions } from './sessions.js';

export type Settings = ConfigOf<typeof config>;

@Module({})
export class DemoModule {
  static of(parts: {
    readonly settings: Settings;
    readonly logger: Logger;
    readonly clock: Clock;
  }): DynamicModule {
    const { settings, logger, clock } = parts;
    const bank = new Bank(settings);
    const login = new BankLogin(bank, settings);
    return {
      module: DemoModule,
      controllers: [PagesController],
      providers: [
        { provide: CONFIG, useValue: settings },
        { provide: LOGGER, useValue: logger },
        { provide: Sessions, useValue: new Sessions(clock) },
        { provide: AccountInformation, useValue: new AccountInformation(bank, login) },
        { provide: FundsConfirmation, useValue: new FundsConfirmation(bank, login) },
        { provide: PaymentInitiation, useValue: new PaymentInitiation(bank, settings.OWN_URL) },
        { provide: BankLogin, useValue: login },
      ],
    };
  }
}
