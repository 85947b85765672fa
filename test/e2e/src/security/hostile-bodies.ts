/** A name, and the content to send, which must be refused with 400 FORMAT_ERROR. */
export type Hostile<Sent> = readonly [name: string, sent: Sent];

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

/** Bodies that are not a single JSON object as defined by contract 3, or that different parsers read differently. */
export const hostileJson: readonly Hostile<Buffer>[] = [
  ['nothing', ''],
  ['white space', ' \n'],
  ['null', 'null'],
  ['a text', '"x"'],
  ['a number', '1'],
  ['an array', '[]'],
  ['an array of the object', '[{}]'],
  ['cut off', '{"creditorName":"A"'],
  ['a trailing comma', '{"creditorName":"A",}'],
  ['single quotes', "{'creditorName':'A'}"],
  ['a bare key', '{creditorName:"A"}'],
  ['a comment', '{/* */"creditorName":"A"}'],
  ['two objects', '{}{}'],
  ['text after the object', '{} x'],
  ['NaN', '{"a":NaN}'],
  ['Infinity', '{"a":-Infinity}'],
  ['1e400', '{"a":1e400}'],
  ['a leading zero', '{"a":01}'],
  ['a hexadecimal number', '{"a":0x10}'],
  ['a duplicate key', '{"creditorName":"A","creditorName":"B"}'],
  ['a duplicate key written with an escape', '{"creditorName":"A","creditor\\u004eame":"B"}'],
  ['a nested duplicate key', '{"instructedAmount":{"amount":"1","amount":"2"}}'],
  ['__proto__', '{"__proto__":{"isAdmin":true}}'],
  ['constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ['17 levels', nested(17, '{"a":', '}').replace('}', '1}')],
  ['20,000 levels', nested(20_000, '[', ']')],
  ['a byte order mark', bytes([0xef, 0xbb, 0xbf], '{}')],
  ['UTF-16', Buffer.from('{"creditorName":"A"}', 'utf16le')],
  ['bytes that are not UTF-8', bytes('{"creditorName":"', [0xc3, 0x28], '"}')],
  ['an overlong form', bytes('{"creditorName":"', [0xc0, 0xaf], '"}')],
  ['an encoded surrogate', bytes('{"creditorName":"', [0xed, 0xa0, 0x80], '"}')],
  ['an unknown escape', '{"creditorName":"\\x41"}'],
  ['a raw line break in a text', '{"creditorName":"A\nB"}'],
  ['a NUL', '{"creditorName":"A\u0000B"}'],
].map(([name, sent]) => [String(name), Buffer.isBuffer(sent) ? sent : Buffer.from(String(sent))]);

/** JSON values of `instructedAmount.amount` that are not valid amounts in BGN (contract 8). */
export const hostileAmounts: readonly string[] = [
  '',
  ' ',
  '0',
  '0.0',
  '0.00',
  '0.000',
  '-0',
  '-1',
  '-1.00',
  '+1',
  '+1.00',
  '1.',
  '.5',
  '.',
  '1..0',
  '1.001',
  '1.000',
  '0.001',
  '1.0000',
  '1.0.0',
  '1,00',
  '1 000.00',
  '1_000',
  "1'000",
  '1.00 BGN',
  'BGN 1',
  '01',
  '01.00',
  '00.10',
  '1e2',
  '1E2',
  '1e-2',
  '0x1',
  '0b1',
  '0o7',
  '1n',
  'Infinity',
  '-Infinity',
  'NaN',
  ' 1.00',
  '1.00 ',
  '\t1.00',
  '1.00\n',
  '1.00\u0000',
  '1.00\u200b',
  '\u202e00.1',
  '1\u00a0000.00',
  '１.00',
  '١.00',
  '1．00',
  '१',
  '½',
  '100000000000000',
  '100000000000000.00',
  '1.00;--',
  'null',
  'true',
  '1.00e0',
  '9'.repeat(400),
]
  .map((text) => JSON.stringify(text))
  .concat([
    '1',
    '1.5',
    '0',
    '-1',
    '1e2',
    '12.50',
    'null',
    'true',
    '[]',
    '["1.00"]',
    '{}',
    '{"amount":"1.00"}',
  ]);

const hiding = {
  'control or soft hyphen':
    '0000 0001 0007 0008 0009 000a 000b 000c 000d 001b 001f 007f 0080 0085 009b 009f 00ad',
  'format or bidi':
    '200b 200c 200d 200e 200f 202a 202b 202c 202d 202e 2060 2061 2064 2066 2067 2068 2069 206a 206f 061c 180e feff fff9 fffb 0600 06dd',
  'separator, noncharacter or lone surrogate': '2028 2029 fdd0 ffff d800 dbff dc00 dfff',
};
const hidden = Object.entries(hiding).flatMap(([kind, codes]) =>
  codes.split(' ').map((code): Hostile<string> => [`${kind} U+${code}`, `"a\\u${code}b"`]),
);

/** Payee names, as JSON, that hide, reorder or overflow the text that the PSU reads. */
export const hostileTexts: readonly Hostile<string>[] = [
  ...hidden,
  ['a low surrogate before a high one', '"\\udc00\\ud800"'],
  ['a tag character', '"a\\udb40\\udc41b"'],
  ['a noncharacter of plane 1', '"a\\ud83f\\udffeb"'],
  ['nothing', '""'],
  ['spaces', '"   "'],
  ['no-break spaces', '"\\u00a0\\u00a0"'],
  ['71 letters', JSON.stringify('x'.repeat(71))],
  ['71 code points beyond the first plane', JSON.stringify('😀'.repeat(71))],
  ['a number', '1'],
  ['a list', '["Petar"]'],
  ['an object', '{"name":"Petar"}'],
  ['null', 'null'],
];

/** Names that must be accepted: 70 code points, other scripts, combining marks, and text that only looks like code. */
export const harmlessTexts: readonly string[] = [
  'x'.repeat(70),
  '😀'.repeat(70),
  'Петър Иванов',
  "O'Brien & Sons <script>alert(1)</script>",
  'e\u0301clair',
  '"; DROP TABLE events; --',
];
