import { createPrivateKey, hash, type KeyObject, randomUUID, sign } from 'node:crypto';
import { realTime } from '../world/real-time.js';

/** The key of a TPP whose tokens are bound to it (RFC 9449), as passed to the generator's process. */
export interface ProofKey {
  /** A private P-256 key with `kty`, `crv`, `x`, `y`, `d`. */
  readonly jwk: Readonly<Record<'kty' | 'crv' | 'x' | 'y' | 'd', string>>;
  /** The public origin of the bank, which proofs name. */
  readonly origin: string;
}

/** Placeholder in a prepared request for a new proof. */
export const proofMark = '{{proof}}';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes the DPoP proof of a prepared request: ES256, new each time. */
export class Proofs {
  private readonly key: KeyObject;
  private readonly header: string;

  constructor(private readonly options: ProofKey) {
    const { d, ...jwk } = options.jwk;
    this.key = createPrivateKey({ key: { ...jwk, d }, format: 'jwk' });
    this.header = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk });
  }

  of(request: string): string {
    const [, htm, target = ''] = /^(\S+) (\S+) /.exec(request) ?? [];
    const [, token = ''] = /\r\nAuthorization: DPoP (\S+)/.exec(request) ?? [];
    const [path] = target.split('?');
    const claims = {
      htm,
      htu: `${this.options.origin}${path}`,
      iat: Math.floor(realTime.nowMs() / 1000),
      jti: randomUUID(),
      ath: hash('sha256', token, 'base64url'),
    };
    const text = `${this.header}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }
}
