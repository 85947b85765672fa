import { decodeJwt, type JWTPayload } from 'jose';

/** The claims of a request's DPoP proof, not verified; none when it is no JWT. */
export const readProof = (request: { get(name: string): string }): Pick<JWTPayload, 'iat' | 'jti'> => {
  try {
    return decodeJwt(request.get('dpop'));
  } catch {
    return {};
  }
};
