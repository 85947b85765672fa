import { describe, expect, it } from '@jest/globals';
import { productsOffered } from '@xs2a/domain/payment/product-offers';
import { optionalFeatures } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { endpointIds as all, endpointRules, isPresent } from '../endpoint-rules.js';
import { compactDocument } from './compact-document.js';
import { openApiDocument } from './document.js';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

const baseUrl = 'http://127.0.0.1:9123';
const settings = {
  baseUrl,
  pagesUrl: baseUrl,
  sandbox: true,
  profile: makeProfile('production', { offers: [...optionalFeatures] }),
};
const document = openApiDocument(settings);
const endpointIds = all.filter((id) => isPresent(endpointRules[id], settings));
const operations = Object.values(document.paths).flatMap(
  (item) => Object.values(item) as unknown as Operation[],
);
const operation = (id: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

/** Every schema that a node contains or refers to, except those under `not`. */
const listNodes = (value: unknown, seen = new Set<unknown>()): object[] => {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const reference: unknown = Reflect.get(value, '$ref');
  const target =
    typeof reference === 'string'
      ? reference
          .slice(2)
          .split('/')
          .reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), document)
      : undefined;
  const inner = Object.entries(value).flatMap(([name, one]) =>
    ['not', 'example', 'examples'].includes(name) ? [] : listNodes(one, seen),
  );
  return [value, ...inner, ...listNodes(target, seen)];
};
const alternativesIn = (value: unknown): object[] =>
  listNodes(value).filter((node) => 'oneOf' in node || 'anyOf' in node);

describe('the API description as input for client generators (contract 1)', () => {
  it('has a single schema per response, without alternatives that a lenient parser could confuse', () => {
    expect(operations.flatMap(({ responses }) => alternativesIn(responses))).toEqual([]);
    expect(listNodes(operations.map(({ responses }) => responses)).length).toBeGreaterThan(500);
  });

  it('has alternatives in requests only where JSON types or the bodies of products differ', () => {
    const found = [...new Set(operations.flatMap(({ requestBody }) => alternativesIn(requestBody)))];
    const types = found.map((node) =>
      (Object.values(node).find(Array.isArray) as { readonly type?: string; readonly $ref?: string }[]).map(
        ({ type, $ref }) => type ?? $ref?.replace(/.*\/(?:Bulk)?Payment\./, ''),
      ),
    );
    const bulk = productsOffered('bulk-payments', settings.profile);
    expect(types).toEqual([settings.profile.products, bulk, ['boolean', 'string']]);
  });

  it('uses only pattern syntax that Java, Python, Rust and JavaScript have in common', () => {
    const patterns = listNodes(operations).flatMap((node) =>
      'pattern' in node ? [String(node.pattern)] : [],
    );
    expect(patterns.length).toBeGreaterThan(20);
    for (const pattern of patterns) {
      expect(pattern).toMatch(/^\^.*\$$/);
      expect(pattern).not.toMatch(/\(\?(?!:)|\\[pPdwbzAZ]/);
      expect(() => new RegExp(pattern)).not.toThrow();
      expect(() => new RegExp(pattern, 'u')).not.toThrow();
    }
  });

  it('lists the standard headers of each standard operation, including those without effect', () => {
    const context =
      'PSU-IP-Address PSU-IP-Port PSU-Accept PSU-Accept-Charset PSU-Accept-Encoding PSU-Accept-Language PSU-User-Agent PSU-Http-Method PSU-Device-ID PSU-Geo-Location Digest Signature TPP-Signature-Certificate X-Request-ID'.split(
        ' ',
      );
    const starting =
      'PSU-ID PSU-ID-Type PSU-Corporate-ID PSU-Corporate-ID-Type TPP-Redirect-Preferred TPP-Decoupled-Preferred TPP-Redirect-URI TPP-Nok-Redirect-URI TPP-Notification-URI TPP-Notification-Content-Preferred'.split(
        ' ',
      );
    const listNames = (id: string): string[] =>
      (operation(id).parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name);
    for (const id of endpointIds.filter((one) => !JSON.stringify(operation(one)).includes('"Sandbox"'))) {
      const names = listNames(id);
      expect(new Set(names).size).toBe(names.length);
      if (id !== 'confirmFunds') expect([id, names]).toEqual([id, expect.arrayContaining(context)]);
    }
    for (const id of [
      'initiatePayment',
      'createConsent',
      'startPaymentAuthorisation',
      'startConsentAuthorisation',
    ])
      expect([id, listNames(id)]).toEqual([id, expect.arrayContaining(starting)]);
    expect(listNames('initiatePayment')).toEqual(
      expect.arrayContaining([
        'Consent-ID',
        'TPP-Explicit-Authorisation-Preferred',
        'TPP-Rejection-NoFunds-Preferred',
        'TPP-Brand-Logging-Information',
      ]),
    );
    expect(listNames('confirmFunds')).toEqual(expect.arrayContaining(['Consent-ID', 'Digest', 'Signature']));
  });

  it('documents 405 for every operation, as the response to other methods on its path', () => {
    for (const id of endpointIds) expect(Object.keys(operation(id).responses)).toContain('405');
    expect(JSON.stringify(operation('initiatePayment').responses['405'])).toContain('SERVICE_INVALID');
  });

  it('describes the key set with a dedicated type (RFC 7517)', () => {
    expect(operation('jwks').responses['200']).toMatchObject({ content: { 'application/jwk-set+json': {} } });
  });
});

describe('the types of generated clients', () => {
  const isModel = (node: object): boolean => 'properties' in node;
  const profiles = (['sandbox', 'bg-euro'] as const).map((name) => {
    const profile = makeProfile(name, { offers: [...optionalFeatures] });
    return [name, openApiDocument({ ...settings, profile })] as const;
  });

  it.each(profiles)('have names of the standard or of this API, without numbers: %s', (_name, full) => {
    const compact = compactDocument(full);
    const models = Object.entries(compact.components.schemas).filter(([, schema]) => isModel(schema));
    expect(models.length).toBeGreaterThan(60);
    for (const [name] of models) expect(name).toMatch(/^[A-Z][A-Za-z]+(?:\.[A-Za-z]+(?:-[A-Za-z0-9]+)*)?$/);
    const unnamed = listNodes(compact).flatMap((node) => {
      const items: unknown = Reflect.get(node, 'items');
      return typeof items === 'object' && items !== null && isModel(items) ? [items] : [];
    });
    const answers = listNodes(operations.map(({ responses }) => responses)).flatMap((node) => {
      const schema: unknown = Reflect.get(node, 'schema');
      return typeof schema === 'object' && schema !== null && isModel(schema) ? [schema] : [];
    });
    expect([unnamed, answers]).toEqual([[], []]);
  });

  it.each(profiles)('do not depend on what the description shares: %s', (_name, full) => {
    const shared = Object.entries(compactDocument(full).components.schemas).filter(
      ([name]) => !(name in full.components.schemas),
    );
    expect(shared.length).toBeGreaterThan(3);
    for (const [name, schema] of shared)
      expect([name, 'enum' in schema || 'properties' in schema]).toEqual([name, false]);
  });

  it.each(profiles)('are none for a rule about an object: %s', (_name, full) => {
    const rules = listNodes(full.components).flatMap((node) => ('not' in node ? [node.not] : []));
    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules) expect(rule).toMatchObject({ 'x-internal': true });
    const parts = rules.flatMap((rule) => listNodes(rule)).filter(isModel);
    expect(parts.length).toBeGreaterThan(10);
    for (const part of parts) expect(part).toMatchObject({ 'x-internal': true });
  });
});

describe('addresses in the API description', () => {
  it('are served by the gateway, or are the redirect URI of an example or of a TPP of the sandbox', () => {
    const addresses = new Set(JSON.stringify(document).match(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g));
    expect([...addresses]).toEqual([baseUrl, 'http://localhost:3000', 'http://localhost:8090']);
  });
});
