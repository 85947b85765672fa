import { readClientTls } from './client-tls.js';
import { playDemo } from './play.js';
import { NotAsAgreed, Talk } from './talk.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from '../command-line/define-command.js';
import { option } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { profileNames } from '@xs2a/domain/profile/profile';
import { readProfile } from '@xs2a/runtime/profile-file';
import { root } from '@xs2a/runtime/release';

const readFixtureTpp = (): { readonly clientId: string; readonly clientSecret: string } => {
  const { tpps } = JSON.parse(readFileSync(join(root, 'deploy/sandbox/sandbox-fixtures.json'), 'utf8')) as {
    readonly tpps: readonly [{ readonly clientId: string; readonly clientSecret: string }];
  };
  return tpps[0];
};

/** Acts as a TPP in a deployed sandbox: payment, signature, consent, accounts, funds confirmation. */
export const demo = defineCommand({
  name: 'demo',
  help: 'plays a TPP against a deployed sandbox, using only its public interface',
  options: {
    baseUrl: option('<url>', 'the public address of the bank').required(),
    ca: option('<file>', 'PEM: the authority of the bank’s TLS certificate'),
    cert: option('<file>', 'PEM: the TPP’s certificate, with which it registers itself'),
    key: option('<file>', 'PEM: the private key of that certificate'),
    profile: option('<name>', 'the bank’s rules (default: sandbox)', profileNames).or('sandbox'),
    customer: option('<file>', 'JSON: psuId, password and iban of a customer of the bank’s own core system'),
  },
  isLocal: true,
  run: async ({ output, options }) => {
    let tls: ReturnType<typeof readClientTls>;
    try {
      tls = readClientTls(options, options.baseUrl);
    } catch (error) {
      throw new Refusal((error as Error).message, 2);
    }
    const { origin: baseUrl } = new URL(options.baseUrl);
    const talk = new Talk((line) => (output.json ? process.stderr.write(`${line}\n`) : output.say(line)));
    try {
      const play = {
        baseUrl,
        standard: readProfile(join(root, `deploy/profiles/${options.profile}.json`)).standard,
        fixtureTpp: readFixtureTpp(),
        tls,
        customerFile: options.customer,
      };
      return { paymentId: await playDemo(play, talk) };
    } catch (error) {
      if (error instanceof NotAsAgreed) throw new Refusal(`✗ Not as the contract says: ${error.message}`);
      throw new Refusal(`✗ ${error instanceof Error ? error.message : String(error)}`);
    }
  },
  text: () => '\nEverything was as the contract says.',
});
