import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Body, type Field, listFields } from './fields.js';
import { type Answer, type Content, type Operation, type PlacedOperation, resolve } from './operations.js';
import { listExamples } from './requests.js';

/**
 * Adds what the table of fields says of a payment's field: that it is needed only with others, which no schema says, and its
 * name where the schema has no meaning.
 */
const withTable = (field: Field, product: string, { fields }: PaymentStandard): Field => {
  const row = fields.find(({ path }) => path === field.path);
  if (row === undefined) return field;
  const isConditional = row.rules[product as PaymentProduct] === 'conditional';
  return {
    ...field,
    meaning: field.meaning === '' ? row.name : field.meaning,
    need: isConditional ? 'conditional' : field.need,
  };
};

/** Returns the bodies that an operation accepts, one for each product; empty if it takes none. */
export const listBodies = (
  document: OpenApiDocument,
  { path, operation }: PlacedOperation,
  standard: PaymentStandard,
): readonly Body[] => {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  if (content === undefined) return [];
  const { anyOf: schemas = [content.schema] } = resolve(document, content.schema);
  const names = listExamples(content).map(({ name }) => name);
  const isPayment = path.startsWith('/v1/payments/');
  return schemas.map((schema, at) => {
    const name = names[at] ?? '';
    const fields = listFields(document, schema);
    return { name, fields: isPayment ? fields.map((field) => withTable(field, name, standard)) : fields };
  });
};

/** Returns the JSON content that the API description lists for an answer; undefined if the answer has none. */
export const jsonOf = (content: Answer['content']): Content | undefined =>
  Object.entries(content ?? {}).find(([type]) => /^application\/(?:[\w-]+\+)?json$/.test(type))?.[1];

/** Returns the fields of an operation's successful (2xx) answer; an empty list if the answer has no JSON body. */
export const listAnswerFields = (document: OpenApiDocument, { responses }: Operation): readonly Field[] => {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = answer && jsonOf(resolve(document, answer).content)?.schema;
  return schema === undefined ? [] : listFields(document, schema);
};
