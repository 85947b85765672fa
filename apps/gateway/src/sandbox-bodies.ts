import type { NewPsu } from '@xs2a/contracts/accounts.contract';
import { type NewTpp, tppRoles } from '@xs2a/contracts/auth.contract';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isJsonObject, type JsonObject, memberOf, unknownMembers } from '@xs2a/domain/form/form-checks';
import { CallFailed } from '@xs2a/messaging/call-failed';

/** The form of one member: what it must be, and whether it may be left out. */
interface Form {
  readonly optional?: true;
  readonly text: string;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 2000;
const isListOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= 50 && value.every(fits);

const text: Form = { text: 'Send a text.', fits: isText };
const optional = (form: Form): Form => ({ ...form, optional: true });

const failuresIn = (body: JsonObject, forms: Readonly<Record<string, Form>>, parent = ''): Failure[] => [
  ...Object.entries(forms).flatMap(([name, form]) => {
    const value = memberOf(body, name);
    const path = parent === '' ? name : `${parent}.${name}`;
    if (value === undefined) return form.optional === true ? [] : [fail('fieldMissing', path)];
    return form.fits(value) ? [] : [fail('fieldMalformed', path, form.text)];
  }),
  ...unknownMembers(body, Object.keys(forms), parent),
];

/** The body, once every member has its form; what its values may be is the business of the service that takes it. */
const read = <Body>(body: JsonObject, forms: Readonly<Record<string, Form>>): Body => {
  const failures = failuresIn(body, forms);
  if (failures.length > 0) throw new CallFailed(failures);
  return body as Body;
};

export const readNewTpp = (body: JsonObject): NewTpp =>
  read<NewTpp>(body, {
    name: text,
    redirectUris: { text: 'Send a list of URIs.', fits: (value) => isListOf(value, isText) },
    roles: {
      text: `Send a list of ${tppRoles.join(', ')}.`,
      fits: (value) => isListOf(value, (role) => tppRoles.some((known) => known === role)),
    },
    jwks: {
      optional: true,
      text: 'Send a JSON Web Key Set with public keys.',
      fits: (value) => isJsonObject(value) && isListOf(memberOf(value, 'keys'), isJsonObject),
    },
    tokenEndpointAuthMethod: optional(text),
  });

export const readTppStatus = (body: JsonObject): { readonly status: 'active' | 'blocked' } =>
  read(body, {
    status: { text: 'Send active or blocked.', fits: (value) => value === 'active' || value === 'blocked' },
  });

const accountForms: Readonly<Record<string, Form>> = {
  currency: text,
  opening: text,
  creditLimit: optional(text),
  type: optional(text),
};

export const readNewPsu = (body: JsonObject): NewPsu => {
  const wanted = read<NewPsu>(body, {
    name: optional(text),
    accounts: {
      // A further signer of a corporate may bring no account of its own.
      text: 'Send a list of at most 50 accounts.',
      fits: (value) => Array.isArray(value) && value.length <= 50 && value.every(isJsonObject),
    },
    corporateId: optional(text),
    signaturesRequired: {
      optional: true,
      text: 'Send a whole number from 1 to 9.',
      fits: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 9,
    },
  });
  const failures = wanted.accounts.flatMap((account, index) =>
    failuresIn({ ...account }, accountForms, `accounts[${index}]`),
  );
  if (failures.length > 0) throw new CallFailed(failures);
  return wanted;
};

export const readDeposit = (body: JsonObject): { readonly amount: string; readonly currency: string } =>
  read(body, { amount: text, currency: text });
