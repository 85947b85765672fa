/**
 * How far the switch-over is: only planned; settling in leva what was due before it; converting; or done.
 */
export type SwitchOverPhase = 'planned' | 'settling' | 'converting' | 'done';

/** The last instant before a switch-over (ISO). What is settled in leva after it is booked at this time. */
export const lastInstantBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString();
