import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { beginSpan, beginTrace, endSpan, isSampled, sampleTraces, type SpanDescription } from './spans.js';
import { parseTraceparent, type TraceContext } from './traceparent.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const from = (flags: string): string => `00-${traceId}-${spanId}-${flags}`;
const request: SpanDescription = { name: 'GET /x', kind: 'SERVER', attributes: { 'http.route': '/x' } };
const parsed = (traceparent: string): TraceContext => {
  const context = parseTraceparent(traceparent);
  if (context === undefined) throw new Error(`malformed: ${traceparent}`);
  return context;
};

let exporter: InMemorySpanExporter;
beforeEach(() => {
  exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
});
afterEach(() => {
  trace.disable();
  sampleTraces(0);
});

describe('the trace of a request from outside (ADR 76)', () => {
  it.each(['00', '01'])(
    'is recorded if our setting says so, also if the caller sends the flags %s',
    (flags) => {
      sampleTraces(1);
      const { traceparent, span } = beginTrace(request, from(flags));
      endSpan(span);
      expect(parsed(traceparent)).toMatchObject({ traceId, isSampled: true });
      const [recorded] = exporter.getFinishedSpans();
      expect(recorded?.parentSpanContext).toMatchObject({ traceId, spanId });
    },
  );

  it.each(['00', '01'])(
    'is not recorded if our setting says so, also if the caller sends the flags %s',
    (flags) => {
      const { traceparent, span } = beginTrace(request, from(flags));
      expect(span).toBeUndefined();
      expect(parsed(traceparent)).toMatchObject({ traceId, isSampled: false });
      expect(parsed(traceparent).spanId).not.toBe(spanId);
    },
  );

  it.each([
    ['nothing', undefined],
    ['a malformed text', `00-${traceId}-01`],
    ['zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ])('has a new id if the caller sends %s', (_what, sent) => {
    for (const share of [0, 1]) {
      sampleTraces(share);
      const begun = [beginTrace(request, sent), beginTrace(request, sent)].map(({ traceparent }) =>
        parsed(traceparent),
      );
      expect(begun[0]?.traceId).not.toBe(begun[1]?.traceId);
      expect(begun.map((one) => one.isSampled)).toEqual(Array(2).fill(share === 1));
    }
  });

  it('is recorded by chance, so that a caller cannot choose an id whose trace is always recorded', () => {
    sampleTraces(0.5);
    const recorded = Array.from({ length: 1000 }, () =>
      isSampled(beginTrace(request, from('01')).traceparent),
    );
    const count = recorded.filter(Boolean).length;
    // Outside of these bounds once in 10^23 runs.
    expect(count).toBeGreaterThan(340);
    expect(count).toBeLessThan(660);
  });
});

describe('a span', () => {
  it('is below the current one', () => {
    const { traceparent, span } = beginSpan({ name: 'append', kind: 'CLIENT', attributes: {} }, from('01'));
    endSpan(span);
    const [recorded] = exporter.getFinishedSpans();
    expect(recorded).toMatchObject({ name: 'append', parentSpanContext: { traceId, spanId } });
    expect(recorded?.spanContext()).toMatchObject({ traceId, spanId: parsed(traceparent).spanId });
  });

  it('does not exist in a trace that is not recorded, whose context it leaves unchanged', () => {
    expect(beginSpan(request, from('00'))).toEqual({ traceparent: from('00') });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('links once to each recorded span of another trace that led to it', () => {
    const other = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const unrecorded = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`;
    const links = [other, undefined, unrecorded, other, from('01')];
    endSpan(beginSpan({ ...request, links }, from('01')).span);
    expect(exporter.getFinishedSpans()[0]?.links.map(({ context }) => context.spanId)).toEqual([
      'b'.repeat(16),
    ]);
  });

  it('ends with an outcome, and names the kind of an error', () => {
    endSpan(beginSpan(request, from('01')).span, { attributes: { 'http.response.status_code': 200 } });
    endSpan(beginSpan(request, from('01')).span, { error: 'ECONNREFUSED' });
    expect(exporter.getFinishedSpans().map(({ status, attributes }) => ({ status, attributes }))).toEqual([
      {
        status: { code: SpanStatusCode.UNSET },
        attributes: { 'http.route': '/x', 'http.response.status_code': 200 },
      },
      {
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'http.route': '/x', 'error.type': 'ECONNREFUSED' },
      },
    ]);
  });

  it('does not exist without an SDK, as in a service that was restarted with tracing off', () => {
    trace.disable();
    const { traceparent, span } = beginSpan(request, from('01'));
    endSpan(span, { error: 'Error' });
    expect(traceparent).toBe(from('01'));
  });
});
