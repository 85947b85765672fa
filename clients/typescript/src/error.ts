import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** One refusal in an answer of the bank. */
export interface Message {
  readonly code: string;
  readonly path?: string;
  readonly text?: string;
}

/** A refusal by the bank, or a call that the bank did not answer. */
export class Xs2aError extends Error {
  override readonly name = 'Xs2aError';
  /** The bank's code, such as `PRODUCT_UNKNOWN`; the `error` of an OAuth refusal; `UNREACHABLE` without an answer. */
  readonly code: string;
  /** The field or header that is wrong, such as `instructedAmount.amount`. */
  readonly path: string | undefined;
  /** What is wrong, for developers. */
  readonly text: string;
  /** Send it to the bank when you report the refusal. */
  readonly requestId: string | undefined;
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** All refusals of the answer, of which this error shows the first. */
  readonly messages: readonly Message[];

  constructor(
    messages: readonly Message[],
    {
      status,
      requestId,
      cause,
    }: { readonly status?: number; readonly requestId?: string; readonly cause?: unknown } = {},
  ) {
    const [first] = messages;
    const { code = 'INTERNAL_SERVER_ERROR', path, text = `the bank answered ${status}` } = { ...first };
    super([code, path, text].filter((part) => part !== undefined).join(': '), { cause });
    this.code = code;
    this.path = path;
    this.text = text;
    this.requestId = requestId;
    this.status = status;
    this.messages = messages;
  }
}

const messagesIn = (body: unknown): readonly Message[] => {
  const listed: unknown = Reflect.get(Object(body), 'tppMessages');
  return Array.isArray(listed) ? (listed as Message[]) : [];
};

/** Returns the body of a success, and throws the refusal otherwise. */
export const unwrap = <Data>({
  data,
  error,
  response,
}: {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}): Data => {
  if (response.ok) return data as Data;
  throw new Xs2aError(messagesIn(error), {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
};

/** An error of openid-client as an `Xs2aError`; what the bank did not answer has the code `UNREACHABLE`. */
export const toXs2aError = (cause: unknown): Xs2aError => {
  if (cause instanceof Xs2aError) return cause;
  if (cause instanceof ResponseBodyError) {
    const message = { code: cause.error, text: cause.error_description };
    return new Xs2aError([message], { status: cause.status, cause });
  }
  // How the authorization server refuses a client that authenticates with HTTP Basic.
  if (cause instanceof WWWAuthenticateChallengeError) {
    const { error: code = 'invalid_client', error_description: text } = cause.cause[0]?.parameters ?? {};
    return new Xs2aError([{ code, text }], { status: cause.status, cause });
  }
  if (cause instanceof AuthorizationResponseError)
    return new Xs2aError([{ code: cause.error, text: cause.error_description }], { cause });
  const code = cause instanceof ClientError ? 'INVALID_ANSWER' : 'UNREACHABLE';
  return new Xs2aError([{ code, text: String(Reflect.get(Object(cause), 'message')) }], { cause });
};
