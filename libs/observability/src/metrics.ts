import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of this process, served at /metrics in Prometheus format. Label values never contain personal data. */
export const metrics = new Registry();

/** Adds the CPU, memory and event-loop metrics of this process, and its release. */
export const collectProcessMetrics = (service: string, version: string): void => {
  metrics.setDefaultLabels({ service });
  collectDefaultMetrics({ register: metrics });
  buildInfo.set({ version }, 1);
};

export const counter = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> => new Counter({ name, help, labelNames: [...labelNames], registers: [metrics] });

/** `collect` sets the value each time the metrics are read. It must be quick and must not throw. */
export const gauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  collect?: (gauge: Gauge<Label>) => void,
): Gauge<Label> => {
  const made: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [metrics],
    collect: collect && (() => collect(made)),
  });
  return made;
};

/** Creates a histogram in seconds, with buckets from 1 ms to 10 s. */
export const histogram = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Histogram<Label> =>
  new Histogram({
    name,
    help,
    labelNames: [...labelNames],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });

const buildInfo = gauge('xs2a_build_info', 'Always 1; the label is the release of this process', ['version']);
