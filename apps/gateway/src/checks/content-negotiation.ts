import { parse } from 'content-type';

const parseWeight = (q = '1'): number => (/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 1);

/**
 * True if the response may be application/json (RFC 9110 §12.5.1). The most specific media range decides. A
 * missing or empty header allows every type.
 */
export const acceptsJson = (accept: string | undefined): boolean => {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
  if (accept.trim() === '') return true;
  const weights = new Map<string, number>();
  for (let start = 0; start < accept.length;) {
    const { type, parameters, index } = parse(accept, { comma: true, start });
    weights.set(type, Math.max(parseWeight(parameters['q']), weights.get(type) ?? 0));
    start = index + 1;
  }
  return (weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0) > 0;
};

/** True if a body is declared as uncompressed application/json in UTF-8. */
export const declaresJson = (
  contentType: string | undefined,
  contentEncoding: string | undefined,
): boolean => {
  if (contentEncoding !== undefined && !/^(?:identity)?$/i.test(contentEncoding.trim())) return false;
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  const { type, parameters } = parse(contentType);
  // The JSON parser uses the first of two charset parameters, but another program that reads the same body
  // may use the second.
  const namesTwo = /\bcharset\s*=.*\bcharset\s*=/i.test(contentType);
  return type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8') && !namesTwo;
};
