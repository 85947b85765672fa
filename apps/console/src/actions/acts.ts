/** The actions of the staff, by the name under which they are recorded, each with what it does in a few words. */
export const acts = {
  'lift-sca-lock': 'lift the SCA lock of a PSU',
  'block-tpp': 'block a TPP',
  'unblock-tpp': 'unblock a TPP',
  'replay-notifications': 'send the dead letters of a TPP again',
} as const;
export type Act = keyof typeof acts;

/** Action ids are UUIDs in lower case. */
export const isActionId = (text: unknown): text is string =>
  typeof text === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
