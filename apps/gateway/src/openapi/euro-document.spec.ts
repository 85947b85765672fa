import { describe, expect, it } from '@jest/globals';
import { euroProducts } from '@xs2a/domain/payment/payment-products';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { listOperations, type Operation, violationsIn, wrongExamples } from '../testing/document-checks.js';
import { openApiDocument } from './document.js';

const profile = makeProfile('bg-euro');
const settings = {
  baseUrl: 'http://127.0.0.1:8080',
  pagesUrl: 'http://127.0.0.1:8080',
  sandbox: true,
  profile,
};
const document = openApiDocument(settings);
const operations = listOperations(document);
const violations = violationsIn(document);

const productsAt = (method: string, path: string): unknown =>
  operations
    .find((one) => one.method === method && one.path === path)
    ?.operation.parameters?.find(({ name }) => name === 'payment-product')?.schema;
const closed = ['domestic-credit-transfer-BGN', 'domestic-budget-transfer-BGN'];

describe('the OpenAPI document in euro (contract E1, E2)', () => {
  it.each(
    operations.map(({ path, method, operation }): [string, Operation] => [`${method} ${path}`, operation]),
  )('contains examples that match their schemas: %s', (_name, operation) => {
    expect(wrongExamples(operation, violations)).toEqual([]);
  });

  it('has no example in leva', () => {
    const examples = JSON.stringify(
      operations.map(({ operation: { requestBody, responses } }) =>
        [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].map((content) =>
          Object.values(content ?? {}).map(({ example, examples: all }) => [example, all]),
        ),
      ),
    );
    expect(examples).toContain('"EUR"');
    expect(examples).not.toContain('BGN');
  });

  it('names the products that can be initiated, and the ended ones where they can be read', () => {
    expect(productsAt('post', '/v1/payments/{payment-product}')).toEqual({
      type: 'string',
      enum: [...euroProducts],
    });
    expect(productsAt('get', '/v1/payments/{payment-product}/{paymentId}')).toEqual({
      type: 'string',
      enum: [...euroProducts, ...closed],
    });
    expect(productsAt('delete', '/v1/periodic-payments/{payment-product}/{paymentId}')).toEqual({
      type: 'string',
      enum: ['domestic', 'SEPA-Credit-Transfer', 'domestic-credit-transfer-BGN'],
    });
  });

  it.each(Object.entries(exampleBodies))(
    'describes a payment from before the euro as it is read: %s',
    (_name, body) => {
      const read = { ...body, transactionStatus: 'RCVD', paymentType: 'DOMESTIC' };
      expect(violations({ $ref: '#/components/schemas/PaymentDetails' }, read)).toEqual([]);
    },
  );
});
