import {
  type BundleContent,
  type BundleEvent,
  bundleFormat,
  type BundleFile,
  type BundleStatement,
  type StoredBundleEvent,
} from '@xs2a/contracts/dispute-bundle.contract';
import { decryptStored, placeOfEvent } from '@xs2a/event-store/encryption/stream-keys';
import { canonicalJson } from '@xs2a/event-store/streams/hash-chain';
import { createHash } from 'node:crypto';
import { checkSignatures, type SignatureCheck } from './signature-checks.js';

/** Decrypts an event of a payment. Throws if it was not encrypted with this key. */
export const readableEvent = (
  event: StoredBundleEvent,
  paymentId: string,
  key: string | null,
): BundleEvent => ({
  ...event,
  data: decryptStored(event.stored, {
    streamId: paymentId,
    place: placeOfEvent(event.eventId),
    key: key === null ? undefined : { bytes: Buffer.from(key, 'base64') },
  }),
});

/** Says what a bundle with these events cannot prove. */
export const listMissing = (events: readonly BundleEvent[]): readonly string[] => {
  const signatures = checkSignatures({ events });
  return [
    ...(signatures.length === 0 ? ['No PSU has signed the payment.'] : []),
    ...signatures.flatMap(missingOf),
    ...(events.some(({ pos }) => pos === null)
      ? ['Some events have no position in the log yet: export again in a few seconds.']
      : []),
  ];
};

const missingOf = ({ version, isBound, isShown, isOfBasket }: SignatureCheck): readonly string[] => {
  const event = `Event ${version} is a signature without`;
  if (isBound === undefined)
    return [`${event} the digest of what was signed: the release that stored it did not keep it.`];
  if (isShown !== undefined) return [];
  return [
    isOfBasket
      ? `${event} the rows of the page: those of a signing basket are about its other items too.`
      : `${event} the rows of the page: the release that stored it did not keep them.`,
  ];
};

/** The SHA-256 of a bundle's content, in base64url. */
export const digestBundle = (content: BundleContent): string =>
  createHash('sha256').update(canonicalJson(content)).digest('base64url');

/** The text of a bundle's file. */
export const bundleText = (content: BundleContent, signature: string): string => {
  const file: BundleFile = { format: bundleFormat, signature, content };
  return `${JSON.stringify(file, null, 1)}\n`;
};

/** The name of a bundle's file. It contains the id of the payment, and nothing personal. */
export const bundleFileName = (paymentId: string): string => `dispute-${paymentId}.json`;

/** True if the text of a file is complete: its content is the one that the signed statement names. */
export const isWhole = (text: string): boolean => {
  try {
    const { content, signature } = JSON.parse(text) as BundleFile;
    const [, payload = ''] = signature.split('.');
    const statement = JSON.parse(Buffer.from(payload, 'base64url').toString()) as BundleStatement;
    return statement.contentSha256 === digestBundle(content);
  } catch {
    return false;
  }
};
