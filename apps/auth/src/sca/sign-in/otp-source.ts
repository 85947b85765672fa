import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { type BankConnection, bankConnectionName, connectBank } from '@xs2a/core-banking/nats/connect-bank';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { readCoreBank } from '@xs2a/runtime/config';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import type { AuthConfig } from '../../config.js';
import { bankNotices, noNotices, type PsuNotices } from './psu-notices.js';
import { bankCodes, type OtpCodes, sandboxCodes } from './otp-codes.js';

/**
 * The source of one-time codes for SCA. The token endpoint does not need the core bank, which delivers the codes,
 * so the service becomes degraded rather than unready when it loses the connection to the bank.
 */
@Injectable()
export class OtpSource implements OnApplicationShutdown {
  readonly codes: OtpCodes;
  readonly notices: PsuNotices;
  private readonly bank?: BankConnection;

  constructor(
    @Inject(CONFIG) config: AuthConfig,
    callClient: CallClient,
    clock: Clock,
    @Inject(LOGGER) logger: Logger,
    health: Health,
  ) {
    if (readCoreBank(config) === 'sandbox') {
      this.codes = sandboxCodes;
      this.notices = noNotices;
      return;
    }
    this.bank = connectBank(config, { callClient, clock, logger });
    this.codes = bankCodes(this.bank.client, clock);
    this.notices = bankNotices(this.bank.client, clock);
    const { isConnected } = this.bank;
    if (isConnected !== undefined)
      health.degraded(bankConnectionName, () => (isConnected() ? undefined : 'not connected'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.bank?.close();
  }
}
