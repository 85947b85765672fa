import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Health, startHealthServer } from './health.js';
import { collectProcessMetrics, gauge } from './metrics.js';

let started: Awaited<ReturnType<typeof startHealthServer>>;
beforeAll(async () => {
  started = await startHealthServer({ port: 0, host: '127.0.0.1', health: new Health() });
});
afterAll(async () => {
  started.server.close();
  await once(started.server, 'close');
});
const get = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`http://127.0.0.1:${started.port}${path}`);
  return { status: response.status, text: await response.text() };
};

describe('/metrics (docs/metrics.md)', () => {
  it('has the service, its release and the delay of the event loop', async () => {
    collectProcessMetrics('test', '1.2.3');
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('xs2a_build_info{version="1.2.3",service="test"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds{service="test"}');
  });

  it('is answered 500 if a metric cannot be collected, and the process runs on', async () => {
    gauge('xs2a_broken', 'Cannot be collected', [], () => {
      throw new Error('broken');
    });
    expect(await get('/metrics')).toMatchObject({ status: 500 });
    expect(await get('/health/live')).toMatchObject({ status: 200 });
  });
});
