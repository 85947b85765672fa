import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isJsonObject, getMember, unknownMembers } from '@xs2a/domain/form/form-checks';
import { getMetadataStorage, validateSync } from 'class-validator';

/** The members of a DTO as sent, before their form is validated against the class. */
export type Sent<Dto> = { readonly [Member in keyof Dto]?: unknown };
interface Reading<Dto> {
  /** The body's path in the request, such as `accounts[0]`; absent if the DTO is the whole body. */
  readonly path?: string;
  /**
   * Additional rules, which depend on more than the value of one member. A member with an invalid form is reported
   * only for its form.
   */
  readonly rules?: (sent: Sent<Dto>) => readonly Failure[];
}

/**
 * Reads a body into a DTO class whose members have class-validator decorators. Only members of the class are
 * copied, so `constructor` and `__proto__` count as unknown members. Returns every violation: first those of the
 * class's members, in the order of their declaration, then the unknown members. A decorator's message becomes the
 * hint.
 */
export const readDto = <Dto extends object>(
  type: new () => Dto,
  body: unknown,
  { path = '', rules = () => [] }: Reading<Dto> = {},
): { readonly dto: Dto } | { readonly failures: readonly Failure[] } => {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const members = listMembers(type);
  const dto = new type();
  for (const name of members) Reflect.set(dto, name, getMember(body, name));
  const joinPath = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const malformed = formFailures(dto, joinPath);
  const paths = new Set(malformed.map((failure) => failure.path));
  const found = [...malformed, ...rules(dto).filter((failure) => !paths.has(failure.path))];
  const isWithin = (failure: Failure, name: string): boolean =>
    failure.path === joinPath(name) || failure.path?.startsWith(`${joinPath(name)}[`) === true;
  const failures = [
    ...members.flatMap((name) => found.filter((failure) => isWithin(failure, name))),
    ...unknownMembers(body, members, path),
  ];
  return failures.length > 0 ? { failures } : { dto };
};

const listMembers = (type: new () => object): readonly string[] => {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const inherited = metadata.filter(({ target }) => target !== type);
  const own = metadata.filter(({ target }) => target === type);
  return [...new Set([...inherited, ...own].map(({ propertyName }) => propertyName))];
};

/** `null` counts as a value with an invalid form; only an omitted member counts as missing. */
const formFailures = (dto: object, joinPath: (name: string) => string): Failure[] =>
  validateSync(dto, { skipUndefinedProperties: true }).map(({ property, value, constraints = {} }) => {
    if (value === undefined) return fail('fieldMissing', joinPath(property));
    const { isDefined: _, ...others } = constraints;
    return fail('fieldMalformed', joinPath(property), Object.values(others)[0]);
  });
