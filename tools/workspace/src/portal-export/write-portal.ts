import { profileNames } from '@xs2a/domain/profile/profile';
import { exportedFiles } from '@xs2a/portal/export/exported-files';
import { Clock } from '@xs2a/runtime/clock';
import { readProfile } from '@xs2a/runtime/profile-file';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../sources.js';

// `npm run portal:export -- --folder FOLDER --base-url URL [--profile NAME]`: writes the developer portal as static files.
const usage = `npm run portal:export -- --folder FOLDER --base-url URL [--profile ${profileNames.join('|')}]`;
/** The options; none if one of them is unknown. */
const readOptions = (): Readonly<Partial<Record<'folder' | 'base-url' | 'profile', string>>> => {
  try {
    return parseArgs({
      options: {
        folder: { type: 'string' },
        'base-url': { type: 'string' },
        profile: { type: 'string', default: 'sandbox' },
      },
    }).values;
  } catch {
    return {};
  }
};
/** True for the address of a server, without a path. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`;

const { folder, 'base-url': address, profile: wanted } = readOptions();
const name = profileNames.find((one) => one === wanted);
if (folder === undefined || address === undefined || name === undefined || !isOrigin(address)) {
  console.error(usage);
  process.exit(1);
}
const profile = readProfile(join(root, `deploy/profiles/${name}.json`));
const files = exportedFiles({
  baseUrl: new URL(address).origin,
  profile,
  sandbox: profile.environment === 'sandbox',
  day: new Clock(false).date(profile.timeZone),
});
for (const [file, content] of files) {
  const path = join(resolve(folder), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
console.log(`${folder}: ${files.size} files`);
