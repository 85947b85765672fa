import type { Failure } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { OpenApiDocument } from '../openapi/document.js';

/** Headers that a refusal may name although the API description does not list them as parameters (OpenAPI 3.0). */
const undescribedHeaders = ['Accept', 'Authorization', 'Content-Type', 'DPoP', 'Host'];

/** The names of all fields, parameters and headers of the API description. */
const contractNames = ({
  paths,
  components,
}: Pick<OpenApiDocument, 'paths' | 'components'>): ReadonlySet<string> => {
  const names = new Set(undescribedHeaders);
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { properties, name, in: place } = part as Readonly<Record<string, unknown>>;
    if (typeof properties === 'object' && properties !== null)
      for (const property of Object.keys(properties)) names.add(property);
    if (typeof name === 'string' && typeof place === 'string') names.add(name);
    for (const member of Object.values(part)) collect(member);
  };
  collect(paths);
  collect(components.schemas);
  return names;
};

/**
 * Returns a function that gives the names of the API description of the current profile. They change when the bank
 * switches to another profile.
 */
export const namesOfProfile = (
  profile: Pick<Profile, 'name'>,
  describe: () => Parameters<typeof contractNames>[0],
): (() => ReadonlySet<string>) => {
  let [known, names] = [profile.name, contractNames(describe())];
  return () => {
    if (known !== profile.name) [known, names] = [profile.name, contractNames(describe())];
    return names;
  };
};

/** Matches a name with the positions in an array that may follow it, such as `payments[3]`. */
const segment = /^([^[\]]+)(?:\[\d{1,5}\])*$/;

/**
 * The path of a violation as it may be stored: up to its first name that is not part of the contract, which is the
 * client's text and becomes `?`. The last name of an unknown member is always the client's, whatever it says.
 */
export const faultPath = (
  { failure, path }: Pick<Failure, 'failure' | 'path'>,
  names: ReadonlySet<string>,
): string | undefined => {
  if (path === undefined) return undefined;
  const parts = path.split('.');
  const known = parts.findIndex((part) => !names.has(segment.exec(part)?.[1] ?? ''));
  const end = failure === 'fieldUnknown' && known === -1 ? parts.length - 1 : known;
  return end === -1 ? path : [...parts.slice(0, end), '?'].join('.');
};
