// Lane: long (it takes half a minute).
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HealthWatch } from './health-watch.js';
import { TcpBalancer } from './tcp-balancer.js';

/** An instance that replies with its name and reports its health on the same port. */
class Instance {
  status = 200;
  private readonly server: Server = createServer(({ url }, response) => {
    if (this.status !== 0) response.writeHead(url === '/health/ready' ? this.status : 200).end(this.name);
  });

  constructor(readonly name: string) {}

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('a balancer in front of two instances', () => {
  let one: Instance;
  let two: Instance;
  let watch: HealthWatch;
  let balancer: TcpBalancer;
  let silent: PromiseWithResolvers<void>;
  beforeEach(async () => {
    [one, two] = [new Instance('one'), new Instance('two')];
    await Promise.all([one.start(), two.start()]);
    silent = Promise.withResolvers();
    watch = new HealthWatch(one.url, silent.resolve);
    balancer = await TcpBalancer.start([
      { port: one.port, isUp: () => watch.isUp },
      { port: two.port, isUp: () => true },
    ]);
  });
  afterEach(async () => {
    await watch.stop();
    await balancer.stop();
    await Promise.all([one.stop(), two.stop()]);
  });
  const asked = async (times = 4): Promise<Set<string>> => {
    const names = new Set<string>();
    for (let index = 0; index < times; index += 1) {
      const answer = await fetch(`http://127.0.0.1:${balancer.port}`, { headers: { connection: 'close' } });
      names.add(await answer.text());
    }
    return names;
  };

  it('sends new connections to both in turn, and none to an instance that is withdrawn', async () => {
    expect(await asked()).toEqual(new Set(['one', 'two']));
    const back = watch.withdraw();
    expect(await asked()).toEqual(new Set(['two']));
    back();
    expect(await asked()).toEqual(new Set(['one', 'two']));
  });

  it('skips an instance that refuses a connection before the balancer knows that it is down', async () => {
    await one.stop();
    expect(await asked()).toEqual(new Set(['two']));
  });

  it('detects an instance that stops replying, sends it no new connections and closes its open ones', async () => {
    one.status = 0;
    const open: Promise<string>[] = [];
    for (let index = 0; index < 2; index += 1)
      open.push(
        fetch(`http://127.0.0.1:${balancer.port}/health/ready`).then(
          async (answer) => answer.text(),
          () => 'ended',
        ),
      );
    await silent.promise;
    expect(watch.isUp).toBe(false);
    expect(await asked()).toEqual(new Set(['two']));
    balancer.end(one.port);
    expect((await Promise.all(open)).toSorted()).toEqual(['ended', 'two']);
  });
});
