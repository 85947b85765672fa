import { isMaxText } from '@xs2a/domain/text/text';

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);

/** https, or http on the own machine; absolute, nobody's name in it, no fragment, as the browser would write it. */
export const isRedirectUri = (value: unknown): value is string => {
  if (!isMaxText(value, 2000) || !/^[\x21-\x7e]+$/.test(value) || value.includes('\\')) return false;
  const uri = URL.parse(value);
  if (uri === null || value.includes('#') || uri.username !== '' || uri.password !== '') return false;
  if (!value.startsWith(`${uri.origin}/`) && value !== uri.origin) return false;
  return uri.protocol === 'https:' || (uri.protocol === 'http:' && loopbacks.has(uri.hostname));
};
