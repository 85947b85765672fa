import { HealthWatch } from '@xs2a/local-servers/health-watch';
import { TcpBalancer } from '@xs2a/local-servers/tcp-balancer';
import type { SecondProcess } from './second-process.js';
import type { Surroundings } from '../services/service-table.js';

interface Place {
  readonly port: number;
  readonly healthPort: number;
}

/**
 * A load balancer between the gateways and two authorization servers. It closes the connections to a server that
 * stops responding.
 */
export class AuthBalancer {
  private constructor(
    private readonly balancer: TcpBalancer,
    private readonly watches: Readonly<Record<'auth' | 'auth-2', HealthWatch>>,
  ) {}

  static async start(at: Surroundings, second: SecondProcess): Promise<AuthBalancer> {
    const places: readonly Place[] = [{ port: at.authPort, healthPort: at.healthPort('auth') }, second];
    let balancer: TcpBalancer | undefined;
    const [first, other] = places.map(
      ({ port, healthPort }) => new HealthWatch(`http://127.0.0.1:${healthPort}`, () => balancer?.end(port)),
    ) as [HealthWatch, HealthWatch];
    balancer = await TcpBalancer.start([
      {
        port: at.authPort,
        isUp: () => first.isUp,
      },
      {
        port: second.port,
        isUp: () => other.isUp,
      },
    ]);
    return new AuthBalancer(balancer, { auth: first, 'auth-2': other });
  }

  get url(): string {
    return `http://127.0.0.1:${this.balancer.port}`;
  }

  withdraw(name: 'auth' | 'auth-2'): () => void {
    return this.watches[name].withdraw();
  }

  async stop(): Promise<void> {
    await Promise.all([
      ...Object.values(this.watches).map(async (watch) => watch.stop()),
      this.balancer.stop(),
    ]);
  }
}
