/**
 * The key-value bucket and key with the name of the profile to which the bank switched (contract-euro E6.1). Absent
 * before a switch-over.
 */
export const profileBucket = 'PROFILE';
export const profileKey = 'name';
