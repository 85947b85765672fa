import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { createLogger } from '@xs2a/observability/logger';
import { type SpanDescription, sampleTraces } from '@xs2a/observability/tracing/spans';
import type { StopTracing } from '@xs2a/observability/tracing/export-spans';
import { startTracing } from '@xs2a/observability/tracing/start-tracing';
import { parseTraceparent, traceIdOf } from '@xs2a/observability/tracing/traceparent';
import { callContext } from './context.js';
import { inSpan, inTraceOf } from './in-span.js';

let collector: HttpReceiver;
let stopTracing: StopTracing | undefined;
beforeAll(async () => {
  collector = await HttpReceiver.start();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: 1 };
  stopTracing = await startTracing('test', settings, createLogger('test', 'silent'));
});
afterAll(async () => {
  sampleTraces(0);
  await stopTracing?.();
  await collector.stop();
});

const span: SpanDescription = { name: 'work', kind: 'INTERNAL', attributes: {} };
const [one, other] = ['a', 'b'].map((letter) => `00-${letter.repeat(32)}-${letter.repeat(16)}-01`);
const current = async (): Promise<string | undefined> => callContext.getStore()?.traceparent;
const context = { requestId: 'r-1', actor: 'test' };

describe('work in a span (ADR 76)', () => {
  it('is below the current span, and so is what it causes', async () => {
    const seen = await callContext.run({ ...context, traceparent: one }, async () =>
      inSpan(span, async () => [await current(), await inSpan(span, current)]),
    );
    const spans = seen.map((text) => parseTraceparent(text));
    expect(spans.map((read) => read?.traceId)).toEqual(Array(2).fill('a'.repeat(32)));
    expect(new Set(['a'.repeat(16), ...spans.map((read) => read?.spanId)]).size).toBe(3);
  });

  it.each([
    ['whose trace is not recorded', `00-${'a'.repeat(32)}-${'a'.repeat(16)}-00`],
    ['without a trace', undefined],
  ])('runs unchanged in a context %s', async (_which, traceparent) => {
    expect(await callContext.run({ ...context, traceparent }, async () => inSpan(span, current))).toBe(
      traceparent,
    );
  });

  it('runs unchanged without a context', async () => {
    expect(await inSpan(span, current)).toBeUndefined();
  });

  it('continues the trace of what caused it, in its own context', async () => {
    const seen = await inTraceOf([one, one], { context, span }, async () => callContext.getStore());
    expect(seen).toMatchObject(context);
    expect(traceIdOf(seen?.traceparent ?? '')).toBe('a'.repeat(32));
  });

  it.each([
    ['several traces', [one, other]],
    ['a trace and something without one', [one, undefined]],
    ['something without a trace', [undefined]],
  ])('begins a trace if it was caused by %s', async (_what, causes) => {
    const seen = traceIdOf((await inTraceOf(causes, { context, span }, current)) ?? '');
    expect(seen).toMatch(/^[0-9a-f]{32}$/);
    expect(causes.map((cause) => cause && traceIdOf(cause))).not.toContain(seen);
  });

  it('that fails names the kind of error, and nothing of its message', async () => {
    const failing = async (error: unknown): Promise<void> => {
      const work = async (): Promise<void> => {
        throw error;
      };
      await expect(inTraceOf([undefined], { context, span }, work)).rejects.toBe(error);
    };
    await failing(Object.assign(new Error('an IBAN'), { code: '23505' }));
    await failing(new RangeError('a name'));
    await failing(dependencyDown());
    await failing(callFailed('resourceUnknown', 'a path', 'a text'));
    await stopTracing?.();
    // The strings of a protobuf message are plain text.
    const text = collector.posts.map(({ body }) => body).join('');
    for (const kind of ['23505', 'RangeError', 'dependencyDown', 'resourceUnknown'])
      expect(text).toContain(kind);
    expect(text).not.toMatch(/an IBAN|a name|a path|a text/);
    // The refusal is an answer to the TPP's request, and no error.
    expect(text.split('error.type')).toHaveLength(4);
  });
});
