import { randomUUID } from 'node:crypto';

/** The W3C trace context of a request: its trace, and the span that the next one is below. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const zeros = /^0+$/;
/** Later versions may add fields behind the flags; version 00 has none, and version ff is invalid. */
const header = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` header (W3C Trace Context 3.2). Undefined if it is malformed. */
export const parseTraceparent = (text: unknown): TraceContext | undefined => {
  if (typeof text !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = header.exec(text) ?? [];
  if (version === undefined || zeros.test(traceId) || zeros.test(spanId)) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** Random digits, never all zero. Node prepares UUIDs in advance, so they cost a tenth of `randomBytes`. */
const randomHex = (): string => randomUUID().replaceAll('-', '');

/** Returns a new span of a trace that is not recorded, in a new trace if none is given. */
export const unsampledTraceparent = (traceId = randomHex()): string =>
  formatTraceparent({ traceId, spanId: randomHex().slice(16), isSampled: false });

/** Returns the id of the trace. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);
