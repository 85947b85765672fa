import { isCleanText } from '@xs2a/domain/text/text';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isUtf8 } from 'node:buffer';

/** A JSON object as sent, and where its texts hold characters that no text may hold (paths, document order). */
export interface StrictJson {
  readonly value: Readonly<Record<string, unknown>>;
  readonly unclean: readonly string[];
}

const maxDepth = 16;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals: readonly (readonly [text: string, value: boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** A body that is not one JSON object as this API takes it. */
class Malformed extends Error {
  readonly failures: readonly Failure[];

  constructor(...failures: readonly Failure[]) {
    super('malformed body');
    this.failures = failures;
  }
}

/**
 * Reads one JSON object from the bytes of a body. Stricter than RFC 8259 where parsers differ: no duplicate or
 * `__proto__` key, at most 16 levels, no BOM, no number beyond a double, UTF-8 only. Texts with control, format or bidi
 * characters or lone surrogates are read and reported in `unclean`.
 */
export const parseStrictJson = (bytes: Buffer): StrictJson | { readonly failures: readonly Failure[] } => {
  try {
    return new Reader(bytes.toString('utf8'), !isUtf8(bytes)).document();
  } catch (error) {
    if (error instanceof Malformed) return { failures: error.failures };
    throw error;
  }
};

class Reader {
  private at = 0;
  private readonly path: (string | number)[] = [];
  private readonly unclean: string[] = [];
  private depth = 0;

  constructor(
    private readonly text: string,
    /** The bytes were not UTF-8: what could not be decoded stands as U+FFFD in the text. */
    private readonly damaged: boolean,
  ) {}

  document(): StrictJson {
    this.skipSpace();
    if (this.text[this.at] !== '{')
      throw this.malformed('Send one JSON object, in UTF-8 without a byte order mark.');
    const value = this.object();
    this.skipSpace();
    if (this.at < this.text.length) throw this.malformed('Something follows the JSON object. Remove it.');
    if (this.damaged) throw this.notUtf8();
    return { value, unclean: this.unclean };
  }

  private value(): unknown {
    const character = this.text[this.at];
    if (character === '"') return this.cleanString();
    if (character === '{') return this.object();
    if (character === '[') return this.array();
    for (const [literal, value] of literals) {
      if (this.text.startsWith(literal, this.at)) {
        this.at += literal.length;
        return value;
      }
    }
    return this.number();
  }

  private object(): Record<string, unknown> {
    this.enter();
    const object: Record<string, unknown> = {};
    this.skipSpace();
    if (this.take('}')) return this.leave(object);
    for (;;) {
      this.skipSpace();
      if (this.text[this.at] !== '"') throw this.malformed();
      const key = this.string();
      this.path.push(key);
      if (key === '__proto__') throw new Malformed(fail('fieldUnknown', this.here()));
      if (Object.hasOwn(object, key))
        throw new Malformed(fail('fieldMalformed', this.here(), 'This field is there twice. Send it once.'));
      if (!this.isClean(key)) this.unclean.push(this.here());
      this.skipSpace();
      if (!this.take(':')) throw this.malformed();
      this.skipSpace();
      object[key] = this.value();
      this.path.pop();
      this.skipSpace();
      if (this.take('}')) return this.leave(object);
      if (!this.take(',')) throw this.malformed();
    }
  }

  private array(): unknown[] {
    this.enter();
    const array: unknown[] = [];
    this.skipSpace();
    if (this.take(']')) return this.leave(array);
    for (;;) {
      this.path.push(array.length);
      this.skipSpace();
      array.push(this.value());
      this.path.pop();
      this.skipSpace();
      if (this.take(']')) return this.leave(array);
      if (!this.take(',')) throw this.malformed();
    }
  }

  private cleanString(): string {
    const text = this.string();
    if (!this.isClean(text)) this.unclean.push(this.here());
    return text;
  }

  /** Takes raw control characters too: they are reported as text that is not clean, with their place. */
  private string(): string {
    const start = ++this.at;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) return this.text.slice(start, this.at++);
      if (code === 0x5c) return this.escapedString(start);
      if (Number.isNaN(code)) throw this.malformed();
      this.at += 1;
    }
  }

  private escapedString(start: number): string {
    let result = this.text.slice(start, this.at);
    for (;;) {
      const character = this.text[this.at++];
      if (character === undefined) throw this.malformed();
      if (character === '"') return result;
      result += character === '\\' ? this.escape() : character;
    }
  }

  private escape(): string {
    const character = this.text[this.at++] ?? '';
    if (character === 'u') {
      const hex = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.malformed();
      this.at += 4;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = Object.hasOwn(escapes, character) ? escapes[character] : undefined;
    if (plain === undefined) throw this.malformed();
    return plain;
  }

  private number(): number {
    number.lastIndex = this.at;
    const [digits] = number.exec(this.text) ?? [];
    if (digits === undefined || /[0-9A-Za-z.+-]/.test(this.text[this.at + digits.length] ?? ''))
      throw this.malformed();
    const value = Number(digits);
    if (!Number.isFinite(value))
      throw new Malformed(fail('fieldMalformed', this.here(), 'This number is too large.'));
    this.at += digits.length;
    return value;
  }

  private enter(): void {
    this.at += 1;
    this.depth += 1;
    if (this.depth > maxDepth)
      throw new Malformed(
        fail('fieldMalformed', this.here(), `The body is nested deeper than ${maxDepth} levels.`),
      );
  }

  private leave<Container>(container: Container): Container {
    this.depth -= 1;
    return container;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  private isClean(text: string): boolean {
    return isCleanText(text) && !(this.damaged && text.includes('\uFFFD'));
  }

  private malformed(text?: string): Malformed {
    return new Malformed(fail('bodyNotJson', this.here(), text));
  }

  private notUtf8(): Malformed {
    const text = 'This is not valid UTF-8.';
    if (this.unclean.length === 0) return this.malformed(text);
    return new Malformed(...this.unclean.map((path) => fail('fieldMalformed', path, text)));
  }

  /** `instructedAmount.amount`, `payments[3].creditorName`; what cannot be a field's name is never echoed. */
  private here(): string {
    let path = '';
    for (const step of this.path) {
      if (typeof step === 'number') path += `[${step}]`;
      else if (/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(step)) path += path === '' ? step : `.${step}`;
      else return path === '' ? 'body' : path;
    }
    return path === '' ? 'body' : path;
  }
}
