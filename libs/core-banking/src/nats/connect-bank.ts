import type { TravellingClock } from '@xs2a/calls/context';
import { coreBankName } from '@xs2a/contracts/services';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { connectCalls } from '@xs2a/nats/connection';
import { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { setTimeout as wait } from 'node:timers/promises';
import { BankClient } from './bank-client.js';

export interface BankConnection {
  readonly client: BankClient;
  /** True if the bank's own NATS server is connected. Undefined if the bank replies over the services' NATS server. */
  readonly isConnected?: () => boolean;
  /** Finishes calls in progress and disconnects from the bank's own NATS server. */
  close(): Promise<void>;
}

interface BankConnectionParts {
  readonly callClient: CallClient;
  readonly clock: TravellingClock;
  readonly logger: Logger;
}

type NatsConnection = Awaited<ReturnType<typeof connectCalls>>;

/** The name of the connection in the health report. */
export const bankConnectionName = 'core-bank-nats';

const reportAfterMs = 1000;
const retryAfterMs = 5000;

/**
 * Creates a client for the core bank. It uses the services' NATS server, or the bank's if `CORE_BANK_NATS_URL` is
 * set. Returns immediately: until that server is connected, calls to the bank fail as if there were no reply.
 */
export const connectBank = (
  { CORE_BANK_NATS_URL: url }: { readonly CORE_BANK_NATS_URL?: string },
  { callClient, clock, logger }: BankConnectionParts,
): BankConnection => {
  if (url === undefined) return { client: new BankClient(callClient, logger), close: async () => undefined };
  const own = new OwnNats(url, clock, logger);
  own.start();
  return {
    client: new BankClient(own, logger),
    isConnected: () => own.isConnected,
    close: async () => own.close(),
  };
};

/** Makes calls over a NATS server that may not be up yet. */
class OwnNats {
  isConnected = false;
  private nats: NatsConnection | undefined;
  private callClient: CallClient | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly url: string,
    private readonly clock: TravellingClock,
    private readonly logger: Logger,
  ) {}

  start(): void {
    const report = setTimeout(
      () => this.logger.warn('waiting for the NATS server of the core bank (CORE_BANK_NATS_URL)'),
      reportAfterMs,
    );
    this.closing.signal.addEventListener('abort', () => clearTimeout(report));
    void this.connect().finally(() => clearTimeout(report));
  }

  async ask(subject: string, payload: string | Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    if (this.callClient === undefined) throw dependencyDown(coreBankName);
    return this.callClient.ask(subject, payload, timeoutMs);
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.isConnected = false;
    await this.nats?.drain();
  }

  private async connect(): Promise<void> {
    while (!this.closing.signal.aborted) {
      try {
        await this.use(await connectCalls(this.url, 'xs2a-core-bank', this.logger));
        return;
      } catch (error) {
        // The NATS client itself waits for an unreachable server, so an error here means only that the server
        // refused the user.
        this.logger.error({ error }, 'the NATS server of the core bank refused the connection');
        // If the connection was closed during the wait, the loop ends.
        await wait(retryAfterMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
      }
    }
  }

  private async use(nats: NatsConnection): Promise<void> {
    if (this.closing.signal.aborted) return nats.close();
    this.nats = nats;
    this.callClient = new CallClient(nats, this.clock);
    this.isConnected = true;
    this.logger.info('connected to the NATS server of the core bank');
    void this.follow(nats);
  }

  private async follow(nats: NatsConnection): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect') this.isConnected = false;
      if (type === 'reconnect') this.isConnected = true;
    }
    this.isConnected = false;
  }
}
