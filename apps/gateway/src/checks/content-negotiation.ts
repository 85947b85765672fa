/** Splits a list header at its commas; quoted strings stay whole. */
const listOf = (value: string): string[] => value.match(/(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g) ?? [];
const partsOf = (value: string): string[] =>
  (value.match(/(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g) ?? []).map((part) => part.trim());

/** How well a media range fits application/json: 3 exactly, 2 `application/*`, 1 `*` `/*`, 0 not at all. */
const fit = (range: string): number =>
  ['*/*', 'application/*', 'application/json'].indexOf(range.toLowerCase()) + 1;

const weightOf = (parameters: readonly string[]): number => {
  const q = parameters.find((parameter) => /^q\s*=/i.test(parameter));
  if (q === undefined) return 1;
  const weight = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.exec(q)?.[1];
  return weight === undefined ? 1 : Number(weight);
};

/** May the answer be application/json (RFC 9110 §12.5.1)? No header, or an empty one, allows everything. */
export const acceptsJson = (accept: string | undefined): boolean => {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
  if (accept.trim() === '') return true;
  let best = { fit: 0, weight: 0 };
  for (const range of listOf(accept)) {
    const [type = '', ...parameters] = partsOf(range);
    const candidate = { fit: fit(type), weight: weightOf(parameters) };
    const better = candidate.fit > best.fit || (candidate.fit === best.fit && candidate.weight > best.weight);
    if (candidate.fit > 0 && better) best = candidate;
  }
  return best.fit > 0 && best.weight > 0;
};

/** Is a body declared as application/json in UTF-8, uncompressed? */
export const declaresJson = (
  contentType: string | undefined,
  contentEncoding: string | undefined,
): boolean => {
  if (contentEncoding !== undefined && !/^(?:identity)?$/i.test(contentEncoding.trim())) return false;
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  const [type = '', ...parameters] = partsOf(contentType);
  if (type.toLowerCase() !== 'application/json') return false;
  const charsets = parameters.filter((parameter) => /^charset\s*=/i.test(parameter));
  return charsets.length <= 1 && charsets.every((charset) => /^charset\s*=\s*"?utf-?8"?$/i.test(charset));
};
