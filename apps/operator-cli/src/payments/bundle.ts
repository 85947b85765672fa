import { exportBundle } from '@xs2a/contracts/dispute-bundle.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import { isWhole } from '@xs2a/resources/dispute-bundle/bundle-file';
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
    const created = createFile(file);
    try {
      writeFileSync(created, await exported(connections, { paymentId: id, operator, reason }));
    } catch (error) {
      unlinkSync(file);
      throw error;
    } finally {
      closeSync(created);
    }
    return { file };
  },
  text: ({ file }) => `✓ ${file}: open docs/verify-bundle.html to verify it`,
});
