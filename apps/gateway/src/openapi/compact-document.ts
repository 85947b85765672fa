import type { OpenApiDocument } from './document.js';
import type { Schema } from './schemas/schema-parts.js';

/** The members that list shareable parts by name, and where OpenAPI 3.0 keeps the shared ones. */
const containers: Readonly<Record<string, string>> = {
  parameters: 'parameters',
  responses: 'responses',
  examples: 'examples',
  callbacks: 'callbacks',
  properties: 'schemas',
};
/** Members with data of the API, in which a member called `parameters` means nothing. */
const data = new Set(['example', 'value', 'enum', 'default']);

const keyOf = (kind: string, part: unknown): string => `${kind} ${JSON.stringify(part)}`;
/** A shorter part is not shared: the reference would save little and costs the reader a look-up. */
const isLong = (key: string): boolean => key.length > 120;

/** True for a schema for which client generators make a type, named after the object that has it. */
const isTyped = (part: unknown): boolean => 'enum' in Object(part) || 'properties' in Object(part);

type Share = (kind: string, name: string, part: unknown, visitPart: () => unknown) => unknown;

/** Copies a node, with each shareable part as `share` returns it. */
const visit = (node: unknown, share: Share): unknown => {
  if (Array.isArray(node)) return node.map((one) => visit(one, share));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => {
      const kind = containers[key];
      if (data.has(key)) return [key, value];
      if (kind === undefined) return [key, visit(value, share)];
      const each = (part: unknown, name: string): unknown =>
        share(kind, name, part, () => visit(part, share));
      return [
        key,
        Array.isArray(value)
          ? value.map((part) => each(part, String(Reflect.get(Object(part), 'name'))))
          : Object.fromEntries(Object.entries(Object(value)).map(([name, part]) => [name, each(part, name)])),
      ];
    }),
  );
};

/** The shared parts by kind and name, under names that are free and that a client generator can use. */
class Components {
  private readonly placed = new Map<string, string>();

  constructor(readonly byKind: Record<string, Record<string, unknown>>) {}

  /** Returns the reference to a part, which it adds unless it already has it. */
  refer(kind: string, name: string, key: string, makePart: () => unknown): Schema {
    const known = this.placed.get(key);
    if (known !== undefined) return { $ref: known };
    const parts = (this.byKind[kind] ??= {});
    const base = kind === 'schemas' ? name.replace(/^./, (letter) => letter.toUpperCase()) : name;
    let free = base;
    for (let number = 2; free in parts; number += 1) free = `${base}.${number}`;
    parts[free] = makePart();
    const reference = `#/components/${kind}/${free}`;
    this.placed.set(key, reference);
    return { $ref: reference };
  }
}

/**
 * The same description with each part that occurs more than once (parameter, response, example, callback, property)
 * in `components`, and references in its places. This is the form that is sent: about a third of the size.
 */
export const compactDocument = (document: OpenApiDocument): OpenApiDocument => {
  const counts = new Map<string, number>();
  visit(document, (kind, _name, part, visitPart) => {
    const key = keyOf(kind, part);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    // What a shared part contains is written once, so it counts once.
    return count === 1 || !isLong(key) ? visitPart() : undefined;
  });
  const { components, ...rest } = document;
  const { schemas, ...others } = components;
  const shared = new Components({ ...others, schemas: { ...schemas } });
  const share: Share = (kind, name, part, visitPart) => {
    const key = keyOf(kind, part);
    const isShared = isLong(key) && !isTyped(part) && (counts.get(key) ?? 0) > 1;
    return isShared ? shared.refer(kind, name, key, visitPart) : visitPart();
  };
  const compact = visit(rest, share) as OpenApiDocument;
  for (const [name, schema] of Object.entries(schemas))
    Object.assign(shared.byKind['schemas'] ?? {}, { [name]: visit(schema, share) });
  return { ...compact, components: shared.byKind as OpenApiDocument['components'] };
};
