import { allPulses, type Pulse, pulseEveryMs } from '@xs2a/contracts/pulse.contract';
import { profileBucket, profileKey, type SwitchedProfile } from '@xs2a/contracts/switch-over/profile-bucket';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { openBucket } from '@xs2a/nats/buckets';
import { readProfile } from '@xs2a/runtime/profile-file';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connections } from '../connections.js';
import { Refusal } from '../command-line/refusal.js';
import { readPlan, type SwitchOverPlan } from './plan.js';

/** The profile that a switch-over to euro gives to all processes. `timeZone` is that of the bank's days. */
export const toSwitched = (
  { at, target }: Pick<SwitchOverPlan, 'at' | 'target'>,
  timeZone: string,
): SwitchedProfile => ({ name: target, levEnd: toBankDate(at, timeZone) });

/** The bucket with the profile, the value that it must have, and whether it has it. */
const readBucket = async (connections: Connections, plan: SwitchOverPlan) => {
  const switched = JSON.stringify(toSwitched(plan, readProfile(connections.profileFile).timeZone));
  const bucket = await openBucket(await connections.nats(), profileBucket);
  return { bucket, switched, isStored: (await bucket.get(profileKey))?.string() === switched };
};

/** True if NATS has the profile of a switch-over that is done. */
export const isProfileStored = async (connections: Connections, plan: SwitchOverPlan): Promise<boolean> =>
  (await readBucket(connections, plan)).isStored;

/**
 * Stores the profile of a switch-over that is done in its bucket again, after NATS lost its files. Returns what was
 * changed: one line, or nothing.
 */
export const restoreProfile = async (connections: Connections): Promise<readonly string[]> => {
  const plan = await readPlan(connections.pool('payments'));
  if (plan?.phase !== 'done') return [];
  const { bucket, switched, isStored } = await readBucket(connections, plan);
  if (isStored) return [];
  await bucket.put(profileKey, switched);
  return [`${profileBucket} has the profile ${plan.target} again`];
};

/** Milliseconds within which every process must report the new profile. */
const adoptedWithinMs = 30_000;

/**
 * Announces the new profile to all processes, and waits until each one that sends pulses reports it. Throws
 * {@link Refusal} with the processes that do not.
 */
export const announceProfile = async (connections: Connections, switched: SwitchedProfile): Promise<void> => {
  const target = switched.name;
  const bucket = await openBucket(await connections.nats(), profileBucket);
  await bucket.put(profileKey, JSON.stringify(switched));
  // From now on, npm start and its restarts of processes use the new profile for this data folder.
  if (connections.sandboxDataDir !== undefined)
    writeFileSync(join(connections.sandboxDataDir, 'profile'), target);
  const subscription = (await connections.calls()).subscribe(allPulses);
  const begun = performance.now();
  const timer = setTimeout(() => subscription.unsubscribe(), adoptedWithinMs);
  const others = new Map<string, string>();
  for await (const message of subscription) {
    const { instance, service, host, pid, profile, ended } = message.json<Pulse>();
    if (profile === target || ended !== undefined) others.delete(instance);
    else others.set(instance, `${service} on ${host}, pid ${pid}`);
    // Every process has sent a pulse in this time.
    if (others.size === 0 && performance.now() - begun > 2 * pulseEveryMs) break;
  }
  clearTimeout(timer);
  subscription.unsubscribe();
  if (others.size > 0)
    throw new Refusal(
      `These processes have not taken over the profile ${target}: ${[...others.values()].join('; ')}.`,
    );
};
