import type { NatsConnection } from '@nats-io/transport-node';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { CallClient } from '@xs2a/calls/client';
import type { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import type { Pool } from 'pg';
import type { Clock } from './clock.js';
import type { ConfigOf, serviceConfig } from './config.js';

/** The parts that every service has. `pool` exists only in services with a database. */
export interface ServiceParts<Config = Readonly<Record<string, unknown>>> {
  readonly config: Config & ConfigOf<typeof serviceConfig>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The connection to the NATS account STREAMS: event streams and key-value buckets. Calls go through the call client. */
  readonly streams: NatsConnection;
  readonly callClient: CallClient;
  readonly profile: Profile;
  readonly health: Health;
  readonly pool?: Pool;
}
