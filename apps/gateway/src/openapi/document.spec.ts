import { describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import { paymentServices } from '@xs2a/domain/payment/payment-services';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { readFileSync } from 'node:fs';
import { endpointIds, endpointRules, isPresent, isSandboxEndpoint } from '../endpoint-rules.js';
import { controllers, sandboxControllers } from '../gateway.module.js';
import { openApiDocument } from './document.js';
import { listOperations, type Operation, violationsIn, wrongExamples } from '../testing/document-checks.js';

const profile = makeProfile('sandbox');
const settings = {
  baseUrl: 'http://127.0.0.1:8080',
  pagesUrl: 'http://127.0.0.1:8080',
  sandbox: true,
  profile,
};
const document = openApiDocument(settings);
const operations = listOperations(document);
const ofOthers = new Set(
  'authorize pushAuthorizationRequest token revokeToken jwks discovery live ready openapi docs'.split(' '),
);

const violations = violationsIn(document);

describe('the OpenAPI document (contract 1)', () => {
  it('describes exactly the endpoints in endpoint-rules.ts, under each payment service', () => {
    const described = operations.filter(({ operation }) => !ofOthers.has(operation.operationId));
    const present = endpointIds.filter((id) => isPresent(endpointRules[id], settings));
    const wanted = present.flatMap((id) => {
      const rule = endpointRules[id];
      const services = rule.path.includes('{payment-service}') ? paymentServices : [''];
      return services.map((service) => {
        const path = rule.path.replace('{payment-service}', service);
        return `${rule.method} ${isSandboxEndpoint(rule) ? path : `/v1${path}`} ${rule.success}`;
      });
    });
    const found = described.map(({ path, method, operation }) => {
      const success = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      return `${method.toUpperCase()} ${path} ${success.join()}`;
    });
    expect(found.sort()).toEqual(wanted.sort());
  });

  it('gives different names to the operations of different payment services', () => {
    const idAt = (path: string): unknown => document.paths[path]?.['get']?.['operationId'];
    expect(
      paymentServices.flatMap((service) => [
        idAt(`/v1/${service}/{payment-product}/{paymentId}/status`),
        idAt(`/v1/${service}/{payment-product}/{paymentId}/cancellation-authorisations`),
      ]),
    ).toEqual([
      'readPaymentStatus',
      'listCancellationAuthorisations',
      'readPeriodicPaymentStatus',
      'listPeriodicPaymentCancellationAuthorisations',
      'readBulkPaymentStatus',
      'listBulkPaymentCancellationAuthorisations',
    ]);
  });

  it('omits everything that the profile does not offer (spec 1.7)', () => {
    const production = openApiDocument({ ...settings, profile: makeProfile('production') });
    const text = JSON.stringify(production);
    expect(text).not.toContain('/v1/bulk-payments/');
    expect(text).not.toContain('numberOfPayments');
    expect(text).not.toContain('BulkPayment');
    expect(production.paths).toHaveProperty(['/v1/periodic-payments/{payment-product}', 'post']);
    expect(production.tags.map(({ name }) => name)).toContain('Periodic payments');
    expect(production.tags.map(({ name }) => name)).not.toContain('Bulk payments');
  });

  it('lists the products that each service accepts (contract 9)', () => {
    const productsAt = (service: string): unknown =>
      operations
        .find(({ path, method }) => method === 'post' && path === `/v1/${service}/{payment-product}`)
        ?.operation.parameters?.find(({ name }) => name === 'payment-product')?.schema;
    expect(paymentServices.map((service) => productsAt(service))).toEqual([
      { type: 'string', enum: profile.products },
      { type: 'string', enum: ['domestic', 'domestic-credit-transfer-BGN'] },
      { type: 'string', enum: ['domestic-credit-transfer-BGN', 'domestic-budget-transfer-BGN'] },
    ]);
  });

  it('lists the published versions of the periodic APIs (spec 9)', () => {
    const readVersions = (path: string, method: string): unknown =>
      operations
        .find((one) => one.path === path && one.method === method)
        ?.operation.parameters?.find(({ name }) => name === 'X-API-Version')?.schema;
    const order = '/v1/periodic-payments/{payment-product}/{paymentId}';
    const older = { type: 'string', enum: ['1.0.0', '1.3.2'] };
    expect(readVersions('/v1/periodic-payments/{payment-product}', 'post')).toEqual({
      type: 'string',
      enum: ['1.0.6', '1.3.2'],
    });
    for (const [path, method] of [
      [order, 'get'],
      [order, 'delete'],
      [`${order}/status`, 'get'],
      [`${order}/authorisations`, 'get'],
      [`${order}/authorisations/{authorisationId}`, 'get'],
    ] as const)
      expect([path, readVersions(path, method)]).toEqual([path, older]);
    expect(readVersions(`${order}/authorisations`, 'post')).toBeUndefined();
    expect(readVersions(order.replace('periodic-', ''), 'get')).toBeUndefined();
  });

  it('advises for a 503 to repeat the request with the same Idempotency-Key if the request had one (contract 2)', () => {
    const texts = operations.flatMap(({ operation }) =>
      [
        ...JSON.stringify(operation.responses['503'] ?? {}).matchAll(/with the same Idempotency-Key[^"]*/g),
      ].map(([text]) => text),
    );
    expect(texts.length).toBeGreaterThan(operations.length);
    expect([...new Set(texts)]).toEqual(['with the same Idempotency-Key if you sent one.']);
  });

  it('describes only endpoints that have a controller method', () => {
    const answered = [...controllers, ...sandboxControllers].flatMap((controller) =>
      Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
        const method: unknown = Reflect.get(controller.prototype, name);
        const config: unknown =
          typeof method === 'function' ? Reflect.getMetadata('__fastify_route_config__', method) : undefined;
        return config === undefined ? [] : [Reflect.get(Object(config), 'endpoint') as string];
      }),
    );
    expect(answered.sort()).toEqual([...endpointIds].sort());
  });

  it('declares every path parameter, and gives each operation a unique name', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? [])
        .filter((one) => one.in === 'path')
        .map(({ name }) => name);
      expect(declared).toEqual(named);
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has no broken references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      const found = reference
        .split('/')
        .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
      expect(found === undefined ? reference : 'there').toBe('there');
    }
  });

  it.each(
    operations.map(({ path, method, operation }): [string, Operation] => [`${method} ${path}`, operation]),
  )('contains examples that match their schemas: %s', (_name, operation) => {
    expect(wrongExamples(operation, violations)).toEqual([]);
  });

  it('lists every failure status and code, with its headers', () => {
    const initiate = operations.find(
      ({ operation }) => operation.operationId === 'initiatePayment',
    )?.operation;
    expect(Object.keys(initiate?.responses ?? {}).sort()).toEqual(
      ['201', '400', '401', '403', '404', '405', '406', '409', '413', '415', '429', '500', '503'].sort(),
    );
    for (const { operation } of operations)
      for (const [status, { headers, content }] of Object.entries(operation.responses)) {
        if (ofOthers.has(operation.operationId)) continue;
        expect(Object.keys(headers ?? {})).toEqual(expect.arrayContaining(['X-Request-ID', 'Cache-Control']));
        if (status === '401') expect(headers).toHaveProperty('WWW-Authenticate');
        for (const name of Object.keys(content?.['application/json']?.examples ?? {}))
          expect(String(Reflect.get(failures, name)?.[0])).toBe(status);
      }
  });

  it('has no examples that close or block anything, or change what happens to the fixtures (contract 13)', () => {
    const sent = operations.flatMap(({ path, operation }) => {
      const { example, examples = {} } = operation.requestBody?.content['application/json'] ?? {};
      return [example, ...Object.values(examples).map(({ value }) => value)].map((body) => ({ path, body }));
    });
    // A reader may send such a body with the IBAN of any other example, which is that of a fixture.
    expect(sent.filter(({ body }) => /"(?:closed|blocked)"/.test(JSON.stringify(body) ?? ''))).toEqual([]);
    const harmful = sent.filter(({ body }) =>
      /"status"|"outcome":"(?!none)/.test(JSON.stringify(body) ?? ''),
    );
    expect(harmful.map(({ path }) => path)).toEqual([
      '/sandbox/tpps/{clientId}',
      '/sandbox/accounts/{iban}',
      '/sandbox/simulate',
    ]);
    const fixtures = readFileSync(
      new URL('../../../../deploy/sandbox/sandbox-fixtures.json', import.meta.url),
      'utf8',
    );
    for (const { path } of harmful) {
      const example = operations.find((one) => one.path === path)?.operation;
      const text = JSON.stringify([example?.requestBody, example?.responses['200']]);
      const named = [...text.matchAll(/"(?:iban|clientId|psuId)":"([^"]+)"/g)].map(([, id = '']) => id);
      expect(named.length).toBeGreaterThan(0);
      for (const id of named) expect(fixtures).not.toContain(`"${id}"`);
    }
  });

  it('states for the SEPA example, and only there, that a bank with a different currency refuses it', () => {
    const described = (name: 'sandbox' | 'production'): string[][] => {
      const { paths } = openApiDocument({ ...settings, profile: makeProfile(name) });
      const initiation = paths['/v1/payments/{payment-product}']?.['post'] as unknown as
        | Operation
        | undefined;
      return Object.entries(initiation?.requestBody?.content['application/json']?.examples ?? {}).flatMap(
        ([product, { description }]) => (description === undefined ? [] : [[product, description]]),
      );
    };
    expect(described('production')).toEqual([]);
    expect(described('sandbox')).toEqual([
      [
        'SEPA-Credit-Transfer',
        'This bank accepts only BGN, so a payment in EUR returns 400 PAYMENT_FAILED here. Send BGN to another product.',
      ],
    ]);
  });

  it('stays the same during a day; on a later day, all dates in requests and responses have moved forward', () => {
    expect(openApiDocument(settings, '2031-05-06')).toEqual(openApiDocument(settings, '2031-05-06'));
    expect(JSON.stringify(openApiDocument(settings, '2031-05-06').paths)).not.toMatch(
      /"20(?:2\d)-\d\d-\d\d"/,
    );
  });

  it('omits the sandbox endpoints if there is no sandbox', () => {
    const production = openApiDocument({ ...settings, sandbox: false });
    expect(Object.keys(production.paths).filter((path) => path.startsWith('/sandbox'))).toEqual([]);
    expect(production.tags.map(({ name }) => name)).not.toContain('Sandbox');
  });

  it('lists X-Sandbox-Clock on every response and notification of a sandbox, and nowhere else (contract 13)', () => {
    for (const { operation } of operations)
      for (const { headers } of Object.values(operation.responses))
        expect(headers).toHaveProperty('X-Sandbox-Clock');
    expect(document.components.headers).toHaveProperty('X-Sandbox-Clock');
    expect(JSON.stringify(operations.map(({ operation }) => Reflect.get(operation, 'callbacks')))).toContain(
      '"name":"X-Sandbox-Clock"',
    );
    const production = { ...settings, sandbox: false };
    expect(JSON.stringify(openApiDocument(production))).not.toContain('X-Sandbox-Clock');
  });
});

describe('Link of a sandbox (contract 3)', () => {
  const linked = (ids: (id: string) => boolean): string[] =>
    operations
      .filter(({ operation }) => ids(operation.operationId))
      .flatMap(({ operation }) =>
        Object.entries(operation.responses)
          .filter(([, { headers }]) => Object.hasOwn(Object(headers), 'Link'))
          .map(([status]) => `${operation.operationId} ${status}`),
      );

  it('is listed on every error of an endpoint, and on no success', () => {
    const errors = operations
      .filter(({ operation }) => !ofOthers.has(operation.operationId))
      .flatMap(({ operation }) =>
        Object.keys(operation.responses)
          .filter((status) => Number(status) >= 400)
          .map((status) => `${operation.operationId} ${status}`),
      );
    expect(linked((id) => !ofOthers.has(id))).toEqual(errors);
  });

  it('is not listed for the authorization server, whose errors have another form', () => {
    const oauth = new Set(['authorize', 'pushAuthorizationRequest', 'token', 'revokeToken']);
    expect(linked((id) => oauth.has(id))).toEqual([]);
  });

  it('is not listed outside the sandbox', () => {
    const production = openApiDocument({ ...settings, sandbox: false });
    expect(production.components.headers).not.toHaveProperty('Link');
    expect(JSON.stringify(production).includes('#/components/headers/Link')).toBe(false);
  });
});

describe('status 429 (contract 3)', () => {
  it('is documented with Retry-After for every operation except health', () => {
    for (const { path, method, operation } of operations) {
      const retryAfter = operation.responses['429']?.headers?.['Retry-After'];
      const isProbe = path.startsWith('/health/');
      expect([method, path, retryAfter !== undefined]).toEqual([method, path, !isProbe]);
    }
  });
});
