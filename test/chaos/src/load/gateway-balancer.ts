import { HealthWatch } from '@xs2a/local-servers/health-watch';
import type { GatewayAddress } from '@xs2a/sandbox/assembly';
import { type Answer, type Send, send, type Sending } from '@xs2a/tpp-client/http';

interface Watched {
  readonly gateway: GatewayAddress;
  readonly watch: HealthWatch;
  /** Abort functions for the requests in flight to this gateway. */
  readonly open: Set<(reason: Error) => void>;
}

/**
 * Sends requests to the gateways in turn, like a load balancer with health checks. A gateway that is not ready is
 * used only if none is ready, and a gateway that does not answer its health checks is never used. If a connection
 * breaks or a gateway stops responding, its unanswered requests go to the other gateway if they may be retried.
 */
export class GatewayBalancer {
  private readonly watched: readonly Watched[];
  private turn = 0;

  constructor(
    private readonly baseUrl: string,
    gateways: readonly GatewayAddress[],
  ) {
    this.watched = gateways.map((gateway) => {
      const open: Watched['open'] = new Set();
      const giveUp = (): void => {
        for (const end of open) end(new Error(`${gateway.name} is silent`));
      };
      return { gateway, open, watch: new HealthWatch(gateway.healthUrl, giveUp) };
    });
  }

  readonly send: Send = async (method, url, sending) => {
    if (!url.startsWith(this.baseUrl)) return send(method, url, sending);
    const path = url.slice(this.baseUrl.length);
    const [first, second] = this.candidates();
    if (first === undefined) throw new Error('no gateway answers its health checks');
    try {
      return await through(first, method, path, sending);
    } catch (error) {
      const isThere = second !== undefined && !second.watch.isSilent;
      if (!isThere || !mayBeRepeated(method, sending, error)) throw error;
      return through(second, method, path, sending);
    }
  };

  /** Sends no new requests to one gateway until the returned function is called. */
  withdraw(name: GatewayAddress['name']): () => void {
    const found = this.watched.find(({ gateway }) => gateway.name === name);
    if (found === undefined) throw new RangeError(`there is no ${name}`);
    return found.watch.withdraw();
  }

  async stop(): Promise<void> {
    await Promise.all(this.watched.map(async ({ watch }) => watch.stop()));
  }

  /** Returns the ready gateways, rotating the first, followed by those that report that they are not ready. */
  private candidates(): readonly Watched[] {
    this.turn += 1;
    const all = this.turn % 2 === 0 ? this.watched : this.watched.toReversed();
    const rank = ({ watch }: Watched): number => (watch.isUp ? 0 : 1);
    return all.filter(({ watch }) => !watch.isSilent).toSorted((one, other) => rank(one) - rank(other));
  }
}

const through = async (
  { gateway, open }: Watched,
  method: string,
  path: string,
  sending: Sending | undefined,
): Promise<Answer> => {
  const given = Promise.withResolvers<never>();
  open.add(given.reject);
  try {
    return await Promise.race([send(method, gateway.url + path, sending), given.promise]);
  } finally {
    open.delete(given.reject);
  }
};

/** True if the request was not accepted, or if a retry has no further effect. */
const mayBeRepeated = (method: string, sending: Sending | undefined, error: unknown): boolean =>
  ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) ||
  sending?.headers?.['idempotency-key'] !== undefined ||
  (error instanceof Error && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED');
