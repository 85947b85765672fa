import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { GatewayBalancer } from './gateway-balancer.js';

const baseUrl = 'http://the-bank.example';

describe('a balancer for two gateways (quality, Reliability)', () => {
  let receivers: HttpReceiver[];
  let gateways: GatewayBalancer;
  beforeEach(async () => {
    receivers = [await HttpReceiver.start(), await HttpReceiver.start()];
    for (const receiver of receivers)
      receiver.behaviour = ({ path }) => (path === '/health/ready' ? 200 : 201);
    const names = ['gateway', 'gateway-2'] as const;
    gateways = new GatewayBalancer(
      baseUrl,
      receivers.map(({ url }, index) => ({ name: names[index] ?? 'gateway', url, healthUrl: url })),
    );
  });
  afterEach(async () => {
    await gateways.stop();
    await Promise.all(receivers.map(async (receiver) => receiver.stop()));
  });
  const takenBy = (index: number): readonly string[] =>
    receivers[index]?.posts.flatMap(({ path, headers }) =>
      path === '/v1/x' ? [String(headers['idempotency-key'])] : [],
    ) ?? [];
  const post = async (key?: string): Promise<number> => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    return (await gateways.send('POST', `${baseUrl}/v1/x`, { headers })).status;
  };

  it('sends requests to both in turn, or to only one while the other is withdrawn', async () => {
    await post('a');
    await post('b');
    expect([takenBy(0).length, takenBy(1).length]).toEqual([1, 1]);
    const back = gateways.withdraw('gateway');
    await post('c');
    await post('d');
    expect([takenBy(0).length, takenBy(1).length]).toEqual([1, 3]);
    back();
    await post('e');
    await post('f');
    expect([takenBy(0).length, takenBy(1).length]).toEqual([2, 4]);
  });

  it('retries a request with a key at the other gateway if the connection breaks, and fails a request without a key', async () => {
    const [first] = receivers;
    if (first !== undefined) first.behaviour = ({ path }) => (path === '/v1/x' ? 'close' : 200);
    expect([await post('a'), await post('b')]).toEqual([201, 201]);
    expect(takenBy(1).toSorted()).toEqual(['a', 'b']);
    expect(takenBy(0)).toHaveLength(1);
    const outcomes = await Promise.allSettled([post(), post()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('aborts unanswered requests to a gateway that stops responding, and retries them at the other gateway', async () => {
    const [first] = receivers;
    if (first !== undefined) first.behaviour = () => 'hang';
    expect(await Promise.all([post('a'), post('b')])).toEqual([201, 201]);
    expect(takenBy(1).toSorted()).toEqual(['a', 'b']);
  });

  it('prefers an unready gateway over one that does not respond', async () => {
    const [first, second] = receivers;
    if (first !== undefined) first.behaviour = () => 'hang';
    await Promise.all([post('a'), post('b')]);
    if (second !== undefined) second.behaviour = ({ path }) => (path === '/health/ready' ? 503 : 201);
    const asked = () => second?.posts.filter(({ path }) => path === '/health/ready').length ?? 0;
    // Once the second of two further requests has arrived, the first one has been answered.
    for (const until = asked() + 2; asked() < until;) await second?.received(second.posts.length + 1);
    expect(await Promise.all(['c', 'd', 'e', 'f'].map(post))).toEqual([201, 201, 201, 201]);
    expect(takenBy(0).filter((key) => 'cdef'.includes(key))).toEqual([]);
  });

  it('fails at once if no gateway responds', async () => {
    for (const receiver of receivers) receiver.behaviour = () => 'hang';
    await Promise.allSettled([post('a'), post('b')]);
    await expect(post('c')).rejects.toThrow('no gateway answers its health checks');
    expect([...takenBy(0), ...takenBy(1)]).not.toContain('c');
  });
});
