/** The key-value bucket and key with the {@link SwitchedProfile}, as JSON. Absent before a switch-over. */
export const profileBucket = 'PROFILE';
export const profileKey = 'switched-to';

/** The profile to which the bank switched (contract E6.1). */
export interface SwitchedProfile {
  readonly name: string;
  /** The first day in euro. @format date */
  readonly levEnd: string;
}
