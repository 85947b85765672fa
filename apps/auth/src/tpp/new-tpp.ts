import type { NewTpp } from '@xs2a/contracts/auth.contract';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import { isJsonObject, getMember } from '@xs2a/domain/form/form-checks';
import { readDto, type Sent } from '@xs2a/runtime/read-dto';
import { authMethods } from './auth-methods.js';
import { NewTppDto, redirectUrisHint } from './new-tpp.dto.js';
import { isKeySet } from './public-keys.js';
import { isSandboxRedirectUri } from './redirect-uri.js';
import { type Admission, certificateProblem, findOrganization } from './tpp-certificate.js';

/**
 * Validates a registration by a sandbox user (contract 13) or by the bank's operator. Reports all violations, in
 * field order.
 */
export const newTpp = async (
  body: unknown,
  admission: Admission,
): Promise<{ readonly valid: NewTpp } | { readonly failures: readonly Failure[] }> => {
  const hasKeySet = isJsonObject(body) && (await isKeySet(getMember(body, 'jwks')));
  const read = readDto(NewTppDto, body, {
    rules: (tpp) => [
      ...insecureUris(tpp, admission),
      ...missingOrganization(tpp, admission),
      ...wrongCertificate(tpp, admission),
      ...wrongKeys(tpp, hasKeySet),
      ...wrongMethod(tpp, admission),
    ],
  });
  if ('failures' in read) return read;
  const { certificate, ...valid } = read.dto;
  if (certificate === undefined) return { valid };
  return { valid: { ...valid, organizationIdentifier: findOrganization(certificate, admission) } };
};

type SentTpp = Sent<NewTppDto>;

const insecureUris = ({ redirectUris }: SentTpp, { isBank }: Admission): Failure[] =>
  isBank &&
  Array.isArray(redirectUris) &&
  redirectUris.some((uri) => typeof uri === 'string' && isSandboxRedirectUri(uri))
    ? [fail('fieldMalformed', 'redirectUris', redirectUrisHint)]
    : [];

const missingOrganization = (tpp: SentTpp, { isBank }: Admission): Failure[] =>
  (isBank || tpp.tokenEndpointAuthMethod === 'tls_client_auth') &&
  tpp.organizationIdentifier === undefined &&
  tpp.certificate === undefined
    ? [fail('fieldMissing', 'organizationIdentifier')]
    : [];

const wrongCertificate = (tpp: SentTpp, admission: Admission): Failure[] => {
  const problem = tpp.certificate === undefined ? undefined : certificateProblem(tpp, admission);
  return problem === undefined ? [] : [fail('fieldMalformed', 'certificate', problem)];
};

const wrongKeys = ({ jwks, tokenEndpointAuthMethod }: SentTpp, isRight: boolean): Failure[] => {
  if (jwks === undefined)
    return tokenEndpointAuthMethod === 'private_key_jwt' ? [fail('fieldMissing', 'jwks')] : [];
  const hint =
    'Send a JWK set of public keys: EC P-256, or RSA of 2048 to 8192 bits with an odd exponent from 65537.';
  return isRight ? [] : [fail('fieldMalformed', 'jwks', hint)];
};

/** A TPP that omits the method gets a client secret, which some profiles do not allow. */
const wrongMethod = ({ tokenEndpointAuthMethod: method }: SentTpp, admission: Admission): Failure[] => {
  const allowed: readonly unknown[] = admission.authMethods ?? authMethods;
  if (allowed.includes(method === undefined ? 'client_secret_basic' : method)) return [];
  if (method === undefined) return [fail('fieldMissing', 'tokenEndpointAuthMethod')];
  return [fail('fieldMalformed', 'tokenEndpointAuthMethod', `Send one of ${allowed.join(', ')}.`)];
};
