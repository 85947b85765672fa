import type { Connection, SigningKey } from './connection.js';
import { Xs2aError } from './error.js';

/** A status notification (contract 11). */
export interface Push {
  readonly paymentId?: string;
  readonly consentId?: string;
  readonly basketId?: string;
  readonly transactionStatus?: string;
  readonly consentStatus?: string;
  readonly fundsAvailable?: boolean;
  readonly authorisationId?: string;
  readonly scaStatus?: string;
  readonly transactionId?: string;
  /** When the status changed, as an ISO 8601 instant. */
  readonly timestamp: string;
}
export type PushHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The maximum age of a signature. An older one is a replay, because the bank signs each attempt anew. */
const maxAgeMs = 300_000;
/** The minimum interval between loads of the bank's keys, so that forged key ids cause no stream of calls. */
const keysAtMostEveryMs = 30_000;

const refused = (text: string): Xs2aError => new Xs2aError([{ code: 'SIGNATURE_INVALID', text }]);
const headerIn = (headers: PushHeaders, name: string): string =>
  headers instanceof Headers ? (headers.get(name) ?? '') : [headers[name] ?? ''].flat().join();

const decode = (base64url: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
  } catch {
    throw refused('no base64url');
  }
};
const encode = (bytes: Uint8Array): string => {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};
const jsonIn = (bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw refused('not JSON');
  }
};

/** Verifies status notifications with the keys that the bank publishes. */
export class PushVerifier {
  private keys: { readonly list: Promise<readonly SigningKey[]>; readonly loadedMs: number } | undefined;

  constructor(private readonly connection: Connection) {}

  /** Returns the notification. Throws an `Xs2aError` if the bank did not sign this body, or signed it too long ago. */
  async verify(headers: PushHeaders, body: string | Uint8Array): Promise<Push> {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const [, head, signature] = /^([\w-]+)\.\.([\w-]+)$/.exec(headerIn(headers, 'x-jws-signature')) ?? [];
    if (head === undefined || signature === undefined) throw refused('no detached JWS');
    const { alg, kid, iat } = jsonIn(decode(head));
    if (alg !== 'ES256') throw refused('an algorithm other than ES256');
    const jwk = await this.find(kid);
    if (jwk === undefined) throw refused('a key that the bank does not publish');
    const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('jwk', jwk, ecdsa, false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${encode(bytes)}`);
    if (!(await crypto.subtle.verify(ecdsa, key, decode(signature), signed)))
      throw refused('the signature does not match the body');
    if (!(Math.abs(this.nowMs(headers) - Number(iat) * 1000) <= maxAgeMs))
      throw refused('signed too long ago');
    return jsonIn(bytes) as unknown as Push;
  }

  /**
   * The time to compare with. A sandbox sends its own, which the signature does not cover (contract 13), so it can only
   * make a notification older.
   */
  private nowMs(headers: PushHeaders): number {
    const clock = Date.parse(headerIn(headers, 'x-sandbox-clock'));
    const nowMs = this.connection.nowMs();
    return this.connection.options.sandbox === true && clock > nowMs ? clock : nowMs;
  }

  private async find(kid: unknown): Promise<SigningKey | undefined> {
    const known = (await this.keys?.list)?.find((key) => key.kid === kid);
    const now = this.connection.nowMs();
    if (known !== undefined || (this.keys !== undefined && now - this.keys.loadedMs < keysAtMostEveryMs))
      return known;
    const loading = { list: this.connection.signingKeys(), loadedMs: now };
    this.keys = loading;
    try {
      return (await loading.list).find((key) => key.kid === kid);
    } catch (error) {
      // The next notification loads them again.
      if (this.keys === loading) this.keys = undefined;
      throw error;
    }
  }
}
