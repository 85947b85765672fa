import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import type { Send } from './http.js';

/** The client's TLS settings, all as PEM. */
export interface ClientTls {
  /** The authority that signed the server's certificate, if Node does not know it. */
  readonly ca?: string;
  /** The client certificate and its private key, for mutual TLS. */
  readonly identity?: { readonly certificate: string; readonly privateKey: string };
}

const answerWithinMs = 10_000;

/** Works like {@link send}, but over TLS with these settings, because `fetch` does not support client certificates. */
export const sendOverTls =
  ({ ca, identity }: ClientTls): Send =>
  async (method, url, { headers = {}, json, form, raw } = {}) => {
    const body = json === undefined ? (form?.toString() ?? raw) : JSON.stringify(json);
    const contentType = json === undefined ? form && 'application/x-www-form-urlencoded' : 'application/json';
    const request = tlsRequest(url, {
      method,
      agent: false,
      ...(ca === undefined ? {} : { ca }),
      ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }),
      headers: {
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      signal: AbortSignal.timeout(answerWithinMs),
    });
    request.end(body);
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    const answerHeaders = new Headers();
    for (const [name, values] of Object.entries(message.headersDistinct))
      for (const value of values ?? []) answerHeaders.append(name, value);
    return { status: message.statusCode ?? 0, headers: answerHeaders, text: await readText(message) };
  };
