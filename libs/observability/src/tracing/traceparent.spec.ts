import { describe, expect, it } from '@jest/globals';
import { formatTraceparent, parseTraceparent, traceIdOf, unsampledTraceparent } from './traceparent.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('a traceparent (W3C Trace Context 3.2)', () => {
  it.each([
    ['00', false],
    ['01', true],
    ['02', false],
    ['ff', true],
  ])('with the flags %s is sampled: %s', (flags, isSampled) => {
    expect(parseTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual({ traceId, spanId, isSampled });
  });

  it('of a later version may have more fields', () => {
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-the-future-brings`)).toEqual({
      traceId,
      spanId,
      isSampled: true,
    });
  });

  it.each([
    ['nothing', ''],
    ['another text', 'trace'],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['more fields in version 00', `00-${traceId}-${spanId}-01-more`],
    ['a short trace id', `00-${traceId.slice(1)}-${spanId}-01`],
    ['no flags', `00-${traceId}-${spanId}`],
    ['two values', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['a line break', `00-${traceId}-${spanId}-01\n`],
  ])('is malformed with %s', (_what, text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('is malformed if it is not a text', () => {
    expect([undefined, 1, ['a'], null].map(parseTraceparent)).toEqual(Array(4).fill(undefined));
  });

  it('is written as it is read', () => {
    const context = { traceId, spanId, isSampled: true };
    expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
  });

  it('of a new trace has new ids and is not sampled', () => {
    const [one, other] = [parseTraceparent(unsampledTraceparent()), parseTraceparent(unsampledTraceparent())];
    expect(one).toMatchObject({ isSampled: false });
    expect(one?.traceId).not.toBe(other?.traceId);
  });

  it('names its trace', () => {
    expect(traceIdOf(`00-${traceId}-${spanId}-01`)).toBe(traceId);
  });
});
