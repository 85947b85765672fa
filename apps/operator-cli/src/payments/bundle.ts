import { type BundleFile, exportBundle } from '@xs2a/contracts/dispute-bundle.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import { isWhole } from '@xs2a/resources/dispute-bundle/bundle-file';
import { checkSignatures, type SignatureCheck } from '@xs2a/resources/dispute-bundle/signature-checks';
import { newId } from '@xs2a/runtime/ids';
import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { askConsole } from '../ask-service.js';
import { defineCommand } from '../command-line/define-command.js';
import { argument, option } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import type { Connections } from '../connections.js';
import { checkReason, recordOptions } from '../privacy/person-options.js';

interface Wanted {
  readonly paymentId: string;
  readonly operator: string;
  readonly reason: string;
}

/** Returns the text of the file, which the console records and assembles. Throws {@link Refusal}. */
const exported = async (connections: Connections, wanted: Wanted): Promise<string> => {
  const actionId = newId();
  let text = '';
  for (let part = 0, parts = 1; part < parts; part += 1) {
    const answer = await askConsole(connections, exportBundle, { ...wanted, actionId, part });
    if ('refused' in answer) throw new Refusal(answer.refused);
    text += answer.text;
    parts = answer.parts;
  }
  if (!isWhole(text)) throw new Refusal('The payment changed during the export. Export it again.');
  return text;
};

/** Creates a file that only its owner may read, before an export is recorded for it. */
const createFile = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new Refusal(`${file} cannot be written: ${error instanceof Error ? error.message : error}`, 2);
  }
};

/**
 * Writes the dispute bundle that `read` returns to a new file, and returns what the bundle proves about its signatures. Deletes the
 * file if `read` fails or its text is not a dispute bundle.
 */
export const writeBundle = async (
  file: string,
  read: () => Promise<string>,
): Promise<readonly SignatureCheck[]> => {
  const created = createFile(file);
  try {
    const text = await read();
    const signatures = checkSignatures((JSON.parse(text) as BundleFile).content);
    writeFileSync(created, text);
    return signatures;
  } catch (error) {
    unlinkSync(file);
    throw error;
  } finally {
    closeSync(created);
  }
};

export const bundle = defineCommand({
  name: 'bundle',
  help: 'the dispute bundle: a signed file with everything about a payment in clear text; the export is recorded',
  options: {
    id: argument('id of a payment, a periodic order or a bulk payment'),
    ...recordOptions,
    out: option('<file>', 'a new file that only you may read').required(),
  },
  run: async ({ connections, options: { id, reason, operator = userInfo().username, out } }) => {
    if (!isUuid(id)) throw new Refusal(`${id} is not the id of a payment.`, 2);
    checkReason(reason, { psuIds: [], ibans: [] });
    const file = resolve(out);
    if (existsSync(file)) throw new Refusal(`${out} already exists.`, 2);
    const read = async () => exported(connections, { paymentId: id, operator, reason });
    return { file, signatures: await writeBundle(file, read) };
  },
  text: ({ file, signatures }) =>
    [`✓ ${file}: open docs/verify-bundle.html to verify it`, ...signatures.map(checkText)].join('\n'),
  failed: ({ signatures }) =>
    signatures.some(({ isBound, isShown }) => isBound === false || isShown === false),
});

const checkText = ({ version, isBound, isShown, isOfBasket }: SignatureCheck): string => {
  const event = `the signature of event ${version}`;
  if (isBound === undefined) return `· ${event} has no digest of what was signed: an older release stored it`;
  if (!isBound) return `✗ ${event} belongs to another amount or payee`;
  if (isShown === false) return `✗ ${event} belongs to a page that showed another amount or payee`;
  if (isShown) return `✓ ${event} is bound to the amount and the payee that its page showed`;
  return isOfBasket
    ? `✓ ${event} is bound to the payment by a signing basket, whose page is not included`
    : `✓ ${event} is bound to the payment; the rows of its page are missing: an older release stored it`;
};
