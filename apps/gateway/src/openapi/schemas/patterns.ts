import { countryCodes } from '@xs2a/domain/iban/countries';
import { ibanLengths } from '@xs2a/domain/iban/iban-lengths';
import { purposeCodes, type PurposeLayout } from '@xs2a/domain/payment/fields/purpose-codes';
import { isCleanText, isMaxText } from '@xs2a/domain/text/text';

/**
 * The regular expressions of the document, generated from the tables that validation uses. They contain only
 * syntax common to ECMA-262, Java, Python and Rust: no lookarounds and no \p. Violations that a pattern cannot
 * express are rejected only by validation: wrong check digits, and tags, variation selectors and marks beyond the
 * basic multilingual plane.
 */
const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/**
 * The ranges of the basic multilingual plane that contain unwanted characters, in the syntax used inside a
 * character class.
 */
const rangesWithout = (isWanted: (character: string) => boolean): string => {
  const ranges: [number, number][] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (isSurrogate || isWanted(String.fromCharCode(code))) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges
    .map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`))
    .join('');
};
const unclean = rangesWithout(isCleanText);
const invisible = rangesWithout((character) => isMaxText(character, 1));
/** A pattern for clean characters, at least one of them visible. The characters in `except` are not allowed either. */
const seen = (except = ''): string => {
  const any = `[^${except}${unclean}]*`;
  return `${any}[^${except}${invisible}]${any}`;
};

export const textPattern = `^${seen()}$`;

const joinCodes = (layout: PurposeLayout): string =>
  purposeCodes
    .filter(([, own]) => own === layout)
    .map(([code]) => code)
    .join('|');
/** A payment text that starts with a purpose code, in the layout of spec 2.4. */
export const purposePattern = `^(?:(?:${joinCodes('A')})%%${seen()}|(?:${joinCodes('B')})%${seen('%')}%${seen()})$`;

const countries = `(?:${[...countryCodes].join('|')})`;
export const countryPattern = `^${countries}$`;
export const bicPattern = `^[A-Z]{4}${countries}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$`;

const ibanForms = (): string[] => {
  const countriesByLength = Map.groupBy(Object.keys(ibanLengths), (country) =>
    country === 'BG' ? 'BG' : ibanLengths[country],
  );
  return [...countriesByLength].map(([length, names]) =>
    typeof length === 'number'
      ? `(?:${names.join('|')})[0-9]{2}[A-Z0-9]{${length - 4}}`
      : 'BG[0-9]{2}[A-Z]{4}[0-9]{6}[A-Z0-9]{8}',
  );
};
/** An IBAN with the length that its country uses. */
export const ibanPattern = `^(?:${ibanForms().join('|')})$`;

/** An amount greater than zero, in digits with up to three decimals. */
export const amountPattern =
  '^(?:[1-9][0-9]{0,13}(?:\\.[0-9]{1,3})?|0\\.(?:[1-9][0-9]{0,2}|0[1-9][0-9]?|00[1-9]))$';
/** The same, but zero is allowed as well. */
export const amountOrZeroPattern = '^(?:0|[1-9][0-9]{0,13})(?:\\.[0-9]{1,3})?$';

/** Matches at least one of the parts, in their order. */
const joinAlternatives = (parts: readonly string[]): string =>
  parts
    .map(
      (part, index) =>
        part +
        parts
          .slice(index + 1)
          .map((rest) => `(?:${rest})?`)
          .join(''),
    )
    .join('|');
const time = `T(?:${joinAlternatives(['[0-9]{1,8}H', '[0-9]{1,9}M', '[0-9]{1,10}(?:[.,][0-9]{1,3})?S'])})`;
const days = joinAlternatives(['[0-9]{1,4}Y', '[0-9]{1,5}M', '[0-9]{1,5}W', '[0-9]{1,6}D']);
/** An ISO 8601 duration. */
export const durationPattern = `^P(?:(?:${days})(?:${time})?|${time})$`;

/** Printable ASCII, for headers and cursors. */
export const printable = (max: number): string => `^[!-~]{1,${max}}$`;
/** Printable ASCII; spaces are allowed, but not at the start or the end. */
export const printableName = (max: number): string => `^[!-~](?:[ -~]{0,${max - 2}}[!-~])?$`;

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = `${octet}(?:\\.${octet}){3}`;
const group = '[0-9A-Fa-f]{1,4}';
/** The last 32 bits of an IPv6 address. */
const end = `(?:${group}:${group}|${ipv4})`;
/** At most this many groups in front of a `::`. */
const before = (most: number): string => (most === 0 ? '' : `(?:(?:${group}:){0,${most - 1}}${group})?`);
/** An IPv6address as defined in RFC 3986; `::` represents at least one group. */
const ipv6 = [
  `(?:${group}:){6}${end}`,
  ...[5, 4, 3, 2, 1, 0].map((after) => `${before(5 - after)}::(?:${group}:){${after}}${end}`),
  `${before(6)}::${group}`,
  `${before(7)}::`,
].join('|');
/** A single IPv4 or IPv6 address without a zone. */
export const ipPattern = `^(?:${ipv4}|${ipv6})$`;

/** The characters of a redirect or notification URI, in addition to `/`, `?`, `@` and escapes; `#` is not allowed. */
const uriCharacter = '[!$&-.0-;=A-Z\\[\\]_a-z~]';
const uriEscape = '%[0-9A-Fa-f]{2}';
/** An https URI without userinfo and fragment; in the sandbox, an http URI with a loopback host is allowed as well. */
export const uriPattern = (sandbox: boolean): string => {
  const host = `(?:${uriCharacter}|${uriEscape})+`;
  const [https, http] = ['[Hh][Tt][Tt][Pp][Ss]', '[Hh][Tt][Tt][Pp]'].map((scheme) => `${scheme}://`);
  const loopback = '(?:127\\.0\\.0\\.1|[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|\\[::1\\])(?::[0-9]{1,5})?';
  const origin = sandbox ? `(?:${https}${host}|${http}${loopback})` : `${https}${host}`;
  return `^${origin}(?:[/?](?:${uriCharacter}|${uriEscape}|[/?@])*)?$`;
};
