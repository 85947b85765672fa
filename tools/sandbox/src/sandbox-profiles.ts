import { type ProfileName, profileNames } from '@xs2a/domain/profile/profile';
import { readProfile } from '@xs2a/runtime/profile-file';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Layout, root, writePrivately } from './layout.js';

/** Thrown when the data in the folder is that of a bank with another home currency. */
class OtherCurrency extends Error {
  override readonly name = 'OtherCurrency';

  constructor(dataDir: string, kept: ProfileName, wanted: ProfileName) {
    super(
      `${relative(process.cwd(), dataDir) || '.'} has the data of a bank in ${homeCurrencyOf(kept)} (profile ${kept}). ` +
        `Run: npm start -- --profile ${kept}, or npm start -- --profile ${wanted} --reset, which deletes the data, ` +
        'or name another folder in XS2A_DATA_DIR.',
    );
  }
}

/** The home currency of a bank with this profile. */
export const homeCurrencyOf = (name: ProfileName): string =>
  readProfile(join(root, `deploy/profiles/${name}.json`)).homeCurrency;

/**
 * Records the profile in the data folder. A folder may change between profiles with the same home currency. Throws
 * {@link OtherCurrency} if its data is in another one.
 */
export const keepToProfile = (layout: Pick<Layout, 'profile' | 'postgres'>, wanted: ProfileName): void => {
  const { profile } = layout;
  const kept = keptProfile(layout);
  if (kept === wanted) return;
  if (kept !== undefined && homeCurrencyOf(kept) !== homeCurrencyOf(wanted))
    throw new OtherCurrency(dirname(profile), kept, wanted);
  writePrivately(profile, wanted);
};

/**
 * The profile of the bank whose data is in the folder; undefined if there is none. `xs2a euro switch` replaces it when
 * the bank switches to euro.
 */
export const keptProfile = ({
  profile: file,
  postgres,
}: Pick<Layout, 'profile' | 'postgres'>): ProfileName | undefined => {
  if (existsSync(file)) {
    const name = readFileSync(file, 'utf8');
    return profileNames.find((profile) => profile === name);
  }
  // Data from before there were profiles in euro.
  return existsSync(postgres) ? 'sandbox' : undefined;
};
