import { type AuthProfile, authProfiles } from '@xs2a/contracts/auth.contract';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from './services/service-table.js';

export interface Wishes {
  readonly reset: boolean;
  readonly port: number;
  readonly profile: 'sandbox' | 'production';
  readonly authProfile: AuthProfile;
  readonly demoTpp: boolean;
  readonly demoPort?: number;
  /** The NATS address at which a bank's own core answers. */
  readonly coreBank?: string;
  /** The service that listens for a debugger. */
  readonly inspect?: ServiceName;
  readonly help: boolean;
}

export const usage = `npm start [-- options]
  --reset               forget all data and begin anew
  --port N              the public port (default 8080)
  --profile NAME        the bank's rules: sandbox (default) or production
  --auth-profile NAME   oauth2 (default) or fapi2: the FAPI 2.0 Security Profile, without the demo TPP
  --no-demo-tpp         without the demo TPP, a third party that uses this bank
  --demo-port N         the demo TPP's port (default 8090; beside a public port other than 8080 any that is free)
  --core-bank URL       a bank's own core instead of the sandbox's: nats://user:password@host:port of the NATS server
                        where it answers (docs/how-to/connect-your-core-bank.md)
  --inspect SERVICE     that service listens for a debugger at 127.0.0.1:9229 (CONTRIBUTING.md)
  --help                this text

Data and logs are kept in .xs2a/sandbox; the environment variable XS2A_DATA_DIR names another folder, for this
command, npm run demo and npm run xs2a alike.`;

const profiles = ['sandbox', 'production'] as const;

const readPort = (option: string, text: string, example: number): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new Error(`${option} is not a port from 1 to 65535. Run: npm start -- ${option} ${example}`);
  return port;
};

/** Reads what `npm start` was asked for; throws one line that names what is wrong. */
export const readWishes = (args: readonly string[]): Wishes => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      reset: { type: 'boolean', default: false },
      port: { type: 'string', default: '8080' },
      profile: { type: 'string', default: 'sandbox' },
      'auth-profile': { type: 'string', default: 'oauth2' },
      'demo-port': { type: 'string' },
      'core-bank': { type: 'string' },
      inspect: { type: 'string' },
      'no-demo-tpp': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const port = readPort('--port', values.port, 8081);
  const demoPort =
    values['demo-port'] === undefined ? undefined : readPort('--demo-port', values['demo-port'], 8091);
  if (demoPort === port) throw new Error('--port and --demo-port are the same. Choose two.');
  const coreBank = values['core-bank'];
  if (
    coreBank !== undefined &&
    !/^(?:nats|tls):\/\/(?:[^@/]+@)?[\w.:[\],-]+(?:\?[\w./=&%-]+)?$/.test(coreBank)
  )
    throw new Error(
      '--core-bank is not the address of a NATS server, such as nats://bank:password@127.0.0.1:4222.',
    );
  const profile = profiles.find((name) => name === values.profile);
  if (profile === undefined) {
    throw new Error(`--profile knows ${profiles.join(' and ')}. Run: npm start -- --profile sandbox`);
  }
  const authProfile = authProfiles.find((name) => name === values['auth-profile']);
  if (authProfile === undefined) {
    throw new Error(
      `--auth-profile knows ${authProfiles.join(' and ')}. Run: npm start -- --auth-profile oauth2`,
    );
  }
  // The demo TPP proves itself with a secret, which fapi2 does not take.
  const demoTpp = !values['no-demo-tpp'] && authProfile === 'oauth2';
  if (demoPort !== undefined && !demoTpp)
    throw new Error('--demo-port is for the demo TPP, which is left out here. Leave out one of the options.');
  const inspect = serviceNames.find((name) => name === values.inspect);
  if (values.inspect !== undefined && inspect === undefined)
    throw new Error(`--inspect knows ${serviceNames.join(', ')}. Run: npm start -- --inspect payments`);
  return {
    reset: values.reset,
    port,
    profile,
    authProfile,
    demoTpp,
    ...(demoPort === undefined ? {} : { demoPort }),
    ...(coreBank === undefined ? {} : { coreBank }),
    ...(inspect === undefined ? {} : { inspect }),
    help: values.help,
  };
};
