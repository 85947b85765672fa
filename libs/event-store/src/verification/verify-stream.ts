import {
  canonicalJson,
  chainHash,
  chainStart,
  firstBrokenVersion,
  type HashedEvent,
} from '../streams/hash-chain.js';

/** The kind of damage to an event. */
type FindingKind = 'changed' | 'deleted' | 'swapped' | 'inserted' | 'truncated';

/** An event that differs from what was appended. Unknown members are absent. */
export interface Finding {
  readonly streamId?: string;
  readonly version?: number;
  /** The global position, if the log revealed the damage. */
  readonly pos?: number;
  readonly kind: FindingKind;
  /** One sentence for an operator. It contains no event data. */
  readonly text: string;
}

/** An event and the version for which its hash was computed, or undefined if its hash does not match any version. */
interface Placed {
  readonly event: HashedEvent;
  readonly original: number | undefined;
}
type Genuine = Placed & { readonly original: number };

/** The maximum number of consecutive removed events that are recognised if later ones were renumbered. */
const furthest = 16;

const fits = (event: HashedEvent, as: Partial<HashedEvent>): boolean => {
  const claimed = { ...event, ...as };
  const hash = chainHash(event.prevHash, claimed, canonicalJson(claimed.data), canonicalJson(claimed.meta));
  return hash.equals(event.hash);
};

/**
 * Finds the damage in one stream's events, which are given in version order. An empty result means that the chain
 * is valid from the first event to the last. Hashes require no secret, so if all later hashes of the stream were
 * recomputed after a change, the change is found only by comparison with the log's anchors or the published copy.
 */
export const streamFindings = (events: readonly HashedEvent[]): Finding[] => {
  const broken = firstBrokenVersion(events);
  if (broken === undefined) return [];
  const possible = Array.from({ length: events.length + furthest }, (_, index) => index + 1);
  const placed = events.map((event): Placed => {
    const versions = possible.includes(event.version) ? [event.version, ...possible] : possible;
    return { event, original: versions.find((version) => fits(event, { version })) };
  });
  const { genuine, inserted } = withoutDoubles(placed);
  const found = [
    ...inserted,
    ...unplacedFindings(placed, genuine),
    ...orderFindings(genuine),
    ...missingFindings(placed, genuine),
    ...linkFindings(genuine),
  ];
  const streamId = events[0]?.streamId;
  const findings = found.length > 0 ? found : [changed(broken, 'does not continue the chain')];
  return findings
    .map((finding) => ({ streamId, ...finding }))
    .sort((one, other) => (one.version ?? 0) - (other.version ?? 0));
};

const changed = (version: number, how: string): Finding => ({
  version,
  kind: 'changed',
  text: `The event at version ${version} ${how}.`,
});
const isGenuine = (entry: Placed): entry is Genuine => entry.original !== undefined;

/** Of two events with the same version, the genuine one is the one to whose hash the next event refers. */
const withoutDoubles = (placed: readonly Placed[]): { genuine: Genuine[]; inserted: Finding[] } => {
  const candidates = placed.filter(isGenuine);
  const named = new Set(candidates.map(({ event }) => event.prevHash.toString('hex')));
  const isNamed = ({ event }: Genuine): boolean => named.has(event.hash.toString('hex'));
  const genuine = candidates.filter((entry) => {
    const rivals = candidates.filter(({ original }) => original === entry.original);
    return entry === (rivals.find(isNamed) ?? rivals[0]);
  });
  const inserted = candidates
    .filter((entry) => !genuine.includes(entry))
    .map(({ event: { version } }) => insertedAt(version));
  return { genuine, inserted };
};

const insertedAt = (version: number): Finding => ({
  version,
  kind: 'inserted',
  text: `The event at version ${version} was not appended there: a different event was.`,
});

/**
 * Returns the findings for events whose hash does not match any version: they have another event's content, are in
 * another event's place, or were changed.
 */
const unplacedFindings = (placed: readonly Placed[], genuine: readonly Genuine[]): Finding[] => {
  const unplaced = placed.filter((entry) => !isGenuine(entry)).map(({ event }) => event);
  return unplaced.map((event): Finding => {
    const { version } = event;
    if (version > placed.length + furthest) return insertedAt(version);
    const donor = placed.find(
      ({ event: { type, data, meta } }) =>
        fits(event, { type, data }) || fits(event, { data }) || fits(event, { type, data, meta }),
    );
    if (donor !== undefined) {
      const text = `The content of the event at version ${version} is now at version ${donor.event.version}.`;
      return { version, kind: 'swapped', text };
    }
    if (genuine.some(({ original }) => original === version)) return insertedAt(version);
    return changed(version, 'is not what was appended: changed, or taken from another stream');
  });
};

const orderFindings = (genuine: readonly Genuine[]): Finding[] => {
  const inOrder = genuine.map(({ original }) => original).sort((one, other) => one - other);
  return genuine
    .filter(({ original }, index) => original !== inOrder[index])
    .map(({ event: { version }, original }) => ({
      version,
      kind: 'swapped',
      text: `The event at version ${version} was appended as version ${original}.`,
    }));
};

const missingFindings = (placed: readonly Placed[], genuine: readonly Genuine[]): Finding[] => {
  const there = new Set(placed.map(({ event, original }) => original ?? event.version));
  const last = Math.max(0, ...genuine.map(({ original }) => original));
  return Array.from({ length: last }, (_, index) => index + 1)
    .filter((version) => !there.has(version))
    .map((version) => ({
      version,
      kind: 'deleted',
      text: `The event appended as version ${version} is gone.`,
    }));
};

/** Changed events with a recomputed hash: the next event refers to the old hash. */
const linkFindings = (genuine: readonly Genuine[]): Finding[] => {
  const at = new Map(genuine.map((entry) => [entry.original, entry.event]));
  const isCut = (version: number): boolean => {
    const [before, event] = [at.get(version - 1), at.get(version)];
    if (event === undefined || (version > 1 && before === undefined)) return false;
    return !event.prevHash.equals(before?.hash ?? chainStart);
  };
  return genuine.flatMap(({ original, event: { version } }) => {
    if (isCut(original) && (original === 1 || isCut(original + 1))) {
      return [changed(version, 'was changed and rehashed')];
    }
    const fromBefore = isCut(original + 1) && !isCut(original + 2);
    return fromBefore && !isCut(original)
      ? [changed(version, 'is not the one that its successor follows')]
      : [];
  });
};
