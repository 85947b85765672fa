import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { hostname } from 'node:os';
import type { Logger } from '../logger.js';

/** Sends the remaining spans. Never rejects, and may take long if the collector is down. */
export type StopTracing = () => Promise<void>;

/** The maximum number of spans that wait for the collector; further ones are dropped. */
const maxWaiting = 2048;
/** Milliseconds for which spans are collected before they are sent together. */
const sendEveryMs = 1000;

/**
 * Sends every span of this process to the collector. spans.ts has decided which traces are recorded, so the sampler
 * does not. The exporter itself reads the OTEL_EXPORTER_OTLP_* variables for headers, certificates, compression and
 * its timeout.
 */
export const exportSpans = ({
  service,
  url,
  logger,
}: {
  readonly service: string;
  readonly url: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}): StopTracing => {
  const exporter = reporting(new OTLPTraceExporter({ url }), logger);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'xs2a',
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: maxWaiting, scheduledDelayMillis: sendEveryMs }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  return async () => {
    // A failure has been logged by then.
    await provider.shutdown().catch(() => undefined);
  };
};

/** Logs when the collector stops accepting spans and when it accepts them again. */
const reporting = (exporter: SpanExporter, logger: Pick<Logger, 'info' | 'warn'>): SpanExporter => {
  let lost = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error !== undefined && lost === 0) logger.warn({ error }, 'the collector did not take the spans');
        if (error === undefined && lost > 0) logger.info({ lost }, 'the collector takes spans again');
        lost = error === undefined ? 0 : lost + spans.length;
        done(result);
      }),
    shutdown: async () => exporter.shutdown(),
  };
};
