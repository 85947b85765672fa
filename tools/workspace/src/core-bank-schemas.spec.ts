import { describe, expect, it } from '@jest/globals';
import { asyncApi, bankSchemas, coreBankFiles } from './core-bank-schemas.js';
import { readText } from './sources.js';

describe('the AsyncAPI document for the core bank', () => {
  it.each(Object.entries(coreBankFiles()))(
    'is generated from the types (npm run events:schemas): %s',
    (file, text) => {
      expect(readText(file)).toBe(text);
    },
  );

  it('has a channel and an operation with a reply for every subject, and contains no broken references', () => {
    const schemas = bankSchemas();
    const document = asyncApi(schemas) as {
      readonly channels: Readonly<Record<string, { readonly address: string | null }>>;
      readonly operations: Readonly<Record<string, { readonly reply: object }>>;
    };
    const addresses = Object.values(document.channels).flatMap(({ address }) => address ?? []);
    expect(addresses).toEqual(Object.keys(schemas.messages));
    expect(Object.values(document.operations).filter(({ reply }) => reply !== undefined)).toHaveLength(
      addresses.length,
    );
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    const follow = (path: string): unknown =>
      path
        .split('/')
        .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)?.[name], document);
    expect(references.length).toBeGreaterThan(addresses.length);
    expect(references.filter((path) => follow(path) === undefined)).toEqual([]);
  });
});
