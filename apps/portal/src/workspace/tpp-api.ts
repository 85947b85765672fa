import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@xs2a/runtime/ids';
import { CONFIG } from '@xs2a/runtime/tokens';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { PortalConfig } from '../config.js';
import type { Credentials } from './session.js';

/** A request to the API. Its path comes from a template of this app, never from a form. */
export interface ApiRequest {
  readonly method: string;
  /** The path and the query, below the API's origin. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of a JSON body. */
  readonly body?: string;
  /** Sent in place of the application's token. */
  readonly accessToken?: string;
}
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly requestId: string;
}

/** Thrown if the bank refuses the client id or the secret. */
export class ClientRefused extends Error {
  override readonly name = 'ClientRefused';
}
/** Thrown if the API does not answer in time, or refuses for reasons of its own, such as 429 or 503. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}

/**
 * The maximum time to wait for an answer of the API, in milliseconds. Most calls are answered within two seconds; a move of the
 * clock only when the work that is then due is done.
 */
const maxAnswerMs = 7000;
/**
 * The User-Agent header of calls that the workspace sends. Certify recognises these calls by the header, and does not
 * attribute them to the application.
 */
export const workspaceAgent = 'xs2a-workspace';
/** How many application tokens are kept. */
const maxTokens = 1000;

/**
 * The public API, called with the application token of the TPP that signed in. The workspace has no other rights, so that it
 * can neither show nor do anything that the TPP cannot.
 */
@Injectable()
export class TppApi {
  private readonly origin: string;
  private readonly tokens = new LRUCache<string, string>({ max: maxTokens });

  constructor(@Inject(CONFIG) { GATEWAY_URL, BASE_URL }: PortalConfig) {
    this.origin = new URL(GATEWAY_URL ?? BASE_URL).origin;
  }

  /** Throws {@link ClientRefused} unless the bank issues a token for the credentials. */
  async checkCredentials(tpp: Credentials): Promise<void> {
    await this.newToken(tpp);
  }

  /** Sends a request of somebody who has not signed in. */
  async sendWithoutToken(request: ApiRequest): Promise<ApiAnswer> {
    return this.fetch(request, {});
  }

  /** Sends a request as the TPP. A token that has expired, as after a move of the clock, is replaced once. */
  async send(tpp: Credentials, request: ApiRequest): Promise<ApiAnswer> {
    if (request.accessToken !== undefined) return this.fetch(request, bearer(request.accessToken));
    const kept = this.tokens.get(keyOf(tpp));
    const answer = await this.fetch(request, bearer(kept ?? (await this.newToken(tpp))));
    if (answer.status !== 401 || kept === undefined) return answer;
    return this.fetch(request, bearer(await this.newToken(tpp)));
  }

  /**
   * Sends a POST with a new Idempotency-Key, and repeats the request once with the same key if no answer arrives or the
   * answer is a 5xx. This is for requests whose answer cannot be read later, such as a new secret: the first request
   * may have been executed although its answer was lost.
   */
  async sendKeyed(tpp: Credentials, request: ApiRequest): Promise<ApiAnswer> {
    const keyed = { ...request, headers: { ...request.headers, 'idempotency-key': newId() } };
    const answer = await this.send(tpp, keyed).catch((error: unknown) => {
      if (!(error instanceof ApiUnreachable)) throw error;
    });
    return answer === undefined || answer.status >= 500 ? this.send(tpp, keyed) : answer;
  }

  private async newToken(tpp: Credentials): Promise<string> {
    const { clientId, clientSecret } = tpp;
    const encoded = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const { status, text } = await this.fetch(
      { method: 'POST', path: '/oauth2/token', body: 'grant_type=client_credentials' },
      {
        authorization: `Basic ${Buffer.from(encoded).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
    if (status >= 500 || status === 429) throw new ApiUnreachable(`token: ${status}`);
    const token = status === 200 ? (JSON.parse(text) as { access_token: string }).access_token : undefined;
    if (token === undefined) throw new ClientRefused(`token: ${status}`);
    this.tokens.set(keyOf(tpp), token);
    return token;
  }

  private async fetch(
    { method, path, headers, body }: ApiRequest,
    own: Readonly<Record<string, string>>,
  ): Promise<ApiAnswer> {
    const url = new URL(path, this.origin);
    if (url.origin !== this.origin) throw new Error('a path of another origin');
    const requestId = newId();
    try {
      const response = await fetch(url, {
        method,
        headers: {
          'x-request-id': requestId,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
          ...own,
          'user-agent': workspaceAgent,
        },
        body: body ?? null,
        redirect: 'manual',
        signal: AbortSignal.timeout(maxAnswerMs),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, requestId };
    } catch (error) {
      if (isLost(error)) throw new ApiUnreachable('no answer', { cause: error });
      throw error;
    }
  }
}

/** True for an error that `fetch` throws if the connection fails or the answer takes too long. */
const isLost = (error: unknown): boolean =>
  ['TypeError', 'TimeoutError'].includes((error as { readonly name?: string }).name ?? '');

const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

/** The secret is part of the key, so that a token is found only by those who could get it. */
const keyOf = ({ clientId, clientSecret }: Credentials): string =>
  createHash('sha256')
    .update(JSON.stringify([clientId, clientSecret]))
    .digest('base64url');
