import { type DynamicModule, Module, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import { type BankConnection, bankConnectionName, connectBank } from '@xs2a/core-banking/nats/connect-bank';
import { natsBank } from '@xs2a/core-banking/nats/nats-bank';
import type { CoreBank } from '@xs2a/core-banking/port/core-bank';
import { tracedBank } from '@xs2a/core-banking/port/traced-bank';
import { parseFixtures } from '@xs2a/core-banking/sandbox/fixtures';
import { openSandboxBank, type SandboxBank } from '@xs2a/core-banking/sandbox/sandbox-bank';
import { findLevEnd } from '@xs2a/core-banking/sandbox/switch-over/switch-over-setting';
import { withClosedFunds } from '@xs2a/core-banking/sandbox/switch-over/with-closed-funds';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallClient } from '@xs2a/calls/client';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { type ConfigOf, readCoreBank, type serviceConfig } from '@xs2a/runtime/config';
import { LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { AccountInformationController } from './account-information.controller.js';
import { BankCalls } from './bank-calls.js';
import { BookingController } from './booking.controller.js';
import type { config } from './config.js';
import { ConsentAccess } from './consent-access.js';
import { CustomersController } from './customers.controller.js';
import { DisclosureLimits } from './payees/disclosure-limits.js';
import { PayeesController } from './payees/payees.controller.js';
import { PayeeVerification } from './payees/payee-verification.js';
import { SandboxClockKeeper } from './sandbox-clock-keeper.js';
import { ForeignBankController, SandboxClockController, SandboxController } from './sandbox.controller.js';
import { BANK, SANDBOX_BANK } from './tokens.js';

type AccountsConfig = ConfigOf<typeof config & Pick<typeof serviceConfig, 'SANDBOX'>>;

const sandboxBank = ({ SANDBOX_FIXTURES, HASH_KEYS }: AccountsConfig): Provider[] => [
  {
    provide: SANDBOX_BANK,
    inject: [POOL, Clock, PROFILE],
    useFactory: async (pool: Pool, clock: Clock, profile: Profile): Promise<SandboxBank> =>
      openSandboxBank({
        pool,
        clock,
        profile,
        fixtures: parseFixtures(await readFile(SANDBOX_FIXTURES, 'utf8')),
        hashKeys: HASH_KEYS,
      }),
  },
  { provide: BANK, inject: [SANDBOX_BANK], useFactory: (bank: SandboxBank): CoreBank => tracedBank(bank) },
];

/** The connection to a bank that answers over NATS; without it this service has nothing to do. */
class ForeignBank implements OnApplicationShutdown {
  constructor(
    readonly connection: BankConnection,
    health: Health,
  ) {
    const { isConnected } = connection;
    if (isConnected === undefined) return;
    health.check(bankConnectionName, async () => {
      if (!isConnected()) throw new Error('the NATS server of the core bank is not connected');
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }
}

const foreignBank = (config: AccountsConfig): Provider[] => [
  {
    provide: ForeignBank,
    inject: [CallClient, Clock, LOGGER, Health],
    useFactory: (callClient: CallClient, clock: Clock, logger: Logger, health: Health): ForeignBank =>
      new ForeignBank(connectBank(config, { callClient, clock, logger }), health),
  },
  {
    provide: BANK,
    inject: [ForeignBank, PROFILE, POOL, Clock],
    useFactory: ({ connection }: ForeignBank, profile: Profile, pool: Pool, clock: Clock): CoreBank => {
      const bank = natsBank(connection.client, async () => findLevEnd(pool, profile, clock.now()));
      return tracedBank(withClosedFunds(bank, { pool, clock }));
    },
  },
];

/**
 * Provides the core bank behind its port, selected by `CORE_BANK`: the sandbox ledger in this process, or a bank
 * that answers over NATS.
 */
@Module({})
export class AccountsModule {
  static forRoot({ config }: { readonly config: AccountsConfig }): DynamicModule {
    const isSandboxBank = readCoreBank(config) === 'sandbox';
    const { SANDBOX } = config;
    return {
      module: AccountsModule,
      controllers: [
        AccountInformationController,
        CustomersController,
        BookingController,
        PayeesController,
        ...(SANDBOX
          ? [SandboxClockController, isSandboxBank ? SandboxController : ForeignBankController]
          : []),
      ],
      providers: [
        BankCalls,
        ConsentAccess,
        PayeeVerification,
        {
          provide: DisclosureLimits,
          inject: [POOL, Clock],
          useFactory: (pool: Pool, clock: Clock) => new DisclosureLimits(pool, config.HASH_KEYS, clock),
        },
        ...(isSandboxBank ? sandboxBank(config) : foreignBank(config)),
        ...(SANDBOX ? [SandboxClockKeeper] : []),
      ],
    };
  }
}
