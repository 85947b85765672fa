import type { Answer } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { missingMembers } from './berlin-group.js';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}
interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean } | { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

/** Checks responses against the published OpenAPI document. */
export class OpenApiCheck {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  private readonly compiled = new Map<string, ValidateFunction>();
  /** The operations for which a success response with a body has been received. */
  readonly answered = new Set<string>();

  constructor(private readonly document: Document) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', ...nullable(document) });
  }

  problems(method: string, path: string, { status, headers, text }: Answer): string[] {
    const where = `${method} ${path} → ${status}`;
    const template = this.findTemplate(path);
    const operation =
      template === undefined ? undefined : this.document.paths[template]?.[method.toLowerCase()];
    // Responses for unknown paths, unknown methods and disabled services have the error format and belong to
    // no operation.
    if (operation === undefined)
      return [404, 405, 401, 403].includes(status) ? [] : [`${where}: the document has no such operation`];
    const pointer = ['paths', template ?? '', method.toLowerCase(), 'responses', String(status)];
    const response = this.resolve<ResponseObject>(operation.responses[String(status)]);
    if (response === undefined) return [`${where}: the document does not name this status`];
    const declared = Object.keys(response.content ?? {});
    if (declared.length === 0) return text === '' ? [] : [`${where}: the document says there is no body`];
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (!declared.includes(type)) return [`${where}: content type ${type} is not declared`];
    if (type !== 'application/json') return [];
    const missing = Object.keys(response.headers ?? {}).filter(
      (name) =>
        this.resolve<{ readonly required?: boolean }>(response.headers?.[name])?.required === true &&
        headers.get(name) === null,
    );
    const lacking = status < 300 ? missingMembers(operation.operationId, JSON.parse(text)) : [];
    if (status < 300) this.answered.add(operation.operationId);
    return [
      ...missing.map((name) => `${where}: header ${name} is missing`),
      ...lacking.map((member) => `${where}: the Berlin Group file requires ${member}`),
      ...this.bodyProblems(where, pointer, text, response),
    ];
  }

  private bodyProblems(
    where: string,
    pointer: readonly string[],
    text: string,
    response: ResponseObject,
  ): string[] {
    const key = pointer.join(' ');
    const known = this.compiled.get(key);
    const schema = response.content?.['application/json']?.schema ?? {};
    const validate = known ?? this.ajv.compile(relocated(nullable(schema)));
    this.compiled.set(key, validate);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map((error) => `${where}: ${error.instancePath || '/'} ${error.message}`);
  }

  /** Returns the target of a reference, or the part itself. */
  private resolve<Part extends object>(part: Part | { readonly $ref: string } | undefined): Part | undefined {
    if (part === undefined || !('$ref' in part)) return part;
    return part.$ref
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], this.document) as Part;
  }

  private findTemplate(path: string): string | undefined {
    const plain = (path.split('?')[0] ?? '')
      .replace(/(?<=.)\/$/, '')
      .replace(/^\/v1(?=\/)/, '')
      .replace(/^\/consent(?=\/|$)/, '/consents')
      .replace(/^\/funds-confirmation$/, '/funds-confirmations');
    const steps = plain.split('/');
    const fits = (template: string): boolean => {
      const wanted = template.replace(/^\/v1(?=\/)/, '').split('/');
      return (
        wanted.length === steps.length &&
        wanted.every(
          (step, index) => step.startsWith('{') || step.toLowerCase() === steps[index]?.toLowerCase(),
        )
      );
    };
    // A template with fewer parameters is more specific.
    return Object.keys(this.document.paths)
      .filter(fits)
      .sort((a, b) => a.split('{').length - b.split('{').length)[0];
  }
}

/** Converts `nullable` of OpenAPI 3.0 to the null type of JSON Schema. */
const nullable = <Node>(node: Node): Node => {
  if (Array.isArray(node)) return node.map(nullable) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, nullable(value)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  if (copy['nullable'] === true && typeof copy['type'] === 'string') copy['type'] = [copy['type'], 'null'];
  return copy as Node;
};

const relocated = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;

const checks = new Map<string, Promise<OpenApiCheck>>();

/** Returns the operations for which any client of this address has received a success response with a body. */
export const answeredBy = async (baseUrl: string): Promise<ReadonlySet<string>> =>
  (await checks.get(baseUrl))?.answered ?? new Set();

/** Reads the document of this address again, because the bank has switched to another profile. */
export const readDocumentAgain = (baseUrl: string): void => void checks.delete(baseUrl);

/** Returns the same client, with every response validated against the gateway's own document. */
export const validated = (tpp: TppClient): TppClient => {
  const plain = tpp.call.bind(tpp);
  tpp.call = async (method, path, token, sending) => {
    const answer = await plain(method, path, token, sending);
    let check = checks.get(tpp.baseUrl);
    if (check === undefined) {
      check = plain('GET', '/openapi.json', undefined).then(
        ({ text }) => new OpenApiCheck(JSON.parse(text) as Document),
      );
      checks.set(tpp.baseUrl, check);
    }
    const problems = (await check).problems(method, path, answer);
    if (problems.length > 0)
      throw new Error(`does not match /openapi.json:\n${problems.join('\n')}\n${answer.text.slice(0, 500)}`);
    return answer;
  };
  return tpp;
};
