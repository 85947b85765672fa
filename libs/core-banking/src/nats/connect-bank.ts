import type { TravellingClock } from '@xs2a/messaging/call-context';
import { connectCalls } from '@xs2a/messaging/connection';
import { Requester } from '@xs2a/messaging/requester';
import type { Logger } from '@xs2a/observability/logger';
import { BankClient } from './bank-client.js';

/**
 * A client for the core bank, over the services' NATS, or over a NATS server of the bank's own where `CORE_BANK_NATS_URL`
 * names one. Resolves once it is connected.
 */
export const connectBank = async (
  { CORE_BANK_NATS_URL: url }: { readonly CORE_BANK_NATS_URL?: string },
  { requester, clock, logger }: { requester: Requester; clock: TravellingClock; logger: Logger },
): Promise<BankClient> =>
  new BankClient(
    url === undefined ? requester : new Requester(await connectCalls(url, 'xs2a-core-bank', logger), clock),
    logger,
  );
