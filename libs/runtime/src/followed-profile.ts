import type { NatsConnection } from '@nats-io/transport-node';
import { profileBucket, profileKey, type SwitchedProfile } from '@xs2a/contracts/switch-over/profile-bucket';
import type { Profile } from '@xs2a/domain/profile/profile';
import { BucketFollower } from '@xs2a/nats/bucket-follower';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import type { Logger } from '@xs2a/observability/logger';
import { dirname, join } from 'node:path';
import { readProfile } from './profile-file.js';

export interface FollowedProfile {
  /** The profile of this process. Its members are replaced when the bank switches to another profile. */
  readonly profile: Profile;
  /** The path of its file. The other profile's file is in the same folder. */
  readonly file: string;
  readonly logger: Logger;
  /** Called with the profile to which the bank switched. If it throws, this process keeps the former one. */
  readonly check?: (target: Profile) => void;
}

/** Gives a profile the members of another one. */
const replaceProfile = (profile: Profile, target: Profile): void => {
  for (const member of Object.keys(profile)) Reflect.deleteProperty(profile, member);
  Object.assign(profile, target);
};

/** Milliseconds that a start waits for the bucket. Without NATS, the service starts and reads it later. */
const readWithinMs = 2000;

/**
 * Follows the profile to which the bank switches, until `signal` aborts (contract E6.1). Ends the process if it was
 * started with the profile from which the bank has switched. Returns once the bucket was read.
 */
export const followProfile = async (
  nats: NatsConnection,
  followed: FollowedProfile,
  signal: AbortSignal,
): Promise<void> => {
  const { profile, file, logger, check } = followed;
  const started = Promise.withResolvers<void>();
  let isStarted = false;
  const learn = (switched: string | undefined): void => {
    const isFirst = !isStarted;
    isStarted = true;
    started.resolve();
    if (switched === undefined) return;
    const { name, levEnd } = JSON.parse(switched) as SwitchedProfile;
    if (name === profile.name) {
      replaceProfile(profile, { ...profile, levEnd });
      return;
    }
    if (isFirst) {
      logger.fatal({ file }, `the bank switched to the profile ${name}: set PROFILE_FILE to its file`);
      process.exit(1);
    }
    const target = { ...readProfile(join(dirname(file), `${name}.json`)), levEnd };
    check?.(target);
    replaceProfile(profile, target);
    logger.info({ profile: name }, 'switched to another profile');
  };
  const follower = new BucketFollower({
    nats,
    bucket: profileBucket,
    logger,
    onAll: (entries) => learn(entries.get(profileKey)),
    onChange: (key, switched) => {
      if (key === profileKey) learn(switched);
    },
  });
  follower.start();
  signal.addEventListener('abort', () => follower.stop(), { once: true });
  await waitAtMost(readWithinMs, started.promise);
};
