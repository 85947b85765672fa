import { readClientTls, type TlsFiles } from './client-tls.js';
import { playDemo } from './play.js';
import { NotAsAgreed, Talk } from './talk.js';
import type { ClientTls } from '@xs2a/tpp-client/tls-send';
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from '../command-line/command-run.js';
import type { Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { root } from '../root.js';

interface DemoFlags extends TlsFiles {
  readonly baseUrl: string;
  readonly customer?: string;
}

const readFixtureTpp = (): { readonly clientId: string; readonly clientSecret: string } => {
  const { tpps } = JSON.parse(readFileSync(join(root, 'deploy/sandbox/sandbox-fixtures.json'), 'utf8')) as {
    readonly tpps: readonly [{ readonly clientId: string; readonly clientSecret: string }];
  };
  return tpps[0];
};

const findTls = (flags: DemoFlags): ClientTls | undefined => {
  try {
    return readClientTls(flags, flags.baseUrl);
  } catch (error) {
    throw new Refusal((error as Error).message, 2);
  }
};

const play = async (flags: DemoFlags, output: Output): Promise<number> => {
  const tls = findTls(flags);
  const { origin: baseUrl } = new URL(flags.baseUrl);
  const talk = new Talk((line) =>
    output.json ? process.stderr.write(`${line}\n`) : output.show(undefined, line),
  );
  try {
    const paymentId = await playDemo(
      { baseUrl, fixtureTpp: readFixtureTpp(), tls, customerFile: flags.customer },
      talk,
    );
    output.show({ paymentId }, '\nEverything was as the contract says.');
    return 0;
  } catch (error) {
    if (error instanceof NotAsAgreed) throw new Refusal(`✗ Not as the contract says: ${error.message}`);
    throw new Refusal(`✗ ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** `demo` plays a TPP against a sandbox that was deployed: payment, signature, consent, accounts, funds confirmation. */
export const demoCommand = (): Command =>
  new Command('demo')
    .description('plays a TPP against a sandbox that was deployed, using only its public interface')
    .requiredOption('--base-url <url>', 'the public address of the bank')
    .option('--ca <file>', 'PEM: the authority of the bank’s TLS certificate')
    .option('--cert <file>', 'PEM: the TPP’s own certificate; it registers itself with it')
    .option('--key <file>', 'PEM: the private key of that certificate')
    .option('--customer <file>', 'JSON: psuId, password and iban of a customer of the bank’s own core')
    .action(alone<DemoFlags>(play));
