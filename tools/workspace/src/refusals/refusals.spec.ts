import { describe, expect, it } from '@jest/globals';
import { endpointIds } from '@xs2a/gateway/endpoint-rules';
import { failures } from '@xs2a/domain/failure/failures';
import { correctedRequest } from '@xs2a/refusals/corrected-request';
import { describedRequests } from '@xs2a/refusals/described-requests';
import { ruleOf } from '@xs2a/refusals/rule-table';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { listAnchors } from '../references.js';
import { readText } from '../sources.js';
import { describeRequests, exampleDocument } from './described-requests.js';
import { readRule, ruleTexts } from './rule-texts.js';

const generated = (name: string): unknown => JSON.parse(readText(`libs/refusals/src/generated/${name}.json`));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const rules = ruleTexts();
const all = Object.entries({ ...rules.failures, ...rules.fields });

describe('what libs/refusals knows (npm run refusals)', () => {
  it('matches the texts of docs/contract and docs/rules', () => {
    expect(generated('rules')).toEqual(asJson(rules));
  });

  it.each([
    ['lev', 'requests'],
    ['euro', 'euro-requests'],
  ] as const)('matches the OpenAPI document of a bank in the standard %s', (standard, name) => {
    expect(generated(name)).toEqual(asJson(describeRequests(standard)));
  });
});

describe('the rule of a refusal', () => {
  it('exists for every failure', () => {
    expect(Object.keys(ruleOf).sort()).toEqual(Object.keys(failures).sort());
  });

  it.each(all)('of %s is in a section of its page, and has a short text without links', (_name, rule) => {
    expect([...listAnchors(readText(rule.page))]).toContain(rule.anchor);
    expect(rule.page).toMatch(/^docs\/(?:contract|rules)\//);
    expect(rule.text).toMatch(/^.{10,600}$/);
    expect(rule.text).not.toMatch(/\]\(|\|$/);
  });

  it('names its status and code wherever a situation of contract 3 states it', () => {
    const wrong = Object.entries(rules.failures).filter(([name, { title, text }]) => {
      const [status, code] = failures[name as keyof typeof failures];
      return title === 'Errors by situation' && !text.includes(`${status} \`${code}\``);
    });
    expect(wrong).toEqual([]);
  });

  it('is an error if its words are not in its section', () => {
    expect(() =>
      readRule({ rule: 'contract 3', section: 'Errors by situation', at: 'no such words' }),
    ).toThrow('no text');
    expect(() => readRule({ rule: 'contract 3', section: 'No section', at: 'expired token' })).toThrow(
      'no text',
    );
    expect(() => readRule({ rule: `contract ${99}`, section: 'Errors by situation', at: 'x' })).toThrow(
      'no text',
    );
  });
});

/** The body of a corrected request; undefined if it has none. */
const bodyOf = (lines: readonly { readonly text: string }[]): unknown => {
  const [, ...body] = lines.map(({ text }) => text);
  return body[0] === '{' ? JSON.parse(body.join('\n')) : undefined;
};

interface Described {
  readonly schema: { readonly $ref?: string; readonly anyOf?: readonly { readonly $ref: string }[] };
}

const withDocument = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;

describe.each(['lev', 'euro'] as const)('a corrected request of a bank in the standard %s', (standard) => {
  const setting = { today: '2026-11-20', standard };
  const document = exampleDocument(standard);
  const described = describedRequests[standard];
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addFormat('int64', true);
  ajv.addSchema({ $id: 'document', ...(document as object) });

  const operations = Object.entries(described.operations);
  const fields = operations.flatMap(([operation, { fields: own = {} }]) =>
    Object.keys(own).map((path): [string, string] => [operation, path]),
  );

  /** The schema of the body to which a request line leads. */
  const validatorOf = (line: string): ((body: unknown) => boolean) => {
    const [method = '', path = ''] = line.split(' ');
    const [place, product] =
      path in document.paths
        ? [path, undefined]
        : [path.replace(/\/[^/]+$/, '/{payment-product}'), path.split('/').at(-1)];
    const operation = document.paths[place]?.[method.toLowerCase()] ?? {};
    const { content } = operation['requestBody'] as { readonly content: Readonly<Record<string, Described>> };
    const schema = content['application/json']?.schema;
    const $ref = schema?.$ref ?? schema?.anyOf?.find((one) => one.$ref.endsWith(`.${product}`))?.$ref;
    return ajv.compile({ $ref: `document${$ref}` });
  };

  it('exists for every operation', () => {
    expect(operations.map(([operation]) => operation).sort()).toEqual([...endpointIds].sort());
    for (const id of endpointIds)
      expect(correctedRequest(id, [], setting)?.lines[0]?.text).toMatch(/^(?:GET|POST|PATCH|DELETE) \//);
  });

  it.each(fields)('of %s with “%s” has the field and is valid', (operation, path) => {
    const { lines = [] } = correctedRequest(operation, [path], setting) ?? {};
    if (path !== '') expect(lines.some(({ isField }) => isField)).toBe(true);
    const body = bodyOf(lines);
    if (body === undefined) return;
    const validate = validatorOf(lines[0]?.text ?? '');
    expect([validate(body), (validate as { errors?: unknown }).errors ?? null]).toEqual([true, null]);
  });

  it('has a valid value for every header and parameter', () => {
    const wrong = described.parameters.filter(({ name, operations: of, sample }) => {
      const own = Object.values(document.paths)
        .flatMap((item) => Object.values(item))
        .flatMap(
          ({ parameters }) => (parameters ?? []) as { readonly name: string; readonly schema: object }[],
        )
        .filter((one) => one.name === name);
      return of.length === 0 || !own.some(({ schema }) => ajv.validate(withDocument(schema), sample));
    });
    expect(wrong).toEqual([]);
    expect(described.parameters.length).toBeGreaterThan(20);
  });
});
