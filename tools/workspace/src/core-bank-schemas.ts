import { join } from 'node:path';
import { root } from './sources.js';
import { type JsonSchema, TypeSchemas } from './type-schemas.js';

const source = join(root, 'libs/core-banking/src/nats/bank-messages.ts');

/** The JSON Schemas that validate a bank's responses at run time. */
const messageSchemasFile = 'libs/core-banking/src/nats/generated/bank-messages.schema.json';
/** The same schemas for readers and code generators. */
const asyncApiFile = 'docs/core-bank/asyncapi.json';

interface BankSchemas {
  readonly context: JsonSchema;
  readonly error: JsonSchema;
  readonly messages: Readonly<
    Record<
      string,
      { readonly description: string; readonly request: JsonSchema; readonly answer: JsonSchema }
    >
  >;
}

/**
 * Larger numbers are not exact in JavaScript and many other languages, so every amount must stay within these
 * bounds.
 */
const bounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const bounded = (schema: unknown): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(bounded);
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, bounded(value)]));
  return 'type' in inside && inside['type'] === 'integer' ? { ...inside, ...bounds } : inside;
};

/** Returns JSON Schemas of all messages exchanged with a bank, derived from the TypeScript types. */
export const bankSchemas = (): BankSchemas => {
  const schemas = new TypeSchemas([source]);
  const messages = schemas.ofInterface(source, 'BankMessages').properties ?? {};
  const made = {
    context: schemas.ofInterface(source, 'BankContext'),
    error: schemas.ofInterface(source, 'BankError'),
    messages: Object.fromEntries(
      Object.entries(messages).map(([subject, { description = '', properties = {} }]) => [
        subject,
        { description, request: properties['request'] ?? {}, answer: properties['answer'] ?? {} },
      ]),
    ),
  };
  return bounded(made) as BankSchemas;
};

const toName = (subject: string): string => subject.replace('svc.bank.', '').replaceAll('.', '-');
const envelope = (properties: Readonly<Record<string, unknown>>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const introduction =
  `What a core bank answers over NATS request/reply. Every request is one JSON object {context, request}; the
answer is {ok: …} or {error: …}, to the reply subject of the request. Amounts are integer minor units of their currency (1.00 BGN is
100). Commands carry idempotency keys: a repeated key is the same command, which is executed once and returns its first answer. Subscribe in a
queue group, so that of several instances one answers. docs/how-to/connect-your-core-bank.md walks through it.`.replaceAll(
    '\n',
    ' ',
  );

interface BankMessage {
  readonly name: string;
  readonly subject: string;
  readonly description: string;
  readonly request: JsonSchema;
  readonly answer: JsonSchema;
}

const describeOperation = ({ name, description }: BankMessage): [string, object] => [
  name,
  {
    action: 'receive',
    summary: description,
    channel: { $ref: `#/channels/${name}` },
    messages: [{ $ref: `#/channels/${name}/messages/request` }],
    reply: {
      address: { location: '$message.header#/reply', description: 'The reply subject of the NATS message.' },
      channel: { $ref: `#/channels/${name}-answer` },
      messages: [{ $ref: `#/channels/${name}-answer/messages/answer` }],
    },
  },
];

const describeChannels = ({ name, subject, description }: BankMessage): [string, object][] => [
  [
    name,
    {
      address: subject,
      description,
      messages: { request: { $ref: `#/components/messages/${name}-request` } },
    },
  ],
  [
    `${name}-answer`,
    { address: null, messages: { answer: { $ref: `#/components/messages/${name}-answer` } } },
  ],
];

const describeMessages = ({ name, request, answer }: BankMessage): [string, object][] => [
  [`${name}-request`, { payload: envelope({ context: { $ref: '#/components/schemas/context' }, request }) }],
  [
    `${name}-answer`,
    {
      payload: {
        oneOf: [envelope({ ok: answer }), envelope({ error: { $ref: '#/components/schemas/error' } })],
      },
    },
  ],
];

/** Returns an AsyncAPI 3 document from the bank's point of view: the bank receives requests and replies to them. */
export const asyncApi = ({ context, error, messages }: BankSchemas): object => {
  const all = Object.entries(messages).map(([subject, parts]) => ({
    subject,
    name: toName(subject),
    ...parts,
  }));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Core bank of an XS2A interface', version: '1.0.0', description: introduction },
    defaultContentType: 'application/json',
    servers: {
      nats: {
        host: 'nats:4222',
        protocol: 'nats',
        description: 'The NATS user `bank`, which may subscribe to `svc.bank.>` and answer, nothing else.',
        security: [{ $ref: '#/components/securitySchemes/account' }],
      },
    },
    channels: Object.fromEntries(all.flatMap(describeChannels)),
    operations: Object.fromEntries(all.map(describeOperation)),
    components: {
      securitySchemes: { account: { type: 'userPassword' } },
      messages: Object.fromEntries(all.flatMap(describeMessages)),
      schemas: { context, error },
    },
  };
};

const text = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the expected file contents by file name. */
export const coreBankFiles = (): Readonly<Record<string, string>> => {
  const schemas = bankSchemas();
  return { [messageSchemasFile]: text(schemas), [asyncApiFile]: text(asyncApi(schemas)) };
};
