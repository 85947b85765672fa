import type { ProfileName } from '@xs2a/domain/profile/profile';
import { makeLayout, readJson } from './layout.js';
import { readHolder } from './processes/lock.js';

/**
 * The content of the file through which the demo and other tools find a running sandbox. Read it with
 * {@link runningSandbox}.
 */
export interface RunningSandbox {
  readonly baseUrl: string;
  readonly natsUrl: string;
  readonly ownerDatabaseUrl: string;
  /** The name of a file in deploy/profiles, without its extension. */
  readonly profile: ProfileName;
  /** True if the customers belong to a bank's own core system (`--core-bank`) and not to the sandbox bank. */
  readonly hasOwnCoreBank: boolean;
  readonly pids: readonly number[];
}

/** Returns the sandbox that runs on this data folder, if any. */
export const runningSandbox = (dataDir: string): RunningSandbox | undefined => {
  const { lock, running } = makeLayout(dataDir);
  return readHolder(lock) === undefined ? undefined : readJson<RunningSandbox>(running);
};
