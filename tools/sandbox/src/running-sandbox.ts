import type { ProfileName } from '@xs2a/domain/profile/profile';
import { makeLayout, readJson } from './layout.js';
import { readHolder } from './processes/lock.js';
import { keptProfile } from './sandbox-profiles.js';

/**
 * The content of the file through which the demo and other tools find a running sandbox. Read it with
 * {@link runningSandbox}.
 */
export interface RunningSandbox {
  readonly baseUrl: string;
  readonly natsUrl: string;
  readonly ownerDatabaseUrl: string;
  /** True if the customers belong to a bank's own core system (`--core-bank`) and not to the sandbox bank. */
  readonly hasOwnCoreBank: boolean;
  readonly pids: readonly number[];
}

/** Returns the sandbox that runs on this data folder, if any, with the name of its profile. */
export const runningSandbox = (
  dataDir: string,
): (RunningSandbox & { readonly profile: ProfileName }) | undefined => {
  const layout = makeLayout(dataDir);
  if (readHolder(layout.lock) === undefined) return undefined;
  const [running, profile] = [readJson<RunningSandbox>(layout.running), keptProfile(layout)];
  return running && profile && { ...running, profile };
};
