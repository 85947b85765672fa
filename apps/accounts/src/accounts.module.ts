import { type DynamicModule, Module } from '@nestjs/common';
import { parseFixtures } from '@xs2a/core-banking/sandbox/fixtures';
import { openSandboxBank, type SandboxBank } from '@xs2a/core-banking/sandbox/sandbox-bank';
import type { Profile } from '@xs2a/domain/profile/profile';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { AccountInformationController } from './account-information.controller.js';
import { BankCalls } from './bank-calls.js';
import { BookingController } from './booking.controller.js';
import type { config } from './config.js';
import { ConsentAccess } from './consent-access.js';
import { CustomersController } from './customers.controller.js';
import { SandboxClockKeeper } from './sandbox-clock-keeper.js';
import { SandboxController } from './sandbox.controller.js';
import { BANK, SANDBOX_BANK } from './tokens.js';

type AccountsConfig = ConfigOf<typeof config & Pick<typeof serviceConfig, 'SANDBOX'>>;

/** Puts a core bank on NATS. Another bank takes the place of {@link SANDBOX_BANK} by implementing `CoreBank`. */
@Module({})
export class AccountsModule {
  static around({ SANDBOX, SANDBOX_FIXTURES }: AccountsConfig): DynamicModule {
    return {
      module: AccountsModule,
      controllers: [
        AccountInformationController,
        CustomersController,
        BookingController,
        ...(SANDBOX ? [SandboxController] : []),
      ],
      providers: [
        BankCalls,
        ConsentAccess,
        {
          provide: SANDBOX_BANK,
          inject: [POOL, Clock, PROFILE],
          useFactory: async (pool: Pool, clock: Clock, profile: Profile): Promise<SandboxBank> =>
            openSandboxBank({
              pool,
              clock,
              profile,
              fixtures: parseFixtures(await readFile(SANDBOX_FIXTURES, 'utf8')),
            }),
        },
        { provide: BANK, useExisting: SANDBOX_BANK },
        ...(SANDBOX ? [SandboxClockKeeper] : []),
      ],
    };
  }
}
