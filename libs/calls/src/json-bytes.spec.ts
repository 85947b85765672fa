import { describe, expect, it } from '@jest/globals';
import { readEnvelope } from './context.js';
import { envelopeBytes, JsonBytes } from './json-bytes.js';

const received = (request: unknown): unknown =>
  readEnvelope(Buffer.from(envelopeBytes({ context: { requestId: 'r' }, deadline: 1, request })).toString())
    ?.request;

describe('a body that is already serialised', () => {
  it.each(['{}', ' { "a" : [1e20, "\\u0000", "Иван"] } ', '{"body":null}}'.slice(0, -1), 'null'])(
    'arrives as the value of %s, in any position among the members',
    (text) => {
      const body = new JsonBytes(Buffer.from(text));
      expect(received({ tppId: 'a', body, product: '"body":null}}' })).toEqual({
        tppId: 'a',
        product: '"body":null}}',
        body: JSON.parse(text),
      });
      expect(received({ body })).toEqual({ body: JSON.parse(text) });
    },
  );

  it('is sent byte for byte', () => {
    const text = '{ "amount" : 1.0e2 }';
    const message = Buffer.from(
      envelopeBytes({ deadline: 1, request: { body: new JsonBytes(Buffer.from(text)) } }),
    );
    expect(message.toString()).toBe(`{"deadline":1,"request":{"body":${text}}}`);
  });

  it('is optional: a request without one is serialised as a whole', () => {
    for (const request of [{ body: { a: 1 } }, { body: null }, {}])
      expect(received(request)).toEqual(request);
  });
});
