import { eventStreams, type EventResource } from '@xs2a/contracts/event-streams';
import { basketEventTypes } from '@xs2a/domain/basket/basket-event-types';
import { consentEventTypes } from '@xs2a/domain/consent/consent-event-types';
import type { EventTypes } from '@xs2a/events/event-types';
import { encryptedMember, type Field, type Fields } from '@xs2a/events/personal-members';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { join } from 'node:path';
import { root } from './sources.js';
import { type JsonSchema, TypeSchemas } from './type-schemas.js';

/** A file that exports a union of events and the registry of their types. */
interface Source {
  readonly file: string;
  readonly union: string;
  readonly types: EventTypes;
}

type Sources = Readonly<Record<EventResource, readonly Source[]>>;

/** The files that declare the event types of each resource. */
const ownSources: Sources = {
  payments: [
    {
      file: 'libs/domain/src/payment/payment-events.ts',
      union: 'PaymentEvent',
      types: paymentEventTypes,
    },
    { file: 'libs/domain/src/basket/basket-events.ts', union: 'BasketEvent', types: basketEventTypes },
  ],
  consents: [
    {
      file: 'libs/domain/src/consent/consent-events.ts',
      union: 'ConsentEvent',
      types: consentEventTypes,
    },
  ],
};
const envelopeFile = 'libs/events/src/published-event.ts';

interface PublishedType {
  readonly resource: EventResource;
  readonly type: string;
  readonly meaning: string;
  readonly schemaVersion: number;
  readonly schema: JsonSchema;
}

export const schemaFile = ({
  resource,
  type,
  schemaVersion,
}: Omit<PublishedType, 'schema' | 'meaning'>): string => `${resource}.${type}.v${schemaVersion}.json`;

/**
 * Returns every event type currently published, with the JSON Schema of the whole event derived from the
 * TypeScript types.
 */
export const publishedTypes = (sources: Sources = ownSources): PublishedType[] => {
  const resources = Object.keys(eventStreams) as EventResource[];
  const files = resources.flatMap((resource) => sources[resource].map(({ file }) => file));
  const schemas = new TypeSchemas([envelopeFile, ...files].map((file) => join(root, file)));
  const envelope = schemas.ofInterface(join(root, envelopeFile), 'PublishedEvent');
  return resources.flatMap((resource) =>
    sources[resource].flatMap(({ file, union, types }) => {
      const data = schemas.ofUnion(join(root, file), union, { by: 'type', of: 'data' });
      return Object.entries(types).map(([type, { meaning, schemaVersion, fields }]) => {
        const shape = data.get(type);
        if (shape === undefined) throw new Error(`${union} has no member ${type}`);
        if (fields === undefined) throw new Error(`${type} has no field table`);
        const head = { resource, type, meaning, schemaVersion };
        return { ...head, schema: eventSchema(head, envelope, encryptedSchema(shape, fields)) };
      });
    }),
  );
};

/** Returns the schema of data whose personal members are encrypted together. */
const encryptedSchema = (shape: JsonSchema, fields: Fields): JsonSchema => {
  const plain = plainSchema(shape, fields);
  if (JSON.stringify(plain) === JSON.stringify(shape)) return shape;
  const wasRequired = shape.required?.some((name) => isPersonal(fields[name])) === true;
  return {
    ...plain,
    properties: { ...plain.properties, [encryptedMember]: encryptedText },
    required: [...(plain.required ?? []), ...(wasRequired ? [encryptedMember] : [])],
  };
};

const encryptedText: JsonSchema = {
  description:
    'Personal data, encrypted: base64 of a 12-byte nonce, the ciphertext of a JSON object and a 16-byte tag (AES-256-GCM). Consumers that need the data ask the service.',
  type: 'string',
};

const isPersonal = (field: Field | undefined): boolean =>
  field === undefined ||
  (typeof field === 'string' ? field === 'personal' : Object.values(field).some(isPersonal));

const plainSchema = (shape: JsonSchema, field: Exclude<Field, 'personal'>): JsonSchema => {
  if (field === 'plain') return shape;
  if (shape.items !== undefined) return { ...shape, items: plainSchema(shape.items, field) };
  if (shape.oneOf !== undefined)
    return { ...shape, oneOf: shape.oneOf.map((one) => plainSchema(one, field)) };
  if (shape.properties === undefined) return shape;
  const kept = Object.entries(shape.properties).flatMap(([name, property]) => {
    const own = field[name];
    return own === undefined || own === 'personal' ? [] : [[name, plainSchema(property, own)] as const];
  });
  const properties = Object.fromEntries(kept);
  return {
    ...shape,
    properties,
    required: shape.required?.filter((name) => Object.hasOwn(properties, name)),
  };
};

const eventSchema = (
  { resource, type, meaning, schemaVersion }: Omit<PublishedType, 'schema'>,
  envelope: JsonSchema,
  data: JsonSchema,
): JsonSchema => {
  const properties = envelope.properties ?? {};
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:xs2a:event:${resource}.${type}:${schemaVersion}`,
    title: `xs2a.${resource}.${type}, version ${schemaVersion}`,
    description: meaning,
    ...envelope,
    properties: {
      ...properties,
      source: { ...properties['source'], const: `/xs2a/${resource}` },
      type: { ...properties['type'], const: `xs2a.${resource}.${type}` },
      schemaversion: { ...properties['schemaversion'], const: schemaVersion },
      data,
    },
  };
};

const introduction = `# Events

\`npm run events:schemas\` writes this folder from the types in \`libs/domain\`; a test compares.

Every event is JSON with CloudEvents 1.0 attributes, in the JetStream streams ${Object.values(eventStreams)
  .map((name) => `\`${name}\``)
  .join(' and ')}.

- **Order.** By \`pos\`, which has gaps only where a failover lost events. Delivery is at least once: an \`id\` or \`pos\` seen before is a repeat.
- **Subject.** \`xs2a.<resource>.<type>.<partition>\`: \`xs2a.payments.signed.>\` selects every signature. The partition is the last two
  digits of the resource's id, one of 256. For the life of one payment read \`xs2a.payments.*.<partition>\` and keep the events
  whose \`subject\` is its id.
- **Amounts** are integers in minor units.
- **Personal data** are encrypted in the member \`personal\` of the data, with a key for each payment, consent or basket. Once the key is
  deleted, no copy of the event can be decrypted. Consumers that need the data ask the service.
- **Versions.** An event keeps its \`schemaversion\`. A new shape is a new version with its own file; the old file stays.

In the tables \`?\` marks a member that may be absent.
`;

/** Returns the content of docs/events/README.md: one table per resource. */
export const eventsReadme = (types: readonly PublishedType[]): string => {
  const tables = Object.entries(eventStreams).map(([resource, stream]) => {
    const rows = types
      .filter((one) => one.resource === resource)
      .map((one) => {
        const { properties = {}, required = [] } = one.schema.properties?.['data'] ?? {};
        const fields = Object.keys(properties).map(
          (name) => `\`${name}\`${required.includes(name) ? '' : '?'}`,
        );
        return `| [\`${one.type}\`](${schemaFile(one)}) | ${one.schemaVersion} | ${one.meaning} | ${fields.join(', ')} |`;
      });
    return `
## ${stream}

| type | version | when | data |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
  });
  return introduction + tables.join('');
};
