import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import type { Profile } from '@xs2a/domain/profile/profile';

/** The bank's standard for payments on a day (ISO date): before its switch-over, that in leva. */
export const standardOn = (
  { standard, levEnd }: Pick<Profile, 'standard' | 'levEnd'>,
  day: string,
): StandardName => (levEnd !== undefined && day < levEnd ? 'lev' : standard);
