import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with package.json and deploy/profiles: the checkout, or /app in the image. */
export const root = ((): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'deploy/profiles'))) {
    if (folder === dirname(folder)) throw new Error('no folder above this program contains deploy/profiles');
    folder = dirname(folder);
  }
  return folder;
})();

/** The version in package.json. */
export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
