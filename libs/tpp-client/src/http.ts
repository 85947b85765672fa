/** An HTTP response whose body has been read completely. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form. */
  readonly form?: URLSearchParams;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** Sends one request and reads the response: {@link send}, or a wrapper that observes it. */
export type Send = (method: string, url: string, sending?: Sending) => Promise<Answer>;

/** Sends one request. Redirects are returned, not followed. Times out after 10 s. */
export const send = async (
  method: string,
  url: string,
  { headers = {}, json, form, raw }: Sending = {},
): Promise<Answer> => {
  const body = json === undefined ? (form ?? raw) : JSON.stringify(json);
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/**
 * Returns the parsed JSON of a response. If the body is not JSON, throws an error with the status and the
 * beginning of the text.
 */
export const parseJson = <Body = Record<string, unknown>>({ status, text }: Answer): Body => {
  try {
    return JSON.parse(text) as Body;
  } catch {
    throw new Error(`the answer ${status} is not JSON: ${text.slice(0, 200)}`);
  }
};
