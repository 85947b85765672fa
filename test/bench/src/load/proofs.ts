import { createPrivateKey, hash, type KeyObject, randomUUID, sign } from 'node:crypto';
import { realTime } from '../world/real-time.js';

/** The key to which a TPP's tokens are bound (RFC 9449), as passed to the generator process. */
export interface ProofKey {
  /** A private P-256 key with `kty`, `crv`, `x`, `y`, `d`. */
  readonly jwk: Readonly<Record<'kty' | 'crv' | 'x' | 'y' | 'd', string>>;
  /** The bank's public origin, which is part of each proof. */
  readonly origin: string;
}

/** A placeholder in a prepared request, replaced by a new proof. */
export const proofMark = '{{proof}}';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates the DPoP proof for a prepared request: ES256, new each time. */
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
