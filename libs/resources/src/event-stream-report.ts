import type { EventStreamReport } from '@xs2a/contracts/console/event-stream.contract';
import { consumersOf } from '@xs2a/contracts/event-consumers';
import type { EventResource } from '@xs2a/contracts/event-streams';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import {
  readCopyReport,
  type Reported,
  saysJetStreamIsDown,
} from '@xs2a/event-store/verification/copy-report';

/** Returns the report on the JetStream stream of a resource and on its consumers. Throws dependencyDown('nats') if JetStream does not answer. */
export const readEventStream = async (
  resource: EventResource,
  { nats, pool }: Pick<Reported, 'nats' | 'pool'>,
): Promise<EventStreamReport> => {
  try {
    return await readCopyReport({ nats, pool, resource, consumers: consumersOf(resource) });
  } catch (error) {
    if (saysJetStreamIsDown(error)) throw dependencyDown('nats');
    throw error;
  }
};
