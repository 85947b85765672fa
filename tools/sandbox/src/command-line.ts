import { type AuthProfile, authProfiles } from '@xs2a/contracts/auth.contract';
import { type ProfileName, profileNames } from '@xs2a/domain/profile/profile';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from './services/service-table.js';

export interface Wishes {
  readonly reset: boolean;
  readonly port: number;
  readonly profile: ProfileName;
  readonly authProfile: AuthProfile;
  readonly demoTpp: boolean;
  readonly demoPort?: number;
  /** The NATS address at which a bank's own core system responds. */
  readonly coreBank?: string;
  /** The service that listens for a debugger. */
  readonly inspect?: ServiceName;
  /** Also starts Prometheus. */
  readonly observability: boolean;
}

const readPort = (option: string, text: string, example: number): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new Error(`${option} must be a port from 1 to 65535. Run: npm start -- ${option} ${example}`);
  return port;
};

/** Parses the options of `npm start`. Throws a one-line error that names the problem. */
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
      observability: { type: 'boolean', default: false },
      'no-demo-tpp': { type: 'boolean', default: false },
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
  const profile = profileNames.find((name) => name === values.profile);
  if (profile === undefined) {
    throw new Error(`--profile knows ${profileNames.join(', ')}. Run: npm start -- --profile sandbox`);
  }
  const authProfile = authProfiles.find((name) => name === values['auth-profile']);
  if (authProfile === undefined) {
    throw new Error(
      `--auth-profile knows ${authProfiles.join(' and ')}. Run: npm start -- --auth-profile oauth2`,
    );
  }
  // The demo TPP authenticates with a secret, which fapi2 does not accept.
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
    demoPort,
    coreBank,
    inspect,
    observability: values.observability,
  };
};
