import { type NatsService, natsRights, type NatsRights } from '@xs2a/nats/permissions/rights';
import type { Call } from '@xs2a/contracts/call';
import { connectCalls } from '@xs2a/nats/connection';
import { CallClient } from '@xs2a/calls/client';
import { createLogger } from '@xs2a/observability/logger';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Sandbox } from '../sandbox.js';

const covers = (pattern: string, subject: string): boolean =>
  pattern === subject || (pattern.endsWith('.*') && subject.startsWith(pattern.slice(0, -1)));

/**
 * Returns the service that is permitted to make a call. The operator has no such permission, so benchmarks and fault
 * runs make the call under that service's identity.
 */
const findCaller = (subject: string): NatsService => {
  const found = (Object.entries(natsRights) as [NatsService, NatsRights][]).find(([, { calls }]) =>
    calls.some((pattern) => covers(pattern, subject)),
  );
  if (found === undefined) throw new Error(`no service calls ${subject}`);
  return found[0];
};

/** Calls the services of a sandbox over NATS, bypassing the gateway. Messages carry the real time. */
export class ServiceCalls {
  private readonly callers = new Map<
    NatsService,
    Promise<{ readonly nats: NatsConnection; readonly callClient: CallClient }>
  >();

  constructor(
    private readonly sandbox: Pick<Sandbox, 'natsUrl'>,
    private readonly name: string,
  ) {}

  /** Throws CallFailed, like {@link CallClient.call}. */
  async call<Request, Answer>(call: Call<Request, Answer>, request: Request): Promise<Answer> {
    const service = findCaller(call.subject);
    const known = this.callers.get(service) ?? this.connect(service);
    this.callers.set(service, known);
    return (await known).callClient.call(call, request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.callers.values()].map(async (caller) => (await caller).nats.drain()));
  }

  private async connect(
    service: NatsService,
  ): Promise<{ readonly nats: NatsConnection; readonly callClient: CallClient }> {
    const nats = await connectCalls(
      this.sandbox.natsUrl(service),
      this.name,
      createLogger(this.name, 'silent'),
    );
    return { nats, callClient: new CallClient(nats, { offsetMs: 0, raiseTo: () => undefined }) };
  }
}
