import { CallFailed } from '@xs2a/domain/failure/failed';
import { failures } from '@xs2a/domain/failure/failures';
import {
  beginSpan,
  beginTrace,
  endSpan,
  type Outcome,
  type SpanDescription,
  type Traced,
} from '@xs2a/observability/tracing/spans';
import { traceIdOf } from '@xs2a/observability/tracing/traceparent';
import { type CallContext, callContext } from './context.js';

/**
 * Runs work in a span below the one of the current context, so that all that the work causes is below its span.
 * Without a context, or if its trace is not recorded, only runs the work. `outcomeOf` says what the span records of the
 * result.
 */
export const inSpan = async <Result>(
  description: SpanDescription,
  work: () => Promise<Result>,
  outcomeOf?: (result: Result) => Outcome,
): Promise<Result> => {
  const context = callContext.getStore();
  if (context?.traceparent === undefined) return work();
  const traced = beginSpan(description, context.traceparent);
  return traced.span === undefined ? work() : during(traced, context, work, outcomeOf);
};

/**
 * Runs work that earlier requests caused, in this context and in a span. `causes` is the `traceparent` of each. If all of
 * them belong to one trace, the work continues it; otherwise, it begins a trace that links to theirs.
 */
export const inTraceOf = async <Result>(
  causes: readonly (string | undefined)[],
  { context, span }: { readonly context: CallContext; readonly span: SpanDescription },
  work: () => Promise<Result>,
): Promise<Result> => {
  const [cause] = causes;
  const traces = new Set(causes.map((one) => one && traceIdOf(one)));
  if (cause === undefined || traces.size > 1)
    return during(beginTrace({ ...span, links: causes }), context, work);
  return callContext.run({ ...context, traceparent: cause }, async () => inSpan(span, work));
};

const during = async <Result>(
  { traceparent, span }: Traced,
  context: CallContext,
  work: () => Promise<Result>,
  outcomeOf?: (result: Result) => Outcome,
): Promise<Result> => {
  try {
    const result = await callContext.run({ ...context, traceparent }, work);
    endSpan(span, outcomeOf?.(result));
    return result;
  } catch (error) {
    endSpan(span, failureOf(error));
    throw error;
  }
};

/** A refusal that the TPP caused is an answer, not an error of the service. */
const failureOf = (error: unknown): Outcome => {
  const [first] = error instanceof CallFailed ? error.failures : [];
  if (first === undefined) return { error: kindOf(error) };
  const [status] = failures[first.failure];
  const attributes = { 'rpc.status_code': first.failure };
  return status < 500 ? { attributes } : { attributes, error: first.failure };
};

const kindOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.name;
};

/** The span of a call between services, on the caller's side (`CLIENT`) or on that of the service (`SERVER`). */
export const callSpan = (kind: 'CLIENT' | 'SERVER', subject: string): SpanDescription => ({
  name: subject,
  kind,
  attributes: { 'rpc.system.name': 'nats', 'rpc.method': subject },
});
