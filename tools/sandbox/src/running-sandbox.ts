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
  /** A file in deploy/profiles, without its extension. */
  readonly profile: string;
  /** Whether the customers belong to a bank's own core (`--core-bank`), not to the sandbox bank. */
  readonly hasOwnCoreBank: boolean;
  readonly pids: readonly number[];
}

/** The sandbox that runs on this data folder, if any. */
export const runningSandbox = (dataDir: string): RunningSandbox | undefined => {
  const { lock, running } = makeLayout(dataDir);
  return readHolder(lock) === undefined ? undefined : readJson<RunningSandbox>(running);
};
