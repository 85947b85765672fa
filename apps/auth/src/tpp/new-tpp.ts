import { type NewTpp, type TppRole, tppRoles } from '@xs2a/contracts/auth.contract';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import { isMaxText } from '@xs2a/domain/text/text';
import { isOrganizationIdentifier } from '@xs2a/qwac/psp-roles';
import { authMethods } from './auth-methods.js';
import { isKeySet } from './public-keys.js';
import { type Admission, certificateProblem, organizationOf } from './tpp-certificate.js';

const members = new Set([
  'name',
  'redirectUris',
  'roles',
  'organizationIdentifier',
  'certificate',
  'jwks',
  'tokenEndpointAuthMethod',
]);
const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);

/** https, or http on the own machine; absolute, nobody's name in it, no fragment, as the browser would write it. */
export const isRedirectUri = (value: unknown): value is string => {
  if (!isMaxText(value, 2000) || !/^[\x21-\x7e]+$/.test(value) || value.includes('\\')) return false;
  const uri = URL.parse(value);
  if (uri === null || value.includes('#') || uri.username !== '' || uri.password !== '') return false;
  if (!value.startsWith(`${uri.origin}/`) && value !== uri.origin) return false;
  return uri.protocol === 'https:' || (uri.protocol === 'http:' && loopbacks.has(uri.hostname));
};

const isListOf = (value: unknown, most: number, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= most &&
  value.every(isItem) &&
  new Set(value).size === value.length;

const isRole = (value: unknown): value is TppRole => tppRoles.some((role) => role === value);

/** Checks what a sandbox user (contract 13) or the bank's operator asks to register; every violation, in field order. */
export const newTpp = async (
  body: unknown,
  admission: Admission,
): Promise<{ readonly valid: NewTpp } | { readonly failures: Failure[] }> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { failures: [fail('bodyNotJson')] };
  const field = (name: string): unknown => Reflect.get(body, name);
  const failures: Failure[] = [];
  const check = (name: string, isRight: boolean, text: string): void => {
    if (field(name) === undefined) failures.push(fail('fieldMissing', name));
    else if (!isRight) failures.push(fail('fieldMalformed', name, text));
  };
  check('name', isMaxText(field('name'), 70), 'Send a name of at most 70 characters.');
  check(
    'redirectUris',
    isListOf(
      field('redirectUris'),
      10,
      (uri) => isRedirectUri(uri) && (!admission.isBank || uri.startsWith('https:')),
    ),
    'Send 1 to 10 different https URIs without fragment; http is allowed for a loopback host.',
  );
  check('roles', isListOf(field('roles'), tppRoles.length, isRole), `Send a list of ${tppRoles.join(', ')}.`);
  const method = field('tokenEndpointAuthMethod');
  const organization = field('organizationIdentifier');
  const certificate = field('certificate');
  const needsOrganization = admission.isBank || method === 'tls_client_auth';
  if (organization !== undefined || (needsOrganization && certificate === undefined))
    check(
      'organizationIdentifier',
      isOrganizationIdentifier(organization),
      'Send the identifier of your QWAC, such as PSDBG-BNB-12345.',
    );
  const problem = certificate === undefined ? undefined : certificateProblem(body, admission);
  if (problem !== undefined) failures.push(fail('fieldMalformed', 'certificate', problem));
  const jwks = field('jwks');
  const isByKey = method === 'private_key_jwt';
  if (jwks !== undefined || isByKey)
    check(
      'jwks',
      await isKeySet(jwks),
      'Send a JWK set of public keys: EC P-256, or RSA of 2048 to 8192 bits with an odd exponent from 65537.',
    );
  const methods = admission.authMethods ?? authMethods;
  if (method !== undefined || !methods.includes('client_secret_basic'))
    check(
      'tokenEndpointAuthMethod',
      methods.some((one) => one === method),
      `Send one of ${methods.join(', ')}.`,
    );
  for (const name of Object.keys(body).filter((one) => !members.has(one)))
    failures.push(fail('fieldUnknown', name));
  if (failures.length > 0) return { failures };
  const { certificate: shown, ...valid } = body as NewTpp & { readonly certificate?: unknown };
  return {
    valid:
      shown === undefined ? valid : { ...valid, organizationIdentifier: organizationOf(shown, admission) },
  };
};
