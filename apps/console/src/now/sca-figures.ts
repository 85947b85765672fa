import type { RecentName } from '@xs2a/contracts/pulse.contract';
import type { InstanceState } from '@xs2a/doctor/instances';

/** The sign-ins and codes of PSUs in the last five minutes, over all instances of auth that are heard. */
export interface ScaFigures {
  readonly passed: number;
  readonly failed: number;
  readonly locks: number;
}

/** Sums up the SCA of the last five minutes; undefined if no instance of auth is heard. */
export const scaFigures = (instances: readonly InstanceState[]): ScaFigures | undefined => {
  const pulses = instances.flatMap((state) =>
    state.kind === 'running' && state.service === 'auth' ? [state.pulse] : [],
  );
  if (pulses.length === 0) return undefined;
  const sum = (name: RecentName): number =>
    pulses.reduce((total, { recent }) => total + (recent?.[name] ?? 0), 0);
  return { passed: sum('sca-passed'), failed: sum('sca-failed'), locks: sum('sca-locks') };
};
