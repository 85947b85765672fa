import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { createLogger } from '@xs2a/observability/logger';
import { sampleTraces } from '@xs2a/observability/tracing/spans';
import type { StopTracing } from '@xs2a/observability/tracing/export-spans';
import { startTracing } from '@xs2a/observability/tracing/start-tracing';
import { parseTraceparent, type TraceContext } from '@xs2a/observability/tracing/traceparent';
import { GatewayUnderTest, paymentId, product } from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
let collector: HttpReceiver;
let stopTracing: StopTracing | undefined;
beforeAll(async () => {
  collector = await HttpReceiver.start();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: 0 };
  stopTracing = await startTracing('gateway', settings, createLogger('gateway', 'silent'));
  await gateway.start();
}, 30_000);
afterAll(async () => {
  await gateway.stop();
  await stopTracing?.();
  await collector.stop();
});
beforeEach(() => gateway.reset());
afterEach(() => sampleTraces(0));

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const statusPath = `/v1/payments/${product}/${paymentId}/status`;
/** Reads a status. Returns the trace context that the payments service gets, and the log line of the call. */
const call = async (
  traceparent?: string,
): Promise<{
  readonly trace: TraceContext | undefined;
  readonly line: Readonly<Record<string, unknown>>;
}> => {
  gateway.reset();
  await gateway.call('GET', statusPath, {
    bearer: await gateway.token(),
    headers: traceparent === undefined ? {} : { traceparent },
  });
  while (gateway.logged.length === 0) await new Promise(setImmediate);
  const line = JSON.parse(gateway.logged[0] ?? '') as Record<string, unknown>;
  return { trace: parseTraceparent(gateway.contexts.at(-1)?.traceparent), line };
};

describe('the trace of a request (ADR 76)', () => {
  it.each([
    ['00', 0, false],
    ['01', 0, false],
    ['00', 1, true],
    ['01', 1, true],
  ])(
    'continues the caller’s; with its flags %s and our share %i it is recorded: %s',
    async (flags, share, isSampled) => {
      sampleTraces(share);
      const { trace, line } = await call(`00-${traceId}-${spanId}-${flags}`);
      expect(trace).toMatchObject({ traceId, isSampled });
      expect(trace?.spanId).not.toBe(spanId);
      expect(line).toMatchObject({ msg: 'call', trace_id: traceId });
    },
  );

  it.each([
    ['no traceparent', undefined],
    ['a malformed one', `00-${traceId}-${spanId}`],
    ['one of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['any text', 'Ivan Petrov'],
  ])('begins here with %s, and is named in the log', async (_what, sent) => {
    for (const share of [0, 1]) {
      sampleTraces(share);
      const [first, second] = [await call(sent), await call(sent)];
      expect(first.trace).toMatchObject({ isSampled: share === 1 });
      expect(first.trace?.traceId).not.toBe(second.trace?.traceId);
      expect(first.trace?.traceId).not.toBe(traceId);
      expect(first.line).toMatchObject({ trace_id: first.trace?.traceId });
    }
  });

  it('is also named in the log of a refused request', async () => {
    await gateway.call('GET', statusPath, { headers: { traceparent: `00-${traceId}-${spanId}-01` } });
    await gateway.call('GET', '/v1/nothing', { headers: { traceparent: `00-${traceId}-${spanId}-01` } });
    while (gateway.logged.length < 2) await new Promise(setImmediate);
    expect(gateway.logged.map((line) => (JSON.parse(line) as { trace_id?: string }).trace_id)).toEqual([
      traceId,
      traceId,
    ]);
  });

  it('is continued by the authorization server', async () => {
    const sent = `00-${traceId}-${spanId}-01`;
    const { body } = await gateway.call('GET', '/.well-known/oauth-authorization-server', {
      headers: { traceparent: sent },
    });
    const { traceparent } = body['headers'] as { readonly traceparent?: string };
    expect(parseTraceparent(traceparent)).toMatchObject({ traceId, isSampled: false });
    expect(traceparent).not.toBe(sent);
  });

  it('has no span for a health probe', async () => {
    sampleTraces(1);
    await gateway.call('GET', '/health/live');
    await call();
    await stopTracing?.();
    const spans = collector.posts.map(({ body }) => body).join('');
    expect(spans).toContain('GET /payments/:paymentProduct/:paymentId/status');
    expect(spans).not.toContain('health');
  });
});
