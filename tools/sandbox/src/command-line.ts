import { type AuthProfile, authProfiles } from '@xs2a/contracts/auth.contract';
import { parseArgs } from 'node:util';

export interface Wishes {
  readonly reset: boolean;
  readonly port: number;
  readonly profile: 'sandbox' | 'production';
  readonly authProfile: AuthProfile;
  readonly demoTpp: boolean;
  readonly help: boolean;
}

export const usage = `npm start [-- options]
  --reset               forget all data and begin anew
  --port N              the public port (default 8080)
  --profile NAME        the bank's rules: sandbox (default) or production
  --auth-profile NAME   oauth2 (default) or fapi2: the FAPI 2.0 Security Profile, without the demo TPP
  --no-demo-tpp         without the demo TPP, a third party that uses this bank
  --help                this text`;

const profiles = ['sandbox', 'production'] as const;

/** Reads what `npm start` was asked for; throws one line that names what is wrong. */
export const readWishes = (args: readonly string[]): Wishes => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      reset: { type: 'boolean', default: false },
      port: { type: 'string', default: '8080' },
      profile: { type: 'string', default: 'sandbox' },
      'auth-profile': { type: 'string', default: 'oauth2' },
      'no-demo-tpp': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port < 1 || port > 65_535) {
    throw new Error('--port is not a port from 1 to 65535. Run: npm start -- --port 8081');
  }
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
  return { reset: values.reset, port, profile, authProfile, demoTpp, help: values.help };
};
