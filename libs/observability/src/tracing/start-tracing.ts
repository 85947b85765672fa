import type { Logger } from '../logger.js';
import type { StopTracing } from './export-spans.js';
import { sampleTraces } from './spans.js';

export interface TracingSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/**
 * Sends spans to the collector in the settings. Without one, tracing is off: returns undefined, and OpenTelemetry's
 * SDK is not loaded.
 */
export const startTracing = async (
  service: string,
  settings: TracingSettings,
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<StopTracing | undefined> => {
  const url = collectorUrl(settings);
  if (url === undefined) return undefined;
  const { exportSpans } = await import('./export-spans.js');
  sampleTraces(settings.OTEL_TRACES_SAMPLER_ARG);
  return exportSpans({ service, url, logger });
};

/** The specific setting is a complete URL, the general one the origin of all signals (OTLP exporter specification). */
const collectorUrl = ({
  OTEL_EXPORTER_OTLP_ENDPOINT: ofAll,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces,
}: TracingSettings): string | undefined =>
  ofTraces ?? (ofAll === undefined ? undefined : `${ofAll}/v1/traces`);
