import { isCleanText } from '@xs2a/domain/text/text';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isUtf8 } from 'node:buffer';

/** A JSON object as sent, and the paths of all texts that contain forbidden characters, in document order. */
export interface StrictJson {
  readonly value: Readonly<Record<string, unknown>>;
  readonly unclean: readonly string[];
}

const maxDepth = 16;
/**
 * Limits of a body (contract 3). They are checked during parsing, so that an oversized body costs no more than a
 * valid one.
 */
const maxMembers = 64;
const maxElements = 100;
const maxValues = 10_000;

/** A top-level array that may be longer than the general limit. */
export interface LongArray {
  readonly name: string;
  readonly maxElements: number;
}

const controls = /\p{Cc}/gu;
const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals: readonly (readonly [text: string, value: boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** Thrown when a body is not a single JSON object in the form that this API accepts. */
class Malformed extends Error {
  readonly failures: readonly Failure[];

  constructor(...failures: readonly Failure[]) {
    super('malformed body');
    this.failures = failures;
  }
}

/** The error has no path, because a body of this size is not the result of a mistake in a single field. */
const tooComplex = (text: string): Malformed =>
  new Malformed(fail('bodyTooComplex', undefined, `${text} Send less in one request.`));

/**
 * Parses a single JSON object from the bytes of a body. Stricter than RFC 8259 where parsers differ: no duplicate
 * or `__proto__` keys, at most 16 levels, no BOM, no number outside the range of a double, UTF-8 only. Texts with
 * control, format or bidi characters or lone surrogates are accepted and reported in `unclean`. An object may have
 * at most 64 members, an array 100 elements (`longArray` has its own maximum), and the body 10,000 values.
 */
export const parseStrictJson = (
  bytes: Buffer,
  longArray?: LongArray,
): StrictJson | { readonly failures: readonly Failure[] } => {
  try {
    return new Reader(bytes.toString('utf8'), !isUtf8(bytes), longArray).document();
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
  private values = 0;

  constructor(
    private readonly text: string,
    /** True if the bytes were not valid UTF-8. Bytes that could not be decoded appear as U+FFFD in the text. */
    private readonly damaged: boolean,
    private readonly longArray: LongArray | undefined,
  ) {}

  document(): StrictJson {
    this.skipSpace();
    if (this.text[this.at] !== '{')
      throw this.malformed('Send one JSON object, in UTF-8 without a byte order mark.');
    const value = this.object();
    this.skipSpace();
    if (this.at < this.text.length) throw this.malformed('There is text after the JSON object. Remove it.');
    if (this.damaged) throw this.notUtf8();
    return { value, unclean: this.unclean };
  }

  private value(): unknown {
    this.values += 1;
    if (this.values > maxValues) throw tooComplex(`The body has more than ${maxValues} values.`);
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
    for (let members = 1; ; members += 1) {
      if (members > maxMembers) throw tooComplex(`An object has more than ${maxMembers} members.`);
      this.skipSpace();
      if (this.text[this.at] !== '"') throw this.malformed();
      const key = this.string();
      this.path.push(key);
      if (key === '__proto__') throw new Malformed(fail('fieldUnknown', this.here()));
      if (Object.hasOwn(object, key))
        throw new Malformed(fail('fieldMalformed', this.here(), 'This field appears twice. Send it once.'));
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
    const max = this.maxElementsHere();
    for (;;) {
      if (array.length === max) throw tooComplex(`An array has more than ${max} elements.`);
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

  /** Accepts even raw control characters, and reports the path of a text with such characters as unclean. */
  private string(): string {
    const start = ++this.at;
    let hasEscapes = false;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (Number.isNaN(code)) throw this.malformed();
      if (code === 0x5c) {
        hasEscapes = true;
        this.at += 1;
        // A backslash followed by a control character is not an escape.
        if (this.text.charCodeAt(this.at) < 0x20) throw this.malformed();
      }
      this.at += 1;
    }
    const written = this.text.slice(start, this.at);
    this.at += 1;
    return hasEscapes ? this.unescape(written) : written;
  }

  private unescape(written: string): string {
    try {
      return JSON.parse(`"${written.replace(controls, escaped)}"`) as string;
    } catch {
      throw this.malformed();
    }
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

  private maxElementsHere(): number {
    const { longArray, path } = this;
    return longArray !== undefined && path.length === 1 && path[0] === longArray.name
      ? longArray.maxElements
      : maxElements;
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

  /**
   * The current path, for example `instructedAmount.amount` or `payments[3].creditorName`. Text that cannot be a
   * field name is never echoed.
   */
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
