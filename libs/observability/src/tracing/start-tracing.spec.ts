import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import * as sdk from '@opentelemetry/sdk-trace';
import { createLogger } from '../logger.js';

const loaded: string[] = [];
jest.unstable_mockModule('@opentelemetry/sdk-trace', () => {
  loaded.push('@opentelemetry/sdk-trace');
  return sdk;
});
const { startTracing } = await import('./start-tracing.js');
const { isSampled, beginTrace, sampleTraces } = await import('./spans.js');
const logger = createLogger('test', 'silent');
const isRecorded = (): boolean =>
  isSampled(beginTrace({ name: 'GET', kind: 'SERVER', attributes: {} }).traceparent);

afterEach(() => {
  trace.disable();
  sampleTraces(0);
});

describe('tracing (ADR 76)', () => {
  it('is off without a collector, and then loads nothing of the SDK', async () => {
    expect(await startTracing('test', { OTEL_TRACES_SAMPLER_ARG: 1 }, logger)).toBeUndefined();
    expect(loaded).toEqual([]);
    expect(isRecorded()).toBe(false);
  });

  it('is on with a collector', async () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_SAMPLER_ARG: 1 };
    const stop = await startTracing('test', settings, logger);
    expect(loaded).toEqual(['@opentelemetry/sdk-trace']);
    expect(isRecorded()).toBe(true);
    await stop?.();
  });
});
