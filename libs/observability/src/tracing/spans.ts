import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { randomInt } from 'node:crypto';
import {
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
  unsampledTraceparent,
} from './traceparent.js';

/** What a span records. Neither its name nor an attribute may contain personal data or a secret. */
export interface SpanDescription {
  readonly name: string;
  readonly kind: keyof typeof SpanKind;
  readonly attributes: Attributes;
  /** The `traceparent` of each earlier span that led to this one. Those of its own trace are left out. */
  readonly links?: readonly (string | undefined)[];
}

/** A request's place in its trace. */
export interface Traced {
  /** The context of everything that the request causes. */
  readonly traceparent: string;
  /** To be ended with {@link endSpan}. Undefined if the trace is not recorded. */
  readonly span?: Span;
}

const shares = 2 ** 32;
/** How many of `shares` traces are recorded: none while tracing is off. */
let sampled = 0;

/** Sets the share of traces that are recorded, from 0 to 1. */
export const sampleTraces = (share: number): void => {
  sampled = share * shares;
};

/** True if the trace is recorded. */
export const isSampled = (traceparent: string | undefined): boolean =>
  parseTraceparent(traceparent)?.isSampled ?? false;

/**
 * Begins a trace, or continues the one that a caller from outside sent. Chance decides whether it is recorded. The
 * caller does not: neither its flag nor its trace id is considered.
 */
export const beginTrace = (description: SpanDescription, sent?: string): Traced => {
  const caller = parseTraceparent(sent);
  if (sampled === 0 || randomInt(shares) >= sampled)
    return { traceparent: unsampledTraceparent(caller?.traceId) };
  return startSpan(description, caller && { ...caller, isSampled: true });
};

/** Begins a span below another one. Without a span, and with the same context, if the trace is not recorded. */
export const beginSpan = (description: SpanDescription, traceparent: string): Traced => {
  const parent = parseTraceparent(traceparent);
  return parent?.isSampled === true ? startSpan(description, parent) : { traceparent };
};

/** How a span ended. */
export interface Outcome {
  /** The kind of error, and never its message, which may quote data. */
  readonly error?: string | undefined;
  readonly attributes?: Attributes;
}

export const endSpan = (span: Span | undefined, { error, attributes = {} }: Outcome = {}): void => {
  if (span === undefined) return;
  span.setAttributes(attributes);
  if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

const startSpan = (
  { name, kind, attributes, links = [] }: SpanDescription,
  parent: TraceContext | undefined,
): Traced => {
  const others = [...new Set(links)]
    .flatMap((link) => parseTraceparent(link) ?? [])
    .filter(({ isSampled: isRecorded, traceId }) => isRecorded && traceId !== parent?.traceId)
    .map((link) => ({ context: toSpanContext(link) }));
  const options = { kind: SpanKind[kind], attributes, links: others };
  const span = trace.getTracer('xs2a').startSpan(name, options, contextOf(parent));
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isRecorded = traceFlags === TraceFlags.SAMPLED;
  return { traceparent: formatTraceparent({ traceId, spanId, isSampled: isRecorded }), span };
};

const contextOf = (parent: TraceContext | undefined): Context =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(parent));

const toSpanContext = ({ traceId, spanId, isSampled: isRecorded }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isRecorded ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});
