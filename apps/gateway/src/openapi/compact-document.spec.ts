import { describe, expect, it } from '@jest/globals';
import { optionalFeatures } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { compactDocument } from './compact-document.js';
import { openApiDocument, type OpenApiDocument } from './document.js';

const address = 'http://127.0.0.1:8080';

/** A node with the target of each reference in its place. */
const dereferenced = (node: unknown, root: OpenApiDocument): unknown => {
  if (Array.isArray(node)) return node.map((one) => dereferenced(one, root));
  if (typeof node !== 'object' || node === null) return node;
  const reference: unknown = Reflect.get(node, '$ref');
  if (typeof reference !== 'string')
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, dereferenced(one, root)]));
  const target = reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), root);
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return dereferenced(target, root);
};

const cases = (['sandbox', 'production', 'bg-euro', 'bg-euro-production'] as const).flatMap((name) =>
  [true, false].flatMap((sandbox) =>
    [[], [...optionalFeatures]].map((more) => {
      const shipped = makeProfile(name);
      const profile = more.length === 0 ? shipped : makeProfile(name, { offers: more });
      const offers = more.length === 0 ? 'as shipped' : 'with all features';
      const document = openApiDocument({ baseUrl: address, pagesUrl: address, sandbox, profile });
      return [`${name}, ${sandbox ? 'in' : 'outside'} a sandbox, ${offers}`, document] as const;
    }),
  ),
);

describe('the description as it is sent (contract 1)', () => {
  it.each(cases)('means the same as the full one: %s', (_title, full) => {
    const compact = compactDocument(full);
    const { components, ...rest } = full;
    const { components: shared, ...others } = compact;
    expect(dereferenced(others, compact)).toEqual(dereferenced(rest, full));
    expect(Object.keys(others)).toEqual(Object.keys(rest));
    const wanted = dereferenced(components, full) as OpenApiDocument['components'];
    const found = dereferenced(shared, compact) as OpenApiDocument['components'];
    expect(found).toMatchObject(wanted);
    for (const [name, schema] of Object.entries(wanted.schemas)) expect(found.schemas[name]).toEqual(schema);
  });

  it.each(cases)('has less than 440 kB, and each shared part is used: %s', (_title, full) => {
    const compact = compactDocument(full);
    const text = JSON.stringify(compact);
    expect(text.length).toBeLessThan(JSON.stringify(full).length * 0.42);
    expect(text.length).toBeLessThan(440_000);
    for (const [kind, parts] of Object.entries(compact.components)) {
      if (kind === 'securitySchemes' || kind === 'headers') continue;
      for (const name of Object.keys(parts)) {
        expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
        if (name in full.components.schemas && kind === 'schemas') continue;
        expect([name, text.split(`"#/components/${kind}/${name}"`).length > 2]).toEqual([name, true]);
      }
    }
  });

  it('repeats no parameter and no error response', () => {
    const [, full] = cases[0] ?? [];
    if (full === undefined) throw new Error('no document');
    const seen = Object.values(compactDocument(full).paths).flatMap((item) =>
      Object.values(item).flatMap(({ parameters = [], responses }) => [
        ...(parameters as object[]),
        ...Object.values(Object(responses) as object),
      ]),
    );
    const inline = seen.filter((part) => !('$ref' in part)).map((part) => JSON.stringify(part));
    const long = inline.filter((text) => text.length >= 120);
    expect(new Set(long).size).toBe(long.length);
  });
});
