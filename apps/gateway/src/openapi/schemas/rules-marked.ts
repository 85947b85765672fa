import type { Schema } from './schema-parts.js';

/** Keywords for which client generators make a type. */
const typed = ['properties', 'allOf', 'anyOf', 'not', 'required'];

const mark = (node: unknown, isRule: boolean): unknown => {
  if (Array.isArray(node)) return node.map((one) => mark(one, isRule));
  if (typeof node !== 'object' || node === null) return node;
  const marked = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, mark(value, isRule || name === 'not')]),
  );
  return isRule && typed.some((keyword) => keyword in node) ? { 'x-internal': true, ...marked } : marked;
};

/**
 * The same schemas, with `x-internal` in everything under `not`: such a schema is a rule about an object, for which
 * a client generator should make no type.
 */
export const withRulesMarked = (
  schemas: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Schema>> => mark(schemas, false) as Readonly<Record<string, Schema>>;
