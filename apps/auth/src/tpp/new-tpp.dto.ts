import { type NewTpp, type TppRole, tppRoles } from '@xs2a/contracts/auth.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { isOrganizationIdentifier } from '@xs2a/qwac/psp-roles';
import { Allow, IsDefined, ValidateBy } from 'class-validator';
import { isRedirectUri } from './redirect-uri.js';

const Follows = (name: string, validate: (value: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy({ name, validator: { validate } }, { message });

/** Validates the length before the items, so that a list of thousands is rejected without being read. */
const isListWith = (value: unknown, max: number, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= max &&
  value.every(isItem) &&
  new Set(value).size === value.length;

const isRole = (value: unknown): value is TppRole => tppRoles.some((role) => role === value);

export const redirectUrisHint =
  'Send 1 to 10 different https URIs without a fragment and not at a private address; in the sandbox, also at a loopback host (localhost, 127.0.0.1 or [::1]), where http is allowed.';

/**
 * A TPP registration: the body of `POST /sandbox/tpps` (contract 13), or the input of the bank's operator. Members
 * without a validation rule here are validated by newTpp, because they depend on other members and on the bank's
 * settings.
 */
export class NewTppDto implements NewTpp {
  @IsDefined()
  @Follows('isMaxText', (value) => isMaxText(value, 70), 'Send a name of at most 70 characters.')
  readonly name!: string;

  @IsDefined()
  @Follows('isRedirectUris', (value) => isListWith(value, 10, isRedirectUri), redirectUrisHint)
  readonly redirectUris!: readonly string[];

  @IsDefined()
  @Follows(
    'isRoles',
    (value) => isListWith(value, tppRoles.length, isRole),
    `Send a list of ${tppRoles.join(', ')}.`,
  )
  readonly roles!: readonly TppRole[];

  @Follows(
    'isOrganizationIdentifier',
    isOrganizationIdentifier,
    'Send the identifier of your QWAC, such as PSDBG-BNB-12345.',
  )
  readonly organizationIdentifier?: string;

  @Allow()
  readonly certificate?: string;

  @Allow()
  readonly jwks?: { readonly keys: readonly Record<string, unknown>[] };

  @Allow()
  readonly tokenEndpointAuthMethod?: string;
}
