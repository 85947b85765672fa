import { compareCompanyName } from './company-name.js';
import { editDistance, nameKey } from './name-key.js';
import { compareVerdicts, type NameVerdict } from './name-verdict.js';
import { nameWords } from './name-words.js';
import { comparePersonName } from './person-name.js';

export type AccountHolder =
  | { readonly kind: 'person'; readonly name: string }
  /** Registered, Latin and trading names. */
  | { readonly kind: 'company'; readonly names: readonly string[] };

export type HoldersVerdict =
  | { readonly verdict: 'MATCH' | 'NO_MATCH' }
  /** `name` is the holder's name that is nearest to the one asked about. */
  | { readonly verdict: 'CLOSE_MATCH'; readonly name: string };

interface Compared {
  readonly verdict: NameVerdict;
  readonly name: string;
  /** How far the name is from the one asked about, in edits. */
  readonly distance: number;
}

/**
 * Compares the name that a payer gave with those of an account's holders (contract 15). Of a joint account any
 * holder's name is enough; if several names were given, each must be a holder's.
 */
export const compareHolders = (asked: string, holders: readonly AccountHolder[]): HoldersVerdict => {
  const names = holders.length > 1 ? splitNames(asked) : [asked];
  const worst = names
    .map((name) => nearestHolder(name, holders))
    .toSorted((a, b) => compareVerdicts(b.verdict, a.verdict) || a.distance - b.distance)
    .at(0);
  if (worst === undefined) return { verdict: 'NO_MATCH' };
  const { verdict, name } = worst;
  return verdict === 'CLOSE_MATCH' ? { verdict, name } : { verdict };
};

const nearestHolder = (asked: string, holders: readonly AccountHolder[]): Compared =>
  holders
    .flatMap((holder) =>
      holder.kind === 'person'
        ? [{ name: holder.name, verdict: comparePersonName(asked, holder.name) }]
        : holder.names.map((name) => ({ name, verdict: compareCompanyName(asked, name) })),
    )
    .map((compared) => ({ ...compared, distance: distance(asked, compared.name) }))
    .toSorted(byVerdictAndDistance)
    .at(0) ?? { verdict: 'NO_MATCH', name: '', distance: 0 };

const byVerdictAndDistance = (a: Compared, b: Compared): number =>
  compareVerdicts(a.verdict, b.verdict) || a.distance - b.distance;

const distance = (a: string, b: string): number => editDistance(joinedKey(a), joinedKey(b));
const joinedKey = (name: string): string => nameKey(nameWords(name).join(''));

/** Returns the names in a text. A comma after a single word separates no names: "Petrov, Ivan". */
const splitNames = (asked: string): readonly string[] => {
  const parts = asked.split(/\s(?:и|and|und)\s|[&+/;]/iu).flatMap((part) =>
    part.split(',').reduce<readonly string[]>((names, next) => {
      const before = names.at(-1);
      return before !== undefined && nameWords(before).length === 1
        ? [...names.slice(0, -1), `${before} ${next}`]
        : [...names, next];
    }, []),
  );
  return parts.filter((part) => nameWords(part).length > 0);
};
