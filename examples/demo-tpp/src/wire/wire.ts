/** A request or an answer, with its secrets blanked. */
export interface WireMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What the user did that caused calls. */
export interface Click {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** An HTTP call to the bank, or a notification from it. */
export interface WireCall {
  readonly click: Click;
  readonly isPush: boolean;
  readonly method: string;
  readonly path: string;
  /** Undefined if the bank did not answer. */
  readonly status: number | undefined;
  /** The time until the answer, in milliseconds. */
  readonly ms: number;
  readonly requestId: string | undefined;
  readonly request: WireMessage;
  readonly answer: WireMessage | undefined;
}

const maxCalls = 50;
/** The maximum size of a visitor's calls, in characters. Up to a thousand visitors are in memory. */
const maxChars = 200_000;

const sizeOfMessage = ({ headers, body }: WireMessage): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, body.length);
const sizeOf = ({ path, request, answer }: WireCall): number =>
  path.length + sizeOfMessage(request) + (answer === undefined ? 0 : sizeOfMessage(answer));

/** The latest HTTP calls of one visitor, at most 50, oldest first. */
export class Wire {
  private readonly kept: { readonly number: number; readonly call: WireCall }[] = [];
  private count = 0;
  private chars = 0;

  add(call: WireCall): void {
    this.count += 1;
    this.kept.push({ number: this.count, call });
    this.chars += sizeOf(call);
    while (this.kept.length > maxCalls || (this.chars > maxChars && this.kept.length > 1)) {
      const oldest = this.kept.shift();
      if (oldest !== undefined) this.chars -= sizeOf(oldest.call);
    }
  }

  /** The calls with the number under which each was added, counted from 1. */
  get calls(): readonly { readonly number: number; readonly call: WireCall }[] {
    return this.kept;
  }
}
