import { describe, expect, it } from '@jest/globals';
import { failures as table } from '@xs2a/domain/failure/failures';
import { assert, dictionary, jsonValue, property, string, uint8Array } from 'fast-check';
import { parseStrictJson } from './strict-json.js';

const read = (text: string | Buffer): ReturnType<typeof parseStrictJson> =>
  parseStrictJson(Buffer.from(text));
const firstFailure = (text: string | Buffer): string => {
  const result = read(text);
  if (!('failures' in result)) return `accepted, unclean: ${result.unclean.join(' ')}`;
  const [first] = result.failures;
  return `${first?.failure} at ${first?.path}`;
};
const object = (members: number): string =>
  `{${Array.from({ length: members }, (_, at) => `"m${at}":1`).join(',')}}`;
const list = (elements: number, element = '1'): string => Array(elements).fill(element).join(',');
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('the strict JSON parser (contract 3)', () => {
  it.each<[string, string | Buffer, string]>([
    ['an empty body', '', 'bodyNotJson at body'],
    ['blanks alone', ' \n ', 'bodyNotJson at body'],
    ['an array', '[{}]', 'bodyNotJson at body'],
    ['a string', '"a"', 'bodyNotJson at body'],
    ['null', 'null', 'bodyNotJson at body'],
    ['a number', '1', 'bodyNotJson at body'],
    ['an open object', '{', 'bodyNotJson at body'],
    ['an open string', '{"a":"b', 'bodyNotJson at a'],
    ['an open array', '{"a":[1', 'bodyNotJson at a'],
    ['an extra comma in an object', '{"a":1,}', 'bodyNotJson at body'],
    ['an extra comma in an array', '{"a":[1,]}', 'bodyNotJson at a[1]'],
    ['a missing colon', '{"a" 1}', 'bodyNotJson at a'],
    ['a missing value', '{"a":}', 'bodyNotJson at a'],
    ['single quotes', "{'a':1}", 'bodyNotJson at body'],
    ['a comment', '{/* */"a":1}', 'bodyNotJson at body'],
    ['a key without quotes', '{a:1}', 'bodyNotJson at body'],
    ['two objects', '{}{}', 'bodyNotJson at body'],
    ['something after the object', '{} x', 'bodyNotJson at body'],
    ['a NUL after the object', '{}\0', 'bodyNotJson at body'],
    ['a byte order mark', '\uFEFF{}', 'bodyNotJson at body'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'bodyNotJson at body'],
    ['a duplicate key', '{"a":1,"a":1}', 'fieldMalformed at a'],
    ['a duplicate key written differently', '{"a":1,"\\u0061":1}', 'fieldMalformed at a'],
    ['a nested duplicate key', '{"a":{"b":[{"c":1,"c":2}]}}', 'fieldMalformed at a.b[0].c'],
    ['__proto__', '{"__proto__":{"admin":true}}', 'fieldUnknown at __proto__'],
    ['a nested __proto__', '{"a":{"__proto__":1}}', 'fieldUnknown at a.__proto__'],
    ['a number beyond a double', '{"a":1e400}', 'fieldMalformed at a'],
    ['a negative number beyond a double', '{"a":-1e400}', 'fieldMalformed at a'],
    ['a leading zero', '{"a":01}', 'bodyNotJson at a'],
    ['a leading plus', '{"a":+1}', 'bodyNotJson at a'],
    ['a bare point', '{"a":.5}', 'bodyNotJson at a'],
    ['a trailing point', '{"a":1.}', 'bodyNotJson at a'],
    ['hexadecimal', '{"a":0x10}', 'bodyNotJson at a'],
    ['NaN', '{"a":NaN}', 'bodyNotJson at a'],
    ['Infinity', '{"a":Infinity}', 'bodyNotJson at a'],
    ['a literal in capitals', '{"a":True}', 'bodyNotJson at a'],
    ['undefined', '{"a":undefined}', 'bodyNotJson at a'],
    ['an unknown escape', '{"a":"\\x41"}', 'bodyNotJson at a'],
    ['an escaped raw tab', '{"a":"\\\t"}', 'bodyNotJson at a'],
    ['an escape at the end', '{"a":"\\', 'bodyNotJson at a'],
    ['a short escape', '{"a":"\\u00"}', 'bodyNotJson at a'],
    ['a non-ASCII blank', '{\u00A0"a":1}', 'bodyNotJson at body'],
    ['17 levels', nested(17), 'fieldMalformed at a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a'],
    ['20,000 levels', nested(20_000), 'fieldMalformed at a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a'],
    [
      '20,000 arrays',
      `{"a":${'['.repeat(20_000)}`,
      'fieldMalformed at a[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]',
    ],
    ['invalid UTF-8 in a text', Buffer.from('{"a":{"b":"\xff"}}', 'latin1'), 'fieldMalformed at a.b'],
    ['an overlong encoding', Buffer.from('{"a":"\xc0\xaf"}', 'latin1'), 'fieldMalformed at a'],
    ['an encoded surrogate', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'), 'fieldMalformed at a'],
    ['invalid UTF-8 in a key', Buffer.from('{"\xff":1}', 'latin1'), 'fieldMalformed at body'],
  ])('refuses %s', (_name, text, expected) => {
    expect(firstFailure(text)).toBe(expected);
  });

  it.each<[string, string, string[]]>([
    ['an escaped control character', '{"a":"x\\u0007"}', ['a']],
    ['a raw control character', '{"a":"x\u0007"}', ['a']],
    ['a raw line break', '{"a":"x\ny"}', ['a']],
    ['NUL', '{"a":["b","\\u0000"]}', ['a[1]']],
    ['DEL and C1', '{"a":"\u007f","b":"\u0085"}', ['a', 'b']],
    ['right-to-left override', '{"a":{"b":"\u202e"}}', ['a.b']],
    ['an escaped isolate', '{"a":"\\u2066"}', ['a']],
    ['a zero-width joiner', '{"a":"\u200d"}', ['a']],
    ['a soft hyphen', '{"a":"\u00ad"}', ['a']],
    ['a BOM inside', '{"a":"\uFEFF"}', ['a']],
    ['a lone high surrogate', '{"a":"\\ud800"}', ['a']],
    ['a lone low surrogate', '{"a":"\\udc00x"}', ['a']],
    ['a tag character beyond the BMP', '{"a":"\\udb40\\udc41"}', ['a']],
    ['a bidi mark in a key', '{"\u200e":1}', ['body']],
    ['several, in the order of the document', '{"b":"\\u0000","a":"\\u0001"}', ['b', 'a']],
  ])('reports %s and the path', (_name, text, unclean) => {
    expect(read(text)).toEqual({ value: expect.anything(), unclean });
  });

  it('accepts 16 levels, every escape sequence, surrogate pairs and Cyrillic', () => {
    const text = String.raw`{"a":"\"\\\/\b\f\n\r\t","b":"\ud83d\ude00 Иван","c":[-0.5e+3,true,false,null]}`;
    const result = read(text);
    expect(result).toEqual({ value: JSON.parse(text), unclean: ['a'] });
    expect(read(nested(16))).toEqual({ value: JSON.parse(nested(16)), unclean: [] });
  });

  it.each<[string, string, string]>([
    ['65 members', object(65), 'An object has more than 64 members'],
    ['65 members in a nested object', `{"a":{"b":[${object(65)}]}}`, 'An object has more than 64 members'],
    ['101 elements', `{"payments":[${list(101)}]}`, 'An array has more than 100 elements'],
    [
      '101 elements in a nested array',
      `{"a":{"payments":[${list(101)}]}}`,
      'An array has more than 100 elements',
    ],
    ['10,001 values', `{"a":[${list(99, `[${list(100)}]`)}],"b":1}`, 'The body has more than 10000 values'],
  ])('refuses %s with an error that has no path', (_name, text, expected) => {
    expect(read(text)).toEqual({
      failures: [{ failure: 'bodyTooComplex', text: expect.stringContaining(expected) }],
    });
  });

  it('accepts 64 members, 100 elements and 10,000 values', () => {
    for (const text of [object(64), `{"a":[${list(100)}]}`, `{"a":[${list(99, `[${list(100)}]`)}]}`])
      expect(read(text)).toEqual({ value: JSON.parse(text), unclean: [] });
  });

  it('accepts 250 elements in the array with its own limit, but only at the top level', () => {
    const longArray = { name: 'payments', maxElements: 250 };
    const readBulk = (text: string): unknown => parseStrictJson(Buffer.from(text), longArray);
    const full = `{"payments":[${list(250, '{}')}]}`;
    expect(readBulk(full)).toEqual({ value: JSON.parse(full), unclean: [] });
    const refused = [
      `{"payments":[${list(251)}]}`,
      `{"other":[${list(101)}]}`,
      `{"a":{"payments":[${list(101)}]}}`,
    ];
    for (const text of refused)
      expect(readBulk(text)).toEqual({ failures: [expect.objectContaining({ failure: 'bodyTooComplex' })] });
  });

  it.each([
    ['65 members', `${object(65).slice(0, -1)} and then anything`],
    ['101 elements', `{"a":[${list(101)} and then anything`],
    ['10,001 values', `{"a":[${list(99, `[${list(100)}]`)}],"b":1 and then anything`],
  ])('stops at the limit and reads no further than %s', (_name, text) => {
    expect(firstFailure(text)).toBe('bodyTooComplex at undefined');
  });

  it('treats inherited names as ordinary keys and does not change prototypes', () => {
    const result = read('{"constructor":1,"toString":{"valueOf":2}}');
    expect('value' in result && Object.keys(result.value)).toEqual(['constructor', 'toString']);
    expect(Reflect.get({}, 'admin')).toBeUndefined();
  });

  it('never echoes text that cannot be a field name', () => {
    for (const key of ['<script>', 'a b', '\\u202e', 'x'.repeat(100)])
      expect(firstFailure(`{"${key}":1,"${key}":2}`)).toBe('fieldMalformed at body');
  });

  it('parses the output of JSON.stringify, and rejects invalid input without throwing', () => {
    assert(
      property(dictionary(string(), jsonValue({ maxDepth: 10 })), (value) => {
        const text = JSON.stringify(value);
        const result = read(text);
        if (!Object.hasOwn(value, '__proto__') && 'value' in result)
          expect(JSON.stringify(result.value)).toBe(text);
      }),
      { numRuns: 2000 },
    );
    assert(
      property(uint8Array({ maxLength: 200 }), (bytes) => {
        const result = parseStrictJson(Buffer.from(bytes));
        if ('failures' in result)
          for (const { failure } of result.failures) expect(table[failure][0]).toBe(400);
      }),
    );
  });
});
