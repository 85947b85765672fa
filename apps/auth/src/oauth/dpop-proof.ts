import { decodeJwt, type JWTPayload } from 'jose';

/** Returns the unverified claims of a request's DPoP proof; an empty object if the proof is not a JWT. */
export const readProof = (request: { get(name: string): string }): Pick<JWTPayload, 'iat' | 'jti'> => {
  try {
    return decodeJwt(request.get('dpop'));
  } catch {
    return {};
  }
};
