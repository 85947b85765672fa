import type { EventResource } from '@xs2a/contracts/event-streams';
import type { Involved, Persons } from '@xs2a/domain/persons';
import { namesPerson, withoutSpaces } from '@xs2a/domain/text/reason';
import { findStreams } from '@xs2a/custody/personal-data/find-streams';
import { findArchivedStreams, readTagger } from '@xs2a/custody/personal-data/person-tags';
import { resources } from '@xs2a/resources/resources';
import type { Connections } from '../connections.js';
import { option, severalOf } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { readTimeZone } from '../events/read-models.js';

/** The options that name a person. */
export const personOptions = {
  psu: severalOf('<id>', 'PSU-ID of the person'),
  iban: severalOf('<iban>', 'IBANs of the person: payments from them and consents to access them'),
};

/** The options that are recorded together with the request. */
export const recordOptions = {
  reason: option('<text>', 'the reason, for the record; do not name a person').required(),
  operator: option('<name>', 'operator, for the record (default: the operating system user)'),
};

interface PersonOptions {
  readonly psu?: readonly string[];
  readonly iban?: readonly string[];
  readonly stream?: readonly string[];
}

export interface Asked extends Persons {
  readonly streamIds: readonly string[];
}

/** Throws {@link Refusal} if nobody is named, or if a stream is not an id. */
export const readAsked = ({ psu = [], iban = [], stream = [] }: PersonOptions): Asked => {
  if (psu.length + iban.length + stream.length === 0)
    throw new Refusal('Specify --psu ID, --iban IBAN or --stream ID.', 2);
  const wrong = stream.find((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id));
  if (wrong !== undefined) throw new Refusal(`${wrong} is not the id of a payment, consent or basket.`, 2);
  return {
    psuIds: psu,
    ibans: iban.map(withoutSpaces),
    streamIds: stream.map((id) => id.toLowerCase()),
  };
};

/**
 * Throws {@link Refusal} for a reason that names the requested person or account, or that contains an account
 * number or a ten-digit national number: the request log stores reasons permanently.
 */
export const checkReason = (reason: string, asked: Persons): void => {
  if (reason.trim() === '') throw new Refusal('Give a reason: --reason "…".', 2);
  if (namesPerson(reason, asked))
    throw new Refusal('The reason is kept permanently: name the case, not the person or an account.', 2);
};

/** The streams found for a person, including those that may also belong to others. */
export interface Found {
  /** The ids of the streams in the database and in archives, in order. */
  readonly streamIds: readonly string[];
  /** The ids of streams that other people also signed. */
  readonly shared: readonly string[];
  /** The ids of streams whose personal data cannot be decrypted, so their owners are unknown. */
  readonly unreadable: readonly string[];
  /** Tags of the requested person or streams (person-tags.ts). */
  readonly tags: readonly string[];
}

/** Finds the requested streams of a resource. */
export const findAsked = async (
  connections: Connections,
  resource: EventResource,
  { asked, signal }: { readonly asked: Asked; readonly signal: AbortSignal },
): Promise<Found> => {
  const pool = connections.pool(resource);
  const masterKeys = await connections.mustHaveMasterKeys(resource);
  const tagger = await readTagger(pool, masterKeys);
  const personTags = tagger.ofAsked(asked);
  const [own, shared, unreadable]: [Set<string>, Set<string>, string[]] = [new Set(), new Set(), []];
  if (personTags.length > 0) {
    const found = findStreams(pool, asked, {
      views: resources[resource].views,
      masterKeys,
      timeZone: readTimeZone(connections),
      onUnreadable: (streamId) => unreadable.push(streamId),
      signal,
    });
    for await (const { streamId, persons } of found) (isShared(persons, asked) ? shared : own).add(streamId);
    for (const { streamId, isShared: byOthers } of await findArchivedStreams(pool, personTags))
      (byOthers ? shared : own).add(streamId);
  }
  for (const streamId of asked.streamIds) {
    own.add(streamId);
    shared.delete(streamId);
  }
  const tags = [...tagger.ofLogged(asked), ...asked.streamIds.map((streamId) => tagger.ofStream(streamId))];
  return { streamIds: [...own].sort(), shared: [...shared].sort(), unreadable, tags };
};

/**
 * True if the stream was signed by people whom the request does not name or, if only accounts were requested, by
 * more than one person.
 */
const isShared = ({ signers }: Involved, asked: Persons): boolean =>
  asked.psuIds.length > 0 ? signers.some((psuId) => !asked.psuIds.includes(psuId)) : signers.length > 1;
