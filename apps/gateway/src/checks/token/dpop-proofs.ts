import { Inject, Injectable } from '@nestjs/common';
import { proofAlgorithms } from '@xs2a/contracts/auth.contract';
import { type CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import { calculateJwkThumbprint, type CryptoKey, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { AccessToken } from './access-tokens.js';
import type { GatewayConfig } from '../../config.js';
import type { Credentials } from './credentials.js';
import { UsedProofs } from './used-proofs.js';

/** The credentials of a request, together with its proof and its certificate. */
export interface Presented extends Credentials {
  readonly method: string;
  /** The path and query as sent by the client. */
  readonly url: string;
  /** The value of the DPoP header. */
  readonly proof: string | undefined;
}

/** The maximum difference in seconds, in either direction, between a proof's `iat` and the current time. */
const window = 60;
const maxProofLength = 4096;
const maxKeys = 1000;
const maxIdLength = 255;

const refusal = (text: string): CallFailed => callFailed('proofInvalid', 'DPoP', text);

/** Converts a URL to the form used in `htu`: without query and fragment (RFC 9449 §4.2). */
const target = (url: string, base?: string): string | undefined => {
  const parsed = URL.parse(url, base);
  return parsed === null ? undefined : `${parsed.origin}${parsed.pathname}`;
};

/** A key with its thumbprint (RFC 7638). */
interface ProofKey {
  readonly key: CryptoKey;
  readonly thumbprint: string;
}

/** The header of a proof as sent. A client sends the same header with each of its proofs. */
const headerOf = (proof: string): string => proof.slice(0, proof.indexOf('.'));

/**
 * Verifies that the sender of a key-bound token possesses the key (RFC 9449), and that the token is bound if
 * binding is required.
 */
@Injectable()
export class DpopProofs {
  /** The public origin, as used by clients even if there are proxies in between. */
  private readonly origin: string;
  /** True if tokens must be bound to a key or certificate (FAPI 2.0 Security Profile 5.3.4). */
  private readonly boundOnly: boolean;
  /**
   * The keys of verified proofs by header, because importing a key costs more than verifying a signature
   * (docs/benchmarks.md). A header contains its key, so the same header never means another key.
   */
  private readonly keys = new LRUCache<string, ProofKey>({ max: maxKeys });

  constructor(
    private readonly clock: Clock,
    @Inject(UsedProofs) private readonly used: Pick<UsedProofs, 'isFirst'>,
    @Inject(CONFIG) config: Pick<GatewayConfig, 'BASE_URL' | 'AUTH_PROFILE'>,
  ) {
    this.origin = config.BASE_URL;
    this.boundOnly = config.AUTH_PROFILE === 'fapi2';
  }

  /**
   * Verifies the proof of a bound token, and that an unbound token is allowed. Rejects with CallFailed:
   * proofInvalid, dependencyDown.
   */
  async check(token: AccessToken, presented: Presented): Promise<void> {
    const { scheme } = presented;
    if (token.boundTo === undefined) {
      if (this.boundOnly && token.boundToCertificate === undefined)
        throw refusal(
          'This access token is not bound to a key or certificate. Obtain one with DPoP or tls_client_auth.',
        );
      if (scheme === 'Bearer') return;
      throw refusal('This access token is not bound to a key. Send it as Bearer.');
    }
    if (scheme !== 'DPoP')
      throw refusal('This access token is bound to a key. Send it as DPoP, with a proof in the header DPoP.');
    await this.prove(token.boundTo, token.clientId, presented);
  }

  private async prove(thumbprint: string, clientId: string, presented: Presented): Promise<void> {
    const { proof } = presented;
    if (proof === undefined || proof.length > maxProofLength)
      throw refusal('Send one proof in the header DPoP.');
    const known = this.keys.get(headerOf(proof));
    // The sender gets the same error for every kind of invalid proof.
    const verified = await jwtVerify(proof, async (header) => known?.key ?? EmbeddedJWK(header), {
      algorithms: [...proofAlgorithms],
      typ: 'dpop+jwt',
      currentDate: new Date(this.clock.nowMs()),
    }).catch(() => undefined);
    const { jwk } = verified?.protectedHeader ?? {};
    if (verified === undefined || jwk === undefined)
      throw refusal(`The proof is not a JWT of type dpop+jwt, signed with ${proofAlgorithms.join(' or ')}.`);
    const signedWith = known?.thumbprint ?? (await calculateJwkThumbprint(jwk));
    if (signedWith !== thumbprint)
      throw refusal('The proof was not signed with the key that the access token is bound to.');
    if (known === undefined) this.keys.set(headerOf(proof), { key: verified.key, thumbprint });
    const { payload } = verified;
    const problem = this.claimProblem(payload, presented);
    if (problem !== undefined) throw refusal(problem);
    const key = hash('sha256', JSON.stringify([thumbprint, payload.jti]), 'base64url');
    if (!(await this.used.isFirst(key, clientId)))
      throw refusal('The proof was used before. Create a new one for each request.');
  }

  private claimProblem(claims: JWTPayload, { token, method, url }: Presented): string | undefined {
    const { origin, clock } = this;
    const { htu, htm, ath, iat, jti } = claims;
    if (htm !== method) return 'htm of the proof is not the method of this request.';
    if (typeof htu !== 'string' || target(htu) !== target(url, origin))
      return 'htu of the proof is not the URL of this request, without query.';
    if (ath !== hash('sha256', token, 'base64url')) return 'ath of the proof is not the hash of this token.';
    if (typeof iat !== 'number' || !(Math.abs(clock.nowMs() / 1000 - iat) <= window))
      return `iat of the proof is more than ${window} s from now. Check the clock.`;
    return typeof jti === 'string' && jti !== '' && jti.length <= maxIdLength
      ? undefined
      : `jti of the proof is missing or longer than ${maxIdLength} characters.`;
  }
}
